"""Feet that a marker solver has turned over are turned back; what ankles can do is left exactly as it is."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.posing.body_motion import body_positions
from sim_core.reference.reference import build_reference
from sim_core.reference.untwist import untwist, with_sound_feet
from sim_core.scene import Scene
from sim_core.settings import ReferenceSettings
from tests.clips import Person, body_of, crouching, turned

FPS = 120.0
FRAMES = 240
TWISTED = slice(80, 160)
SIDES = pytest.mark.parametrize(("bone", "name"), [("LeftFoot", "foot_l"), ("RightFoot", "foot_r")])


def _pedalling() -> Person:
    """Someone who stands, and whose ankles bend up and down by 11 degrees."""
    clip, body = crouching(frames=FRAMES, fps=FPS)
    bend = np.zeros((FRAMES, 3))
    bend[:, 0] = 0.2 * np.sin(2.0 * np.pi * np.arange(FRAMES) / FPS)
    for bone in ("LeftFoot", "RightFoot"):
        clip = turned(clip, bone, bend)
    return Person(clip, body)


def _marker_line(someone: Person, name: str) -> np.ndarray:
    """From the ankle to the top of the toes, in the foot's frame."""
    toes = someone.body.links[someone.body.index(name.replace("foot", "toes"))].offset
    line = toes + np.array([0.0, 0.0, 0.015])  # in a plain rig that stands, up is up in every bone
    return line / np.linalg.norm(line)


def _rolled(someone: Person, name: str, rows: slice, angle: float = np.pi) -> np.ndarray:
    """(T, nq) with one foot rolled about its markers in some rows."""
    q = body_positions(someone.clip, someone.body)
    part = someone.body.q_slice[name]
    q[rows, part] = rotations.multiply(q[rows, part], rotations.exp(angle * _marker_line(someone, name)))
    return q


def _away(q: np.ndarray, someone: Person, name: str) -> np.ndarray:
    """(T,) angles between one joint and what it truly was [rad]."""
    part = someone.body.q_slice[name]
    return rotations.angle_between(q[:, part], body_positions(someone.clip, someone.body)[:, part])


def test_what_ankles_can_do_is_left_exactly_as_it_is():
    someone = _pedalling()
    q = body_positions(someone.clip, someone.body)
    repair = untwist(someone.body, q, FPS)
    assert repair.q.tobytes() == q.tobytes()
    assert repair.flipped == {}
    assert with_sound_feet(someone.clip, someone.body) is someone.clip


@pytest.mark.parametrize("bend", [1.2, -1.2])
def test_a_foot_bent_as_far_as_dancers_do_is_left_alone(bend):
    clip, body = crouching(frames=FRAMES, fps=FPS)
    q = body_positions(turned(clip, "LeftFoot", np.tile([bend, 0.0, 0.0], (FRAMES, 1))), body)
    assert untwist(body, q, FPS).flipped == {}


@SIDES
def test_a_foot_rolled_over_for_long_is_rolled_back_to_where_it_truly_was(bone, name):
    someone = _pedalling()
    broken = _rolled(someone, name, TWISTED)
    repair = untwist(someone.body, broken, FPS)
    assert repair.flipped == {name: 80}
    assert _away(repair.q, someone, name).max() < np.radians(12.0)
    others = np.setdiff1d(np.arange(someone.body.nq), np.r_[someone.body.q_slice[name]])
    np.testing.assert_array_equal(repair.q[:, others], broken[:, others])


def test_a_foot_that_points_backwards_is_bridged():
    someone = _pedalling()
    q = body_positions(someone.clip, someone.body)
    part = someone.body.q_slice["foot_l"]
    q[100:140, part] = rotations.multiply(q[100:140, part], rotations.about_axis(2, np.full(40, np.pi)))
    repair = untwist(someone.body, q, FPS)
    assert repair.flipped == {"foot_l": 40}
    assert _away(repair.q, someone, "foot_l").max() < np.radians(45.0)  # it moved between, and nobody knows how
    speed = rotations.angle_between(repair.q[:-1, part], repair.q[1:, part]) * FPS
    assert speed.max() < 5.0


def test_the_way_over_counts_too_and_nothing_jumps():
    someone = _pedalling()
    part = someone.body.q_slice["foot_l"]
    q = _rolled(someone, "foot_l", TWISTED)
    for first, last, angles in ((65, 80, np.linspace(0.0, np.pi, 15)), (160, 175, np.linspace(np.pi, 0.0, 15))):
        line = np.outer(angles, _marker_line(someone, "foot_l"))
        q[first:last, part] = rotations.multiply(q[first:last, part], rotations.exp(line))
    repair = untwist(someone.body, q, FPS)
    assert repair.flipped["foot_l"] > 80
    mended = slice(80, 160)
    assert _away(repair.q, someone, "foot_l")[mended].max() < np.radians(15.0)
    speed = rotations.angle_between(repair.q[:-1, part], repair.q[1:, part]) * FPS
    assert speed.max() < 30.0  # where the way over begins it is 26 itself; a jump would be hundreds


def test_a_foot_that_is_never_possible_tells_of_an_odd_rest_pose_and_is_left_alone():
    someone = _pedalling()
    q = _rolled(someone, "foot_l", slice(0, FRAMES))
    repair = untwist(someone.body, q, FPS)
    assert repair.flipped == {}
    np.testing.assert_array_equal(repair.q, q)


@pytest.mark.parametrize("rows", [slice(0, 60), slice(180, FRAMES)])
def test_ends_of_the_clip_are_mended_too(rows):
    someone = _pedalling()
    repair = untwist(someone.body, _rolled(someone, "foot_l", rows), FPS)
    assert repair.flipped == {"foot_l": 60}
    assert _away(repair.q, someone, "foot_l").max() < np.radians(20.0)


def test_joint_limits_are_those_of_the_mended_clip():
    someone = _pedalling()
    spin = np.zeros((FRAMES, 3))
    spin[TWISTED] = np.pi * _marker_line(someone, "foot_l")
    clip = turned(someone.clip, "LeftFoot", spin)
    foot = someone.body.index("foot_l")
    assert np.abs(body_of(clip).links[foot].joint.upper).max() > 2.0
    sound = body_of(with_sound_feet(clip, body_of(clip))).links[foot].joint
    assert max(np.abs(sound.upper).max(), np.abs(sound.lower).max()) < np.radians(60.0)


def test_a_reference_says_which_feet_were_turned_over():
    someone = _pedalling()
    spin = np.zeros((FRAMES, 3))
    spin[TWISTED] = np.pi * _marker_line(someone, "foot_l")
    broken = Person(turned(someone.clip, "LeftFoot", spin), someone.body)
    reference = build_reference(broken.clip, broken.body, Scene(), ReferenceSettings(), rate=500.0, hold_s=0.1)
    assert reference.turned_over == {"foot_l": 80}
    assert np.abs(reference.v).max() < 20.0
