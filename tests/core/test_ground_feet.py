"""Feet that fit the ground, judged by where the soles are afterwards."""

import numpy as np
import pytest

from sim_core.dynamics.kinematics import pose
from sim_core.posing.body_motion import body_positions
from sim_core.reference.ground_feet import fit_feet
from sim_core.scene import Ground
from tests.clips import Person, crouching, moved, turned

RATE = 120.0
GROUND = Ground()


def _soles(body, q) -> np.ndarray:
    """(S, P) heights."""
    return pose(body, q).points(body.soles.links, body.soles.local)[..., 2]


def _someone() -> Person:
    return crouching(frames=121, fps=RATE)


def _fitted(someone: Person, path=(0.0, 0.0, 0.0)) -> tuple[np.ndarray, np.ndarray]:
    q = body_positions(moved(someone.clip, list(path)), someone.body)
    return q, fit_feet(q, someone.body, GROUND, RATE)


def test_feet_that_fit_already_are_left_alone():
    someone = _someone()
    q, fitted = _fitted(someone)
    np.testing.assert_allclose(_soles(someone.body, fitted), 0.0, atol=1e-3)
    np.testing.assert_allclose(pose(someone.body, fitted).origins, pose(someone.body, q).origins, atol=2e-3)


@pytest.mark.parametrize("height", [0.03, 0.015, -0.015, -0.04])
def test_feet_that_hover_or_sink_while_they_stand_come_to_the_ground(height):
    someone = _someone()
    q, fitted = _fitted(someone, (0.0, 0.0, height))
    soles = _soles(someone.body, fitted)
    np.testing.assert_allclose(soles.min(axis=1), 0.0, atol=2e-3)
    assert soles.max() < 0.008  # toes that were deep in the ground stay bent up a little
    legs = slice(someone.body.q_slice["thigh_l"].start, None)
    np.testing.assert_array_equal(fitted[:, : legs.start], q[:, : legs.start])  # only legs were turned


@pytest.mark.parametrize("degrees", [-8.0, 8.0])
def test_a_tilted_sole_is_laid_flat_while_it_stands(degrees):
    someone = _someone()
    clip = turned(someone.clip, "LeftFoot", np.tile([np.radians(degrees), 0.0, 0.0], (len(someone.clip), 1)))
    q = body_positions(clip, someone.body)
    assert np.ptp(_soles(someone.body, q)[0]) > 0.01
    soles = _soles(someone.body, fit_feet(q, someone.body, GROUND, RATE))
    assert np.ptp(soles, axis=1).max() < 2e-3
    assert np.abs(soles).max() < 2e-3


def test_a_foot_high_in_the_air_is_left_alone():
    someone = _someone()
    q, fitted = _fitted(someone, (0.0, 0.0, 0.5))
    np.testing.assert_allclose(fitted, q, atol=1e-6)


def test_nothing_is_left_below_the_ground():
    """A foot that drags two centimetres deep at walking speed comes out of the ground."""
    someone = _someone()
    path = np.linspace(0.0, 1.5, len(someone.clip))[:, None] * [0.0, -1.0, 0.0] + [0.0, 0.0, -0.02]
    q = body_positions(moved(someone.clip, path), someone.body)
    assert _soles(someone.body, fit_feet(q, someone.body, GROUND, RATE)).min() > -2e-3


def test_what_was_given_is_not_touched():
    someone = _someone()
    q = body_positions(someone.clip, someone.body)
    before = q.copy()
    fit_feet(q, someone.body, GROUND, RATE)
    np.testing.assert_array_equal(q, before)
