"""Hands that bear are on the ground and still; arms that are far from it are left exactly as they are."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.build_body import build_body
from sim_core.dynamics.kinematics import pose
from sim_core.posing.body_motion import body_positions
from sim_core.posing.surface import surface_points, touch
from sim_core.reference.rest_hands import rest_hands
from sim_core.rig.bone_map import map_bones
from sim_core.scene import Ground
from tests.clips import Person, moved, person, turned

RATE = 120.0
FRAMES = 240
BEARS = slice(80, 160)
WITHOUT_HANDS = pytest.mark.parametrize("handless", [False, True])


def _on_hands(*, handless: bool = False, depth: np.ndarray | float = 0.03, creep_m_s: float = 0.0) -> Person:
    """Someone upside down, elbows a little bent, whose hands go this deep into the ground and creep [m, m/s]."""
    clip, body = person(frames=FRAMES, fps=RATE)
    for bone, angle, elbow in (("LeftArm", -1.4, "LeftForeArm"), ("RightArm", 1.4, "RightForeArm")):
        clip = turned(clip, bone, np.tile([0.0, angle, 0.0], (FRAMES, 1)))
        clip = turned(clip, elbow, np.tile([0.0, 0.0, np.sign(angle) * 0.6], (FRAMES, 1)))
    clip = turned(clip, "Hips", np.tile([np.pi, 0.0, 0.0], (FRAMES, 1)))
    if handless:
        bones = map_bones(clip.skeleton, clip=clip).bones
        body = build_body(clip, {name: bone for name, bone in bones.items() if not name.startswith("hand")})
    lowest = touch(body, pose(body, body_positions(clip, body)), Ground()).distances.min()
    path = np.zeros((FRAMES, 3))
    path[:, 1] = creep_m_s * np.arange(FRAMES) / RATE
    path[:, 2] = -lowest - depth
    return Person(moved(clip, path), body)


def _tips(someone: Person) -> list[str]:
    return [name for name in ("hand_l", "hand_r") if name in someone.body.names] or ["forearm_l", "forearm_r"]


def _rested(someone: Person, rows: slice = BEARS) -> np.ndarray:
    q = body_positions(someone.clip, someone.body)
    labels = np.zeros((FRAMES, len(someone.body)), dtype=bool)
    for name in _tips(someone):
        labels[rows, someone.body.index(name)] = True
    return rest_hands(q, someone.body, Ground(), RATE, labels)


def _lowest(q: np.ndarray, someone: Person, name: str) -> tuple[np.ndarray, np.ndarray]:
    """(T,) heights and (T, 3) places of the lowest point of a link."""
    contact = touch(someone.body, pose(someone.body, q), Ground())
    mine = np.flatnonzero(surface_points(someone.body).links == someone.body.index(name))
    lowest = mine[np.argmin(contact.distances[0, mine])]
    return contact.distances[:, lowest], contact.points[:, lowest]


def test_arms_far_from_the_ground_are_left_exactly_as_they_are():
    someone = person(frames=FRAMES, fps=RATE)
    q = body_positions(someone.clip, someone.body)
    rested = rest_hands(q, someone.body, Ground(), RATE, np.zeros((FRAMES, len(someone.body)), dtype=bool))
    assert rested.tobytes() == q.tobytes()


@WITHOUT_HANDS
@pytest.mark.parametrize("depth", [0.05, 0.01, -0.02])
def test_hands_that_bear_lie_on_the_ground(handless, depth):
    someone = _on_hands(handless=handless, depth=depth)
    rested = _rested(someone)
    for name in _tips(someone):
        heights, _ = _lowest(rested, someone, name)
        assert np.abs(heights[BEARS]).max() < 0.005  # a straight arm reaches no further
        assert heights.min() > -0.003


@WITHOUT_HANDS
def test_hands_that_bear_do_not_creep(handless):
    someone = _on_hands(handless=handless, depth=0.01, creep_m_s=0.1)
    q, rested = body_positions(someone.clip, someone.body), _rested(someone)
    inside = slice(BEARS.start + 10, BEARS.stop - 10)
    for name in _tips(someone):
        before, after = (np.ptp(_lowest(motion, someone, name)[1][inside, 1]) for motion in (q, rested))
        assert before == pytest.approx(0.1 * 60 / RATE, rel=0.05)
        assert after < 0.1 * before


def test_the_body_and_the_turn_of_the_hands_stay():
    someone = _on_hands(depth=0.04)
    q, rested = body_positions(someone.clip, someone.body), _rested(someone)
    arms = [name for name in someone.body.names if name.startswith(("upper_arm", "forearm", "hand"))]
    columns = np.concatenate([np.r_[someone.body.q_slice[name]] for name in arms])
    np.testing.assert_array_equal(np.delete(rested, columns, axis=1), np.delete(q, columns, axis=1))
    hand = someone.body.index("hand_l")
    before, after = (rotations.from_matrix(pose(someone.body, motion).R_world_link[:, hand]) for motion in (q, rested))
    assert rotations.angle_between(before, after).max() < 1e-6


def test_hands_that_pass_through_the_ground_are_lifted_out_of_it_without_a_jerk():
    times = np.arange(FRAMES) / RATE
    someone = _on_hands(depth=0.04 - 0.5 * (times - 1.0) ** 2)
    rested = _rested(someone, slice(0, 0))
    heights, places = _lowest(rested, someone, "hand_l")
    assert heights.min() > -0.01
    assert np.abs(np.diff(places, n=2, axis=0)).max() * RATE**2 < 10.0
    q = body_positions(someone.clip, someone.body)
    np.testing.assert_array_equal(rested[:30], q[:30])
    np.testing.assert_array_equal(rested[-30:], q[-30:])
