"""Whatever is wrong with what a person gives: one sentence, exit status 2, and nothing on the disk."""

import errno
import os
import re
import shutil
import signal

import pytest

from sim_core import atomic_write, commands
from sim_core.motion.clip_npz import save_npz
from sim_core.samples.catalogue import make_sample
from tests import bvh_samples
from tests.bvh_samples import biped_text
from tests.command_line import call

OUT = "out.bvh"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A working folder with one good clip in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clip.bvh").write_text(biped_text(frames=12))
    return tmp_path


def refused(capsys, *arguments) -> str:
    """The sentence that a run is refused with."""
    before = sorted(os.listdir("."))
    outcome = call(capsys, *arguments)
    assert outcome.status == 2
    assert outcome.out == ""
    sentence = outcome.err.removesuffix("\n")
    assert re.fullmatch(r".{20,}[.]", sentence), sentence  # one line: a dot is no line end
    assert sorted(os.listdir(".")) == before
    return sentence


def text_with(old: str, new: str) -> bytes:
    text = biped_text(frames=12)
    assert old in text
    return text.replace(old, new, 1).encode()


GOOD = biped_text(frames=12).encode()
BOX = b"""HIERARCHY\nROOT Box\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}
MOTION\nFrames: 4\nFrame Time: 0.04\n0 0 0\n0 0 1\n0 0 2\n0 0 3\n"""
NO_MOTION = {
    "empty": (b"", "clip.bvh is empty"),
    "blank": (b" \n\t\n", "clip.bvh is empty"),
    "any bytes": (bytes(range(256)) * 20, "clip.bvh"),
    "binary": (b"\x00\x01\x02" * 500, "binary"),
    "fbx": (b"Kaydara FBX Binary  \x00\x1a\x00" + bytes(200), "binary"),
    "cut in the hierarchy": (GOOD[:900], "clip.bvh, line"),
    "cut before the motion": (GOOD.split(b"MOTION")[0], "clip.bvh, line"),
    "cut before the frame time": (GOOD.split(b"Frame Time")[0], "frame time"),
    "cut before the frames": (GOOD.split(b"0.0333333")[0] + b"0.0333333\n", "no frames"),
    "cut in the first frame": (GOOD.split(b"0.0333333")[0] + b"0.0333333\n0 96 0 0 0", "5 numbers .* needs 51"),
    "nan": (text_with("96.000000", "nan"), "clip.bvh, line .*'nan'"),
    "inf": (text_with("96.000000", "inf"), "clip.bvh, line .*'inf'"),
    "commas": (text_with("96.000000", "9,6,0"), "clip.bvh, line .* 53 numbers"),
    "no time": (text_with("Frame Time: 0.0333333", "Frame Time: 0"), "clip.bvh, line .*frame time"),
    "one frame": (biped_text(frames=1).encode(), "one frame"),
    "two frames": (biped_text(frames=2).encode(), "fewer than 3 frames"),
    "a box": (BOX, "no figure"),
}


@pytest.mark.parametrize("kind", NO_MOTION)
@pytest.mark.parametrize("command", ["bake", "inspect"])
def test_a_file_that_is_no_motion(capsys, folder, kind, command):
    content, said = NO_MOTION[kind]
    (folder / "clip.bvh").write_bytes(content)
    assert re.search(said, refused(capsys, command, "clip.bvh", *(["-o", OUT] if command == "bake" else [])))


def test_a_rig_without_legs(capsys, folder, monkeypatch):
    monkeypatch.setattr(bvh_samples, "JOINTS", [row for row in bvh_samples.JOINTS if not re.search("Leg|Foot", row[0])])
    (folder / "clip.bvh").write_text(biped_text(frames=12))
    assert "no legs" in refused(capsys, "bake", "clip.bvh", "-o", OUT)


