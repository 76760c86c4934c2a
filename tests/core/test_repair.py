"""Joints that flip are bridged; everything a person can do is left exactly as it is."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.reference.reference import build_reference
from sim_core.reference.repair import bridge_flips
from sim_core.scene import Scene
from sim_core.settings import ReferenceSettings
from tests.clips import Person, crouching, turned
from tests.makers import figure_body

BODY = figure_body()
FASTEST = 20.0
each_rate = pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])


def _nodding(fps: float, speed: float = 2.0) -> np.ndarray:
    """(T, nq): two seconds in which the head swings with this peak speed [rad/s]."""
    times = np.arange(int(2 * fps)) / fps
    q = np.tile(BODY.zero_q, (len(times), 1))
    q[:, BODY.q_slice["head"]] = rotations.about_axis(0, speed / 6.0 * np.sin(6.0 * times))
    return q


@each_rate
def test_a_sound_motion_is_left_exactly_as_it_is(fps):
    q = _nodding(fps, speed=0.8 * FASTEST)
    repair = bridge_flips(BODY, q, fps, FASTEST)
    np.testing.assert_array_equal(repair.q, q)
    assert repair.flipped == {}


@each_rate
def test_a_flip_is_bridged_to_where_the_joint_truly_was(fps):
    q = _nodding(fps)
    broken = q.copy()
    middle = slice(int(0.9 * fps), int(0.9 * fps) + 3)
    part = BODY.q_slice["head"]
    broken[middle, part] = rotations.multiply(broken[middle, part], rotations.about_axis(1, np.full(3, 2.5)))
    repair = bridge_flips(BODY, broken, fps, FASTEST)
    assert set(repair.flipped) == {"head"}
    assert 3 <= repair.flipped["head"] <= 3 + 0.3 * fps
    assert rotations.angle_between(repair.q[:, part], q[:, part]).max() < 0.1
    others = np.setdiff1d(np.arange(BODY.nq), np.arange(part.start, part.stop))
    np.testing.assert_array_equal(repair.q[:, others], broken[:, others])


def test_two_flips_with_a_moment_between_them_are_one():
    q = _nodding(120.0)
    part = BODY.q_slice["head"]
    for start in (100, 106):
        q[start : start + 2, part] = rotations.about_axis(1, np.full(2, 2.5))
    repair = bridge_flips(BODY, q, 120.0, FASTEST)
    assert repair.flipped["head"] >= 8
    speed = rotations.angle_between(repair.q[:-1, part], repair.q[1:, part]) * 120.0
    assert speed.max() < FASTEST


@pytest.mark.parametrize("frame", [0, 1, -2, -1])
def test_flips_at_the_ends_do_not_crash_and_stay_finite(frame):
    q = _nodding(60.0)
    q[frame, BODY.q_slice["head"]] = rotations.about_axis(1, np.array(2.5))
    assert np.isfinite(bridge_flips(BODY, q, 60.0, FASTEST).q).all()


def test_the_sign_of_a_quaternion_is_no_flip():
    q = _nodding(60.0)
    q[30:40, BODY.q_slice["head"]] *= -1.0
    assert bridge_flips(BODY, q, 60.0, FASTEST).flipped == {}


@pytest.mark.parametrize("frame", [0, -1])
def test_a_flip_at_an_end_of_the_clip_takes_the_nearest_sound_pose(frame):
    q = _nodding(60.0)
    part = BODY.q_slice["head"]
    broken = q.copy()
    broken[frame, part] = rotations.about_axis(1, np.array(2.5))
    repair = bridge_flips(BODY, broken, 60.0, FASTEST)
    assert set(repair.flipped) == {"head"}
    assert rotations.angle_between(repair.q[frame, part], q[frame, part]) < 0.2
    speed = rotations.angle_between(repair.q[:-1, part], repair.q[1:, part]) * 60.0
    assert speed.max() < 3.0


def test_a_reference_starts_with_the_sound_pose_and_at_rest():
    clip, body = crouching(frames=60, fps=60.0)
    spin = np.zeros((60, 3))
    spin[0, 1] = 2.5
    broken = Person(turned(clip, "LeftArm", spin), body)
    settings = ReferenceSettings()
    reference, sound = (
        build_reference(someone.clip, body, Scene(), settings, rate=500.0, hold_s=0.1)
        for someone in (broken, Person(clip, body))
    )
    assert list(reference.flipped) == ["upper_arm_l"]
    part = body.q_slice["upper_arm_l"]
    assert rotations.angle_between(reference.q[0, part], sound.q[0, part]) < 0.01
    assert np.abs(reference.v).max() < 0.2
