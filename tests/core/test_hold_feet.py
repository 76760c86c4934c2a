"""Keyframes whose feet do what they did in the simulation: stand, slide, or swing clear of the ground."""

import numpy as np
import pytest

from sim_core.body.body import Body
from sim_core.dynamics.kinematics import pose
from sim_core.posing.body_motion import body_positions
from sim_core.simulation.hold_feet import hold_feet
from tests.bearing import FPS, SCENE, bearing
from tests.clips import Person, crouching, moved

NEVER_CRISP = np.zeros(1)
AHEAD = np.array([0.0, -1.0, 0.0])


def _going(speed: float, frames: int = 61) -> tuple[Person, np.ndarray]:
    """Someone on bent knees who is carried along with a steady speed [m/s], soles on the ground."""
    someone = crouching(frames=frames, fps=FPS, depth=0.08)
    path = (speed * np.arange(frames) / FPS)[:, None] * AHEAD
    return someone, body_positions(moved(someone.clip, path), someone.body)


def _soles(body: Body, q: np.ndarray) -> np.ndarray:
    return pose(body, q).points(body.soles.links, body.soles.local)


@pytest.mark.parametrize("creep_m", [0.002, 0.02])
def test_feet_that_bore_stay_where_they_stood(creep_m):
    (_, body), q = _going(creep_m)
    held = hold_feet(q, bearing(body, len(q), np.ones(61, bool)), body, SCENE, FPS, NEVER_CRISP)
    assert np.ptp(_soles(body, q)[..., 1], axis=0).min() == pytest.approx(creep_m, rel=1e-3)
    assert np.ptp(_soles(body, held)[..., :2], axis=0).max() < 0.1 * creep_m
    assert np.abs(_soles(body, held) - _soles(body, q)).max() < 0.55 * creep_m  # to the middle, not to an end


@pytest.mark.parametrize("speed", [0.1, 1.5])
def test_feet_that_bore_and_slid_still_slide(speed):
    (_, body), q = _going(speed)
    held = hold_feet(q, bearing(body, len(q), np.ones(61, bool)), body, SCENE, FPS, NEVER_CRISP)
    np.testing.assert_allclose(_soles(body, held), _soles(body, q), atol=1e-9)


def test_feet_in_the_air_clear_the_ground():
    (_, body), q = _going(1.5)
    held = hold_feet(q, bearing(body, len(q), None), body, SCENE, FPS, NEVER_CRISP)
    heights = _soles(body, held)[..., 2]
    assert heights.min() > 0.02
    assert heights.max() < 0.031


def test_a_swing_between_two_stances_leaves_the_stances_alone():
    (_, body), q = _going(1.5)
    bears = np.abs(np.arange(61) - 30) > 15
    held = hold_feet(q, bearing(body, len(q), bears), body, SCENE, FPS, NEVER_CRISP)
    heights = _soles(body, held)[..., 2]
    np.testing.assert_allclose(heights[bears], 0.0, atol=1e-6)
    assert heights[22:39].min() > 0.02


@pytest.mark.parametrize("height", [-0.008, 0.008])
def test_feet_that_bore_stand_on_the_ground_and_not_in_it_or_over_it(height):
    someone = crouching(frames=61, fps=FPS, depth=0.08)
    q = body_positions(moved(someone.clip, np.tile([0.0, 0.0, height], (61, 1))), someone.body)
    held = hold_feet(q, bearing(someone.body, 61, np.ones(61, bool)), someone.body, SCENE, FPS, NEVER_CRISP)
    assert np.abs(_soles(someone.body, held)[..., 2]).max() < 0.0025


def test_a_foot_far_in_the_ground_was_so_in_the_simulation():
    someone = crouching(frames=61, fps=FPS, depth=0.08)
    q = body_positions(moved(someone.clip, np.tile([0.0, 0.0, -0.1], (61, 1))), someone.body)
    held = hold_feet(q, bearing(someone.body, 61, np.ones(61, bool)), someone.body, SCENE, FPS, NEVER_CRISP)
    assert _soles(someone.body, held)[..., 2].max() < -0.08


def test_only_legs_are_turned():
    (_, body), q = _going(1.5)
    before = q.copy()
    held = hold_feet(q, bearing(body, len(q), None), body, SCENE, FPS, NEVER_CRISP)
    legs = np.zeros(body.nq, dtype=bool)
    for name in ("thigh", "shin", "foot"):
        for side in "lr":
            legs[body.q_slice[f"{name}_{side}"]] = True
    np.testing.assert_array_equal(held[:, ~legs], q[:, ~legs])
    np.testing.assert_array_equal(q, before)


@pytest.mark.parametrize("frames", [2, 5])
def test_the_shortest_clips_pass(frames):
    (_, body), q = _going(0.01, frames)
    held = hold_feet(q, bearing(body, frames, np.ones(frames, bool)), body, SCENE, FPS, NEVER_CRISP)
    np.testing.assert_allclose(_soles(body, held), _soles(body, q), atol=1e-3)
