"""Two thousand broken BVH files: the reader and the conversion either work or say why not, and never hang."""

import random
import re
import time
import tracemalloc
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim_core.errors import HeftError
from sim_core.motion.bvh import format_bvh, parse_bvh
from sim_core.motion.motion_file import bvh_from_clip, clip_from_bvh
from tests.bvh_samples import biped_text

SEEDS = [
    biped_text(frames=4).encode(),
    biped_text(frames=3, joint_channels="6 Xposition Yposition Zposition Zrotation Xrotation Yrotation").encode(),
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

KINDS = (
    "flip",
    "delete",
    "repeat",
    "swap lines",
    "number",
    "swap numbers",
    "insert",
    "new line",
    "cut",
    "splice",
    "nest",
)


def mutate(content: bytes, kind: str, dice: random.Random) -> bytes:
    """One accident, in the motion as often as in the hierarchy."""
    lines = content.split(b"\n")
    motion = next((n for n, text in enumerate(lines) if text.startswith(b"MOTION")), 0)
    line = dice.randrange(motion, len(lines)) if dice.random() < 0.5 else dice.randrange(len(lines))
    other_line, place, other_place = (dice.randrange(max(n, 1)) for n in (len(lines), len(content), len(content)))
    words = lines[line].split(b" ")
    word, other_word = dice.randrange(len(words)), dice.randrange(len(words))
    match kind:
        case "flip":
            return content[:place] + dice.randbytes(1) + content[place + 1 :]
        case "delete":
            del lines[line : line + dice.randint(1, 4)]
        case "repeat":
            lines[line:line] = [lines[line]] * dice.randint(1, 40)
        case "swap lines":
            lines[line], lines[other_line] = lines[other_line], lines[line]
        case "number":
            words[word] = dice.choice(NUMBERS)
            lines[line] = b" ".join(words)
        case "swap numbers":
            words[word], words[other_word] = words[other_word], words[word]
            lines[line] = b" ".join(words)
        case "insert":
            return content[:place] + dice.choice(WORDS + GARBAGE) + content[place:]
        case "new line":
            lines.insert(line, dice.choice(WORDS))
        case "cut":
            return content[:place] if dice.random() < 0.8 else content[place:]
        case "splice":
            return content[:place] + content[other_place:]
        case "nest":
            depth = dice.randint(1, 60)
            lines.insert(dice.randrange(motion + 1), b"JOINT n {\nOFFSET 0 1 0\n" * depth + b"}\n" * depth)
    return b"\n".join(lines)


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


@given(st.sampled_from(SEEDS), st.lists(st.sampled_from(KINDS), min_size=1, max_size=3), st.integers(0, 2**32))
@settings(derandomize=True, max_examples=2000, deadline=30000, suppress_health_check=list(HealthCheck))
def test_mutants_raise_only_our_errors(content, kinds, seed):
    dice = random.Random(seed)
    for kind in kinds:
        content = mutate(content, kind, dice)
    assert is_one_sentence(survive(content))


@given(st.sampled_from(SEEDS), st.integers(0, 2**32), st.floats(-12.0, 9.0), st.floats(0.0, 1.0))
@settings(derandomize=True, max_examples=300, deadline=30000)
def test_wild_numbers_are_converted_or_refused(content, seed, magnitude, share):
    """The form is right and the numbers are not, so that these files get as far as the guesses."""
    dice = random.Random(seed)

    def wild(match: re.Match[bytes]) -> bytes:
        return b"%.9g" % (dice.uniform(-1, 1) * 10**magnitude) if dice.random() < share else match[0]

    head, motion = content.split(b"0.0333333")
    head = re.sub(rb"-?\d+\.\d+", wild, head)
    assert is_one_sentence(survive(head + b"0.0333333" + re.sub(rb"-?\d+\.\d+", wild, motion)))


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")))
@settings(derandomize=True, max_examples=300, deadline=30000)
def test_noise_raises_only_our_errors(content):
    assert survive(content)
    assert survive(b"HIERARCHY\nROOT a\n{\n" + content)


def chain(joints: int, closed: bool = True) -> str:
    opening = "HIERARCHY\nROOT a {\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" + "JOINT b {\nOFFSET 0 1 0\n" * joints
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
