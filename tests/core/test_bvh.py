"""The text layer: every odd file that is out there, and a sentence for every broken one."""

import os
import re
import time

import numpy as np
import pytest

from sim_core import atomic_write
from sim_core.errors import MotionFileError
from sim_core.motion.bvh import BvhDocument, format_bvh, parse_bvh, read_bvh, write_bvh
from tests.bvh_samples import biped, biped_text
from tests.mocap import MOCAP, needs_mocap

CLIPS = sorted(MOCAP.glob("*.bvh"))

SMALL = """HIERARCHY
ROOT Hips
{
	OFFSET 0 0 0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Leg
	{
		OFFSET 0 -1 0
		CHANNELS 3 Zrotation Xrotation Yrotation
		End Site
		{
			OFFSET 0 -1 0
		}
	}
}
MOTION
Frames: 2
Frame Time: 0.04
0 1 0 10 20 30 1 2 3
0 1 0 11 21 31 1 2 3
"""


def same(a: BvhDocument, b: BvhDocument) -> bool:
    return (
        (a.written_names, a.channels, a.parents.tolist()) == (b.written_names, b.channels, b.parents.tolist())
        and [site[0] for site in a.end_sites] == [site[0] for site in b.end_sites]
        and [site[2:] for site in a.end_sites] == [site[2:] for site in b.end_sites]
        and np.allclose([site.offset for site in a.end_sites], [site.offset for site in b.end_sites], atol=1e-5)
        and np.allclose(a.offsets, b.offsets, rtol=0, atol=1e-5)
        and a.values.shape == b.values.shape
        and np.allclose(a.values, b.values, rtol=0, atol=1e-5)
        and abs(a.frame_time - b.frame_time) < 1e-9
    )


def test_reads_every_part():
    document = parse_bvh(SMALL, "small.bvh")
    assert document.names == ("Hips", "Leg")
    assert document.parents.tolist() == [-1, 0]
    assert document.offsets.tolist() == [[0, 0, 0], [0, -1, 0]]
    assert document.channels[1] == ("Zrotation", "Xrotation", "Yrotation")
    assert document.end_sites == ((1, (0.0, -1.0, 0.0), "Site", 2),)
    assert document.frame_time == 0.04
    assert document.values[1].tolist() == [0, 1, 0, 11, 21, 31, 1, 2, 3]
    assert document.notes == ()


def test_writes_what_it_read():
    document = parse_bvh(SMALL, "small.bvh")
    assert re.sub(r"\.0+\b", "", format_bvh(document)) == SMALL


VARIANTS = {
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "cr": lambda text: text.replace("\n", "\r"),
    "spaces": lambda text: text.replace("\t", "   "),
    "blank lines": lambda text: text.replace("\n", "\n\n") + "\n \n\t\n",
    "trailing blanks": lambda text: text.replace("\n", " \t\n"),
    "braces on the same line": lambda text: re.sub(r"\n\s*\{", " {", text),
    "one line hierarchy": lambda text: (
        re.sub(r"\s*\n\s*", " ", text.split("MOTION")[0]) + "\nMOTION" + text.split("MOTION")[1]
    ),
    "upper case": lambda text: text.upper().replace("HIPS", "Hips").replace("LEG", "Leg"),
    "lower case": lambda text: text.lower().replace("hips", "Hips").replace("leg", "Leg"),
    "named end site": lambda text: text.replace("End Site", "End Site toe tip"),
    "spaced end site": lambda text: text.replace("End Site", "End  SITE"),
    "end effector": lambda text: text.replace("End Site", "End Effector"),
    "joined end site": lambda text: text.replace("End Site", "EndSite"),
    "no colons": lambda text: text.replace("Frames:", "Frames").replace("Time:", "Time"),
    "scientific": lambda text: text.replace("0 1 0 11 21 31", "0 1e0 0 1.1E1 2.1e+1 310.0e-1"),
    "decimal comma": lambda text: text.replace("0.04", "0,04").replace("0 1 0 11 21", "0,0 1,0 0 11,0 21"),
    "comma separated": lambda text: text.replace("0 1 0 11 21 31", "0.0, 1.0, 0.0, 11.0, 21, 31,"),
    "broken rows": lambda text: text.replace("0 1 0 1", "0 1 0\n1"),
    "rows in one stream": lambda text: text.replace("0 10 20 30 1 2 3\n0 1", "0 10 20 30 1 2 3 0 1"),
    "byte order mark": lambda text: "\ufeff" + text,
}