@pytest.mark.parametrize("command", ["bake", "inspect"])
def test_no_file_at_all(capsys, folder, command):
    more = ["-o", OUT] if command == "bake" else []
    assert "'gone.bvh' does not exist" in refused(capsys, command, "gone.bvh", *more)
    assert "'gone.npz' is not there" in refused(capsys, command, "gone.npz", *(["-o", "out.npz"] if more else []))
    assert "is a folder" in refused(capsys, command, ".", *more)
    assert "name" in refused(capsys, command, "x" * 4000 + ".bvh", *more)
    shutil.copy("clip.bvh", "clip.fbx")
    assert "clip.fbx" in refused(capsys, command, "clip.fbx", *more)


BAD_OPTIONS = [
    (["--engine", "havok"], "Engine 'havok' is not known; choose one of auto, bullet, mujoco"),
    (["--engine", ""], "Engine '' is not known"),
    (["--controller", "magic"], "--controller.*'magic'"),
    (["--preset", "magic"], "--preset.*'magic'"),
    (["--balance", "stilts"], "--balance.*'stilts'"),
    (["--controller", "pd", "--preset", "yu"], "--preset is for --controller qp"),
    (["--motion", "fly"], "--motion.*'fly'"),
    (["--progress", "loud"], "--progress.*'loud'"),
    (["--up", "x"], "--up.*'x'"),
    (["--frobnicate"], "--frobnicate"),
    (["--fric", "1"], "--fric"),
    (["--friction"], "--friction: expected one argument"),
    (["--friction", "-1"], "--friction takes a number from .* not -1"),
    (["--friction", "nan"], "--friction takes a number"),
    (["--fps", "nan"], "--fps takes a number from 1 to 2000, not nan"),
    (["--fps", "0"], "--fps"),
    (["--fps", "fast"], "--fps.*'fast'"),
    (["--scale", "0"], "--scale"),
    (["--scale", "inf"], "--scale"),
    (["--height", "-2"], "--height"),
    (["--mass", "1e9"], "--mass"),
    (["--floor", "nan"], "--floor"),
    (["--t-pose", "-1"], "--t-pose"),
    (["--t-pose", "99"], "fewer than 3 frames of motion after the T-pose"),
    (["--start", "0"], "Frames 0 to 12 are not in the clip, which has frames 1 to 12"),
    (["--start", "one"], "--start.*'one'"),
    (["--start", "5", "--end", "4"], "Frame 5 comes after frame 4"),
    (["--start", "13"], "Frames 13 to 12"),
    (["--end", "13"], "Frames 1 to 13"),
    (["--start", "5", "--end", "6"], "fewer than 3 frames"),
    (["--seed", "0.5"], "--seed.*'0.5'"),
    (["--budget", "-1"], "--budget"),
    (["--assist", "much"], "--assist takes .* newtons or one such as 20% of body weight, not 'much'"),
    (["--assist", "-5"], "--assist"),
    (["--assist", "nan"], "--assist"),
    (["--bone", "thigh_l"], "--bone takes NAME=VALUE"),
    (["--bone", "wing_l=Hips"], '"wing_l". Nearest:'),
    (["--bone", "thigh_l=LeftUpleg"], 'Nearest: "LeftUpLeg"'),
    (["--push", "chest"], "--push takes"),
    (["--push", "bone=chest,at=0,for=0.1"], "--push takes"),
    (["--push", "bone=chest,at=0,at=0,for=0.1,force=0:0:1"], "--push takes"),
    (["--push", "bone=chest,at=x,for=0.1,force=0:0:1"], "in seconds, not 'x'"),
    (["--push", "bone=chest,at=0,for=0.1,force=0:1"], "force"),
    (["--push", "bone=chest,at=0,for=0.1,force=0:nan:1"], "force"),
    (["--push", "bone=chest,at=-1,for=0.1,force=0:0:1"], "at >= 0"),
    (["--push", "bone=chest,at=0,for=inf,force=0:0:1"], "plain numbers"),
    (["--push", "bone=chest,at=9,for=0.1,force=0:0:1"], "comes at 9 s, and the clip ends at 0.37 s"),
    (["--push", "bone=lefthnad,at=0,for=0.1,force=0:0:1"], "'lefthnad'.* Nearest: 'LeftHand'"),
    (["--push", "bone=chst,at=0,for=0.1,force=0:0:1"], "'chst'.* Nearest: '[Cc]hest'"),
    (["--push", "bone=chest,frame=99,frames=1,force=0:0:1"], "push on 'chest' comes at frame 99 for 1 frames"),
    (["--pull", "bone=chst,at=0,for=0.1,to=0:0:1,force=9"], "A pull names the bone 'chst'.* Nearest: '[Cc]hest'"),
    (["--pull", "bone=chest,at=9,for=0.1,to=0:0:1,force=9"], "pull on 'chest' comes at 9 s, and the clip ends at"),
    (["--pull", "bone=chest,at=0,for=0.1,by=rope,force=9"], "goes by 'rope', which is not in the scene"),
    (["--throw", "target=chst,at=0.1,mass=1,speed=5,from=left"], "A throw names the bone 'chst'.* Nearest"),
    (["--throw", "target=chest,at=9,mass=1,speed=5,from=left"], "throw at 'chest' comes at 9 s"),
    (["--throw", "target=chest,frame=99,mass=1,speed=5,from=left"], "comes at frame 99, and frames 1 to"),
    (["--throw", "target=chest,at=0.01,mass=1,speed=5,from=left"], "would begin inside the character"),
    (["--keep-level", "bone=hnd_r"], "A keep-level names the bone 'hnd_r'.* Nearest"),
    (["--keep-level", "bone=hand_r,at=9,for=1"], "keep-level of 'hand_r' comes at 9 s"),
    (["--turn", "30,at=9"], "turn by 30 degrees comes at 9 s, and the clip ends at"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "said"), BAD_OPTIONS, ids=[" ".join(options) for options, _ in BAD_OPTIONS])
