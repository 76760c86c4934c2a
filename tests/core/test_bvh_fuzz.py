"""Two thousand broken BVH files: the reader and the conversion either work or say why not, and never hang."""

import time
import tracemalloc
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim_core.bvh import format_bvh, parse_bvh
from sim_core.errors import HeftError
from sim_core.motion_file import bvh_from_clip, clip_from_bvh
from tests.bvh_samples import biped_text

SEEDS = [
    biped_text(frames=4).encode(),
    biped_text(
        frames=3, joint_channels="6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    ).encode(),
    biped_text(frames=3, joint_channels="2 Yrotation Xrotation").replace("\n", "\r\n").encode(),
    biped_text(frames=3).replace("Left", "左 ").encode(),
]
NUMBERS = [
    b"nan",
    b"-inf",
    b"1e308",
    b"-1e9",
    b"1e9",
    b"0",
    b"-0",
    b"1,5",
    b"1.2.3",
    b"0x10",
    b"--1",
    b"1e",
    b"9" * 400,
]
WORDS = [
    b"{",
    b"}",
    b"{{",
    b"HIERARCHY",
    b"ROOT a",
    b"JOINT",
    b"End Site",
    b"OFFSET",
    b"OFFSET 1 2",
    b"MOTION",
]
WORDS += [
    b"CHANNELS 999999999 Xrotation",
    b"CHANNELS -3",
    b"CHANNELS 1e400",
    b"CHANNELS 0",
    b"CHANNELS 1 Zscale",
]
WORDS += [
    b"Frames: 1000000000000",
    b"Frames: -1",
    b"Frame Time: 0",
    b"Frame Time: nan",
    b"Frame Time: 1e-9",
    b"Frames:",
]
GARBAGE = [
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xc3",
    b"\xe2\x80\xa8",
    b"\x85",
    b"\r",
    b"\x0c",
    "٣".encode(),
    b"\xf0\x9f",
]

fraction = st.floats(0.0, 1.0, exclude_max=True)
mutation = st.one_of(
    st.tuples(st.just("flip"), fraction, st.integers(0, 255)),
    st.tuples(st.just("delete line"), fraction, st.integers(1, 6)),
    st.tuples(st.just("repeat line"), fraction, st.integers(1, 40)),
    st.tuples(st.just("swap lines"), fraction, fraction),
    st.tuples(st.just("number"), fraction, st.sampled_from(NUMBERS)),
    st.tuples(st.just("swap numbers"), fraction, fraction),
    st.tuples(st.just("insert"), fraction, st.sampled_from(WORDS + GARBAGE)),
    st.tuples(st.just("new line"), fraction, st.sampled_from(WORDS)),
    st.tuples(st.just("cut"), fraction, st.booleans()),
    st.tuples(st.just("splice"), fraction, fraction),
    st.tuples(st.just("nest"), fraction, st.integers(1, 60)),
)


def mutate(content: bytes, kind: str, where: float, what: object) -> bytes:
    lines = content.split(b"\n")
    line, place = int(where * len(lines)), int(where * len(content))
    words = lines[line].split(b" ")
    word = int(where * 1e6) % len(words)
    match kind, what:
        case "flip", int(byte):
            return content[:place] + bytes([byte]) + content[place + 1 :]
        case "delete line", int(count):
            return b"\n".join(lines[:line] + lines[line + count :])
        case "repeat line", int(count):
            return b"\n".join(lines[:line] + [lines[line]] * count + lines[line:])
        case "swap lines", float(other):
            lines[line], lines[int(other * len(lines))] = lines[int(other * len(lines))], lines[line]
            return b"\n".join(lines)
        case "number", bytes(number):
            lines[line] = b" ".join([*words[:word], number, *words[word + 1 :]])
            return b"\n".join(lines)
        case "swap numbers", float(other):
            end = int(other * len(words))
            words[word], words[end] = words[end], words[word]
            lines[line] = b" ".join(words)
            return b"\n".join(lines)
        case "insert", bytes(text):
            return content[:place] + text + content[place:]
        case "new line", bytes(text):
            return b"\n".join([*lines[:line], text, *lines[line:]])
        case "cut", bool(end):
            return content[:place] if end else content[place:]
        case "splice", float(other):
            return content[:place] + content[int(other * len(content)) :]
        case "nest", int(depth):
            return b"\n".join(
                [*lines[:line], b"JOINT n {\nOFFSET 0 1 0\n" * depth, b"}\n" * depth, *lines[line:]]
            )
    raise AssertionError(kind)


def survive(content: bytes) -> str:
    """Read, convert and write; the message where the file was refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # an overflow is a bug even when nothing is raised
        try:
            document = parse_bvh(content, "mutant.bvh")
            parse_bvh(format_bvh(document), "again.bvh")
            loaded = clip_from_bvh(document)
            format_bvh(bvh_from_clip(loaded.clip, document, loaded.conversion))
        except HeftError as error:
            return str(error)
    return ""


def is_one_sentence(message: str) -> bool:
    return "\n" not in message and len(message) < 400


@given(st.sampled_from(SEEDS), st.lists(mutation, min_size=1, max_size=4))
@settings(derandomize=True, max_examples=2000, deadline=5000, suppress_health_check=list(HealthCheck))
def test_mutants_raise_only_our_errors(content, mutations):
    for kind, where, what in mutations:
        content = mutate(content, kind, where, what)
    assert is_one_sentence(survive(content))


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")))
@settings(derandomize=True, max_examples=300, deadline=5000)
def test_noise_raises_only_our_errors(content):
    assert survive(content)
    assert survive(b"HIERARCHY\nROOT a\n{\n" + content)


def chain(joints: int, closed: bool = True) -> str:
    opening = (
        "HIERARCHY\nROOT a {\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" + "JOINT b {\nOFFSET 0 1 0\n" * joints
    )
    closing = "}" * (joints + 1) if closed else ""
    return f"{opening}{closing}\nMOTION\nFrames: 3\nFrame Time: 0.1\n1\n2\n3\n"


HEAVY = {
    "deep chain": chain(4000),
    "deep chain left open": chain(50_000, closed=False),
    "huge channel count": SEEDS[0].decode().replace("CHANNELS 3", "CHANNELS 999999999"),
    "huge frame count": SEEDS[0].decode().replace("Frames: 4", f"Frames: {10**12}"),
    "many joints, many rows": chain(3000).replace("1\n2\n3\n", "1\n" * 100_000),
    "a line of blanks": "HIERARCHY\nROOT" + " " * 500_000,
    "a long name": "HIERARCHY\nROOT " + "a b" * 300_000,
    "a long name without channels": "HIERARCHY\nROOT " + "ab" * 300_000 + "{\nJOINT x",
    "braces": "HIERARCHY\nROOT a " + "{" * 200_000,
    "same names": chain(4000).replace("JOINT b", "JOINT a"),
    "many figures": "HIERARCHY\n"
    + "ROOT a {\nCHANNELS 1 Xrotation\n}\n" * 3000
    + "MOTION\nFrame Time: 1\n"
    + "1 " * 6000,
}


@pytest.mark.parametrize("text", HEAVY.values(), ids=HEAVY.keys())
def test_heavy_files_cost_little(text):
    tracemalloc.start()
    start = time.process_time()
    assert is_one_sentence(survive(text.encode()))
    seconds, peak = time.process_time() - start, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seconds < 15.0
    assert peak < 300e6