@pytest.mark.parametrize("change", VARIANTS.values(), ids=VARIANTS.keys())
def test_accepts_what_programs_write(change):
    document = parse_bvh(change(SMALL), "variant.bvh")
    expected = parse_bvh(SMALL, "small.bvh")
    assert document.names == expected.names
    assert [[c.lower() for c in cs] for cs in document.channels] == [
        [c.lower() for c in cs] for cs in expected.channels
    ]
    assert document.values.tolist() == expected.values.tolist()
    assert document.frame_time == expected.frame_time
    assert len(document.end_sites) == 1
    assert document.notes == ()
    assert same(parse_bvh(format_bvh(document), "again.bvh"), document)


@pytest.mark.parametrize("name", ["Left Up Leg", "mixamorig:LeftLeg", "脚_左", "Bip01 L Thigh", "_01|leg.L", "bröd"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_keeps_any_name(name, encoding):
    document = parse_bvh(SMALL.replace("Leg", name).encode(encoding), "names.bvh")
    assert document.names == ("Hips", name)
    assert parse_bvh(format_bvh(document), "again.bvh").names == ("Hips", name)


def test_falls_back_to_latin_1():
    assert parse_bvh(SMALL.replace("Leg", "Fuß").encode("latin-1"), "old.bvh").names == ("Hips", "Fuß")


def test_same_name_twice_is_made_unique_and_written_back():
    text = biped_text().replace("RightUpLeg", "LeftUpLeg").replace("Spine", "LeftUpLeg.001")
    document = parse_bvh(text, "twins.bvh")
    assert len(set(document.names)) == len(document.names)
    assert document.names.count("LeftUpLeg.001") == 1
    assert document.written_names.count("LeftUpLeg") == 2
    assert same(parse_bvh(format_bvh(document), "again.bvh"), document)


def test_several_end_sites_keep_their_places_among_the_joints():
    site = "\tEnd Site\n\t{\n\t\tOFFSET 5 0 1\n\t}\n"
    text = SMALL.replace("\tJOINT Leg", site + "\tJOINT Leg").replace("\n}\nMOTION", "\n" + site + site + "}\nMOTION")
    document = parse_bvh(text, "sites.bvh")
    assert [(s.parent, s.joints_before) for s in document.end_sites] == [(0, 1), (1, 2), (0, 2), (0, 2)]
    assert re.sub(r"\.0+\b", "", format_bvh(document)) == text


@pytest.mark.parametrize(
    "channels", ["0", "1 Xrotation", "2 Yrotation Xrotation", "4 Xposition Zrotation Xrotation Yrotation"]
)
def test_any_number_of_channels(channels):
    document = biped(joint_channels=channels)
    assert len(document.channels[3]) == int(channels[0])
    assert same(parse_bvh(format_bvh(document), "again.bvh"), document)


def test_several_figures_are_read_and_written():
    figure = SMALL.split("MOTION")[0].removeprefix("HIERARCHY\n")
    text = SMALL.replace("MOTION", figure.replace("Hips", "Partner") + "MOTION").replace(
        " 1 2 3\n", " 1 2 3" * 4 + "\n"
    )
    document = parse_bvh(text, "pair.bvh")
    assert document.parents.tolist() == [-1, 0, -1, 2]
    assert same(parse_bvh(format_bvh(document), "again.bvh"), document)


@pytest.mark.parametrize("announced", ["3", "1", "0", "-5", "many", "1000000000000", ""])
def test_rows_win_over_a_wrong_frame_count(announced):
    document = parse_bvh(SMALL.replace("Frames: 2", f"Frames: {announced}"), "count.bvh")
    assert len(document.values) == 2
    assert len(document.notes) == 1
    assert "frames" in document.notes[0]


def test_wrong_channel_count_is_noted():
    document = parse_bvh(SMALL.replace("CHANNELS 3", "CHANNELS 999999999"), "channels.bvh")
    assert document.channel_count == 9
    assert "999999999" in document.notes[0]


def test_cut_off_last_row_is_left_out_and_noted():
    document = parse_bvh(SMALL + "0 1 0 12 22", "cut.bvh")
    assert len(document.values) == 2
    assert any("cut off" in note for note in document.notes)


BROKEN = {
    "empty": ("", "empty"),
    "blank": (" \n\t\n", "empty"),
    "binary": ("Kaydara FBX Binary  \0\x1a\0", "binary"),
    "other text": ("# a list\n1 2 3\n", "line 1"),
    "no root": ("HIERARCHY\nMOTION\nFrames: 1\nFrame Time: 0.1\n1\n", "line 2"),
    "ends in a joint": (SMALL[:120], "line 7|line 6"),
    "ends before MOTION": (SMALL.split("MOTION")[0], "MOTION"),
    "missing brace": (SMALL.replace("\t}\n}\n", "\t}\n"), "never closed"),
    "extra brace": (SMALL.replace("\n}\nMOTION", "\n}\n}\nMOTION"), "line 16.*braces"),
    "no opening brace": (SMALL.replace("Leg\n\t{", "Leg\n\t"), "missing after 'Leg'"),
    "joint in an end site": (SMALL.replace("OFFSET 0 -1 0\n\t\t}", "JOINT a\n{\n}\n}"), "line 12"),
    "word for a number": (SMALL.replace("OFFSET 0 -1 0", "OFFSET 0 minus 0"), "line 8.*three numbers"),
    "unknown channel": (SMALL.replace("Xposition", "Wposition"), "line 5.*Wposition"),
    "channel twice": (SMALL.replace("Xposition", "Yposition"), "line 5.*twice"),
    "no frames": (SMALL.split("0 1 0 10")[0], "no frames"),
    "no frame time": (SMALL.replace("Frame Time: 0.04\n", ""), "Frame Time"),
    "frame time zero": (SMALL.replace("0.04", "0"), "line 18.*frame time"),
    "frame time negative": (SMALL.replace("0.04", "-0.04"), "line 18.*frame time"),
    "frame time huge": (SMALL.replace("0.04", "40"), "line 18.*frame time"),
    "frame time word": (SMALL.replace("0.04", "fast"), "line 18.*frame time"),
    "nan": (SMALL.replace("11 21", "nan 21"), "line 20.*number 4"),
    "infinite": (SMALL.replace("11 21", "-inf 21"), "line 20"),
    "absurd": (SMALL.replace("11 21", "1e300 21"), "line 20"),
    "absurd offset": (SMALL.replace("OFFSET 0 -1 0", "OFFSET 0 nan 0"), "line 8"),
    "word in a row": (SMALL.replace("11 21", "eleven 21"), "line 20.*eleven"),
    "short middle row": (
        SMALL.replace("30 1 2 3\n", "30 1 2\n") + "0 1 0 1 2 3 1 2 3\n" * 3,
        "line 19.*8 numbers",
    ),
    "only a broken row": (SMALL.split("0 1 0 10")[0] + "0 1 0 1", "line 19.*4 numbers.*9"),
    "no channels": (re.sub(r"CHANNELS.*", "CHANNELS 0", SMALL), "nothing moves"),
}


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_files_get_one_sentence(text, message):
    with pytest.raises(MotionFileError, match=message) as caught:
        parse_bvh(text, "broken.bvh")
    assert "broken.bvh" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(MotionFileError, match="does not exist"):
        read_bvh(tmp_path / "missing.bvh")
    with pytest.raises(MotionFileError, match="folder"):
        read_bvh(tmp_path)
    with pytest.raises(MotionFileError, match=r"could not be read|does not exist"):
        read_bvh("a\0b.bvh")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.bvh")
        with pytest.raises(MotionFileError, match="plain file"):
            read_bvh(tmp_path / "pipe.bvh")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="Runs as any user but the administrator.")
def test_files_without_permission(tmp_path):
    secret = tmp_path / "secret.bvh"
    secret.write_text(SMALL)
    secret.chmod(0)
    with pytest.raises(MotionFileError, match="could not be read"):
        read_bvh(secret)


def test_writes_the_whole_file_or_nothing(tmp_path, monkeypatch):
    document = parse_bvh(SMALL, "small.bvh")
    target = tmp_path / "out.bvh"
    write_bvh(target, document)
    before = target.read_bytes()

    def full_disk(path, content):
        path.write_bytes(content[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic_write, "_write", full_disk)
    with pytest.raises(MotionFileError, match="No space left"):
        write_bvh(target, document)
    assert target.read_bytes() == before
    assert os.listdir(tmp_path) == ["out.bvh"]


def test_refuses_places_that_cannot_be_written(tmp_path):
    document = parse_bvh(SMALL, "small.bvh")
    with pytest.raises(MotionFileError, match="folder"):
        write_bvh(tmp_path, document)
    with pytest.raises(MotionFileError, match="does not exist"):
        write_bvh(tmp_path / "nowhere" / "out.bvh", document)


@needs_mocap
@pytest.mark.parametrize("path", CLIPS, ids=lambda path: path.stem)
def test_cmu_survives_read_write_read(path, tmp_path):
    document = read_bvh(path)
    assert document.names[0] == "Hips"
    assert len(document.names) == 31
    write_bvh(tmp_path / path.name, document)
    again = read_bvh(tmp_path / path.name)
    assert np.max(np.abs(again.values - document.values)) < 1e-4
    assert np.max(np.abs(again.offsets - document.offsets)) < 1e-4
    assert same(again, document)


@needs_mocap
def test_large_files_are_read_quickly():
    assert len(CLIPS) == 38
    largest = max(CLIPS, key=lambda path: path.stat().st_size)
    start = time.process_time()
    read_bvh(largest)
    assert time.process_time() - start < 1.0
