"""Motions that the ground can carry: Newton's law in the air, the zero-moment point in the support, feet that stay."""

import numpy as np
import pytest

from sim_core.dynamics.kinematics import pose
from sim_core.posing.body_motion import body_positions
from sim_core.reference.com_plan import Stance, stance_of
from sim_core.reference.contacts import ContactLabels
from sim_core.reference.feasible import feasible
from sim_core.reference.onto_terrain import onto_terrain
from sim_core.reference.reference import build_reference
from sim_core.reference.shift_body import shift_pelvis, standing
from sim_core.scene import Ground, Scene
from sim_core.settings import ReferenceSettings
from tests.clips import Person, crouching, jumping, moved

RATE = 100.0
TILT = np.radians(12.0)
GROUNDS = [Ground(), Ground(normal=np.array([0.0, -np.sin(TILT), np.cos(TILT)]))]
on_every_ground = pytest.mark.parametrize("ground", GROUNDS, ids=["level", "slope"])


def _on_feet(body, steps: int) -> ContactLabels:
    links = np.zeros((steps, len(body)), dtype=bool)
    links[:, np.unique(body.soles.links)] = True
    return ContactLabels(np.ones((steps, 2), dtype=bool), links, np.zeros((steps, 2), dtype=bool))


def _swaying(ground: Ground, amplitude_m: float) -> tuple[np.ndarray, Person]:
    """(S, nq) two seconds on both feet, the pelvis going to and fro along X so fast that one would fall."""
    clip, body = crouching(frames=int(2 * RATE) + 1, fps=RATE, depth=0.1)
    q = body_positions(clip, body)
    if ground is not GROUNDS[0]:
        q = onto_terrain(q, _on_feet(body, len(q)), body, GROUNDS[0], Scene(ground=ground), RATE)
    shift = np.zeros((len(q), 3))
    shift[:, 0] = amplitude_m * np.sin(2.0 * np.pi * 1.5 * np.arange(len(q)) / RATE)
    still = standing(q, body, np.ones((len(q), 2), dtype=bool), RATE)
    return shift_pelvis(still, shift, body, ground), Person(clip, body)


def _made_feasible(q: np.ndarray, body, ground: Ground) -> np.ndarray:
    scene = Scene(ground=ground)
    return feasible(q, body, _on_feet(body, len(q)), scene, RATE, clip_steps=len(q))


def _stance(q: np.ndarray, body, ground: Ground) -> Stance:
    return stance_of(body, q, _on_feet(body, len(q)), Scene(ground=ground), RATE)


def _outside(q: np.ndarray, body, ground: Ground) -> np.ndarray:
    stance = _stance(q, body, ground)
    return stance.outside(np.zeros_like(stance.com))[2:-2]


@on_every_ground
def test_the_zero_moment_point_comes_into_the_support(ground):
    q, (_, body) = _swaying(ground, 0.09)
    assert _outside(q, body, ground).max() > 0.1
    carried = _made_feasible(q, body, ground)
    assert _outside(carried, body, ground).max() < 0.003
    assert np.abs(pose(body, carried).com - pose(body, q).com).max() < 0.09  # and no farther than it takes


@on_every_ground
def test_feet_that_stand_stay(ground):
    q, (_, body) = _swaying(ground, 0.09)
    carried = _made_feasible(q, body, ground)
    before, after = (pose(body, rows).points(body.soles.links, body.soles.local) for rows in (q, carried))
    assert np.linalg.norm(after - before, axis=-1).max() < 1e-3


@on_every_ground
def test_what_the_ground_carries_already_is_left_alone(ground):
    q, (_, body) = _swaying(ground, 0.005)
    assert _outside(q, body, ground).max() == 0.0
    np.testing.assert_allclose(_made_feasible(q, body, ground), q, atol=1e-4)


def test_flight_is_ballistic_and_landing_is_where_the_feet_are():
    clip, body = jumping(120.0)
    path = np.zeros((len(clip), 3))
    path[:, 2] = 0.02 * np.sin(2.0 * np.pi * 2.5 * np.arange(len(clip)) / 120.0)  # no body flies like this
    rate = 500.0
    reference = build_reference(moved(clip, path), body, Scene(), ReferenceSettings(), rate=rate, hold_s=0.4)
    air = np.flatnonzero(~reference.contacts.links.any(axis=1))
    inside = air[25:-25]
    assert len(inside) > 100
    assert np.linalg.norm(reference.needed.force[inside], axis=1).max() < 0.02 * body.mass * 9.81
    soles = pose(body, reference.q).points(body.soles.links, body.soles.local)[reference.contacts.feet.all(axis=1)]
    assert soles[..., 2].min() > -0.02


def test_who_hangs_in_the_air_is_held_by_something_and_left_alone():
    clip, body = crouching(frames=101, fps=RATE, depth=0.1)
    q = body_positions(moved(clip, [0.0, 0.0, 0.5]), body)
    nothing = ContactLabels(*(np.zeros((len(q), columns), dtype=bool) for columns in (2, len(body), 2)))
    carried = feasible(q, body, nothing, Scene(), RATE, clip_steps=len(q))
    np.testing.assert_allclose(carried[:, :3], q[:, :3], atol=1e-6)


@pytest.mark.parametrize("frames", [3, 9, 12])
def test_a_few_rows_are_enough(frames):
    clip, body = crouching(frames=frames, fps=RATE, depth=0.1)
    assert np.isfinite(_made_feasible(body_positions(clip, body), body, Ground())).all()