def test_an_option_that_makes_no_sense(capsys, options, said):
    assert re.search(said, refused(capsys, "bake", "clip.bvh", "-o", OUT, *options))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "bake"),
        (["roast"], "'roast'"),
        (["bake"], "CLIP.bvh"),
        (["bake", "clip.bvh"], "--output"),
        (["bake", "clip.bvh", "-o"], "--output: expected one argument"),
        (["bake", "clip.bvh", "-o", OUT, "more"], "more"),
        (["inspect", "clip.bvh", "--engine", "bullet"], "--engine"),
        (["sample", "cha-cha", "-o", OUT], "no sample 'cha-cha'; choose one of stand"),
        (["sample", "stand", "-o", "stand.txt"], "must be a .bvh or .npz file"),
        (["sample", "stand", "-o", "gone/stand.bvh"], "does not exist"),
    ],
)
def test_a_command_that_makes_no_sense(capsys, arguments, said):
    assert said in refused(capsys, *arguments)


@pytest.fixture
def no_bake(monkeypatch):
    """Fails where a run goes on to read and bake, although its files could not be written."""

    def too_late(*arguments):
        raise AssertionError("It was noticed too late.")

    monkeypatch.setattr(commands, "read_performance", too_late)


PLACES = [
    ("gone/{}", "gone' does not exist; make it first"),
    ("clip.bvh/{}", "which is no folder"),
    ("/proc/{}", "could not be written|does not exist|is no folder"),
    (".", r"must be|is a folder"),
    ("x" * 300 + "{}", "could not be written"),
]


@pytest.mark.usefixtures("no_bake")
@pytest.mark.parametrize(("place", "said"), PLACES, ids=["gone", "file", "proc", "folder", "long"])
@pytest.mark.parametrize("option", ["-o", "--report", "--picture"])
def test_a_place_where_nothing_can_be_written(capsys, option, place, said):
    name = {"-o": "out.bvh", "--report": "report.json", "--picture": "report.png"}[option]
    others = [] if option == "-o" else ["-o", OUT]
    assert re.search(said, refused(capsys, "bake", "clip.bvh", *others, option, place.format(name)))


@pytest.mark.usefixtures("no_bake")
def test_an_inspection_that_cannot_be_kept(capsys):
    assert "does not exist" in refused(capsys, "inspect", "clip.bvh", "--report", "gone/report.json")


