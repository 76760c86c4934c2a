"""A clip at twice its true rate is noticed by what gravity and legs allow; a true one is left in peace."""

from dataclasses import replace
from functools import cache

import pytest

from sim_core.motion.source_clip import read_source
from sim_core.reference.frame_rate import RateCheck, check_frame_rate
from sim_core.settings import ClipSettings
from tests.clips import body_of, jumping, person
from tests.mocap import MOCAP, needs_mocap

TOO_FAST = {"cmu_141_09", "cmu_141_07", "cmu_74_14", "cmu_74_16", "cmu_75_17"}  # INDEX.md: 120 in the file, truly 60
LIMPING = "cmu_139_19"  # at its true rate, with steps as quick as a walk's at twice its pace
NAMES = sorted(path.stem for path in MOCAP.glob("*.bvh")) or ["none"]


@cache
def _checked(name: str) -> RateCheck:
    source = read_source(MOCAP / f"{name}.bvh", ClipSettings())
    clip = source.clip.frames(source.t_pose_frames, len(source.clip))
    return check_frame_rate(clip, body_of(clip))


@needs_mocap
@pytest.mark.parametrize("name", NAMES)
def test_captured_clips(name):
    found = _checked(name)
    if name in TOO_FAST:
        assert found.guess is not None or found.suspicion is not None
        assert found.guess is None or found.guess.value == pytest.approx(60.0)
    else:
        assert found.guess is None
        assert (found.suspicion is not None) == (name == LIMPING)


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
def test_a_jump_at_its_true_rate_is_left_in_peace(fps):
    clip, body = jumping(fps)
    assert check_frame_rate(clip, body) == RateCheck(None, None)


@pytest.mark.parametrize("fps", [60.0, 120.0])
def test_a_jump_at_twice_its_rate_is_caught(fps):
    clip, body = jumping(fps)
    found = check_frame_rate(replace(clip, fps=2.0 * fps), body)
    assert found.guess is not None
    assert found.guess.value == pytest.approx(fps)
    assert " g" in found.guess.reason


@needs_mocap
@pytest.mark.parametrize("name", ["cmu_16_03", "cmu_16_05"])
def test_a_captured_jump_retimed_by_two_is_caught(name):
    source = read_source(MOCAP / f"{name}.bvh", ClipSettings())
    clip = source.clip.frames(source.t_pose_frames, len(source.clip))
    found = check_frame_rate(replace(clip, fps=240.0), body_of(clip))
    assert found.guess is not None
    assert found.guess.value == pytest.approx(120.0)


def test_standing_still_says_nothing_of_the_rate():
    clip, body = person()
    assert check_frame_rate(clip, body) == RateCheck(None, None)


@pytest.mark.parametrize("frames", [3, 4, 8])
def test_a_few_frames_do_not_crash(frames):
    clip, body = person(frames=frames)
    assert check_frame_rate(clip, body) == RateCheck(None, None)