@pytest.mark.usefixtures("no_bake")
def test_the_source_is_never_an_output(capsys, folder):
    (folder / "link.bvh").symlink_to("clip.bvh")
    (folder / "clip.png").symlink_to("clip.bvh")
    for output in ("clip.bvh", "./clip.bvh", "link.bvh"):
        assert "source" in refused(capsys, "bake", "clip.bvh", "-o", output)
    for option, path in [("--report", "clip.bvh"), ("--picture", "clip.png")]:
        assert "source" in refused(capsys, "bake", "clip.bvh", "-o", OUT, option, path)
    assert "source" in refused(capsys, "inspect", "clip.bvh", "--report", "clip.bvh")


@pytest.mark.usefixtures("no_bake")
def test_outputs_that_make_no_sense(capsys, folder):
    assert "asked for twice" in refused(capsys, "bake", "clip.bvh", "-o", OUT, "--report", "./out.bvh")
    for name in ("out", "out.fbx", "out.bvh.txt", ""):
        assert "must be a .bvh or .npz file" in refused(capsys, "bake", "clip.bvh", "-o", name)
    assert "must be a .png file" in refused(capsys, "bake", "clip.bvh", "-o", OUT, "--picture", "report.jpg")
    assert "give an .npz output" in refused(capsys, "bake", "clip.npz", "-o", OUT)
    assert "not a plain file" in refused(capsys, "bake", "clip.bvh", "-o", OUT, "--report", "/dev/null")


def test_an_npz_clip_has_its_own_units(capsys, folder):
    save_npz(folder / "clip.npz", make_sample("stand", 0.3))
    assert "metres" in refused(capsys, "bake", "clip.npz", "-o", "out.npz", "--scale", "0.01")
    assert "Z up" in refused(capsys, "inspect", "clip.npz", "--up", "z")


def test_a_read_only_folder(capsys, monkeypatch):
    def denied(path, content):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(atomic_write, "_write", denied)
    assert "'out.bvh' could not be written (Permission denied)" in refused(capsys, "bake", "clip.bvh", "-o", OUT)


def test_a_write_protected_output(capsys, folder, monkeypatch):
    (folder / OUT).write_text("kept")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "'out.bvh' is write-protected" in refused(capsys, "bake", "clip.bvh", "-o", OUT)
    assert (folder / OUT).read_text() == "kept"


@pytest.mark.parametrize("fails_at", [3, 4])
def test_a_disk_that_fills_up_while_writing(capsys, folder, monkeypatch, fails_at):
    """Not at the trials, which are the first two writes, but at the report or at the result behind it."""
    (folder / "report.json").write_text("of an earlier bake")
    writes, sync = [], os.fsync

    def full(descriptor):
        writes.append(descriptor)
        if len(writes) >= fails_at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    arguments = ["clip.bvh", "-o", OUT, "--report", "report.json", "--budget", "draft", "--engine", "mujoco"]
    assert "could not be written (No space left on device)" in refused(capsys, "bake", *arguments)
    assert (folder / "report.json").read_text() == "of an earlier bake"


def test_a_fault_of_our_own_is_a_sentence_too(capsys, monkeypatch):
    def broken(*arguments):
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr(commands, "read_performance", broken)
    outcome = call(capsys, "bake", "clip.bvh", "-o", OUT)
    assert (outcome.status, outcome.out) == (1, "")
    assert re.fullmatch("Heft met a fault of its own .ZeroDivisionError: two lines.*[.]\n", outcome.err)


def test_a_clip_beyond_memory(capsys, monkeypatch):
    def too_much(*arguments):
        raise MemoryError

    monkeypatch.setattr(commands, "read_performance", too_much)
    assert "fewer frames" in refused(capsys, "bake", "clip.bvh", "-o", OUT)


def test_bad_input_leaves_signals_as_they_were(capsys):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    refused(capsys, "bake", "gone.bvh", "-o", OUT)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_a_worker_says_its_errors_as_messages(capsys):
    for arguments in (["bake", "gone.bvh", "-o", OUT], ["bake", "clip.bvh"], ["bake", "clip.bvh", "--nonsense"]):
        outcome = call(capsys, *arguments, "--progress", "json")
        assert (outcome.status, outcome.err) == (2, "")
        last = outcome.messages[-1]
        assert (last["type"], last["exit_status"]) == ("error", 2)
        assert last["message"]
