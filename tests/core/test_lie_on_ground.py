"""What lies in the ground comes out of it by the whole pose, and what bears keeps its place."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.dynamics.kinematics import pose
from sim_core.dynamics.state_space import difference, integrate
from sim_core.posing.body_motion import body_positions
from sim_core.posing.surface import surface_points, touch
from sim_core.reference.lie_on_ground import _Here, _point_jacobians, lie_on_ground
from sim_core.scene import Ground
from tests.clips import person

CLIP, BODY = person(frames=120, fps=30.0)
RATE = 100.0
SURFACE = surface_points(BODY)


def _lowest(q: np.ndarray) -> np.ndarray:
    """(T, N) of every link over the ground."""
    distances = touch(BODY, pose(BODY, q), Ground()).distances
    return np.stack([distances[:, SURFACE.links == link].min(axis=1) for link in range(len(BODY))], axis=1)


def _lying() -> np.ndarray:
    """On the front with bent elbows and knees, the pelvis just on the ground, so that much else is in it."""
    q = body_positions(CLIP, BODY)
    q[:] = q[0]
    q[:, 3:7] = rotations.multiply(rotations.about_axis(0, np.array(-0.5 * np.pi)), q[:, 3:7])
    for name in ("thigh_l", "thigh_r"):
        part = BODY.q_slice[name]
        q[:, part] = rotations.multiply(q[:, part], rotations.about_axis(0, np.array(0.3)))
    q[:, 2] -= _lowest(q)[:, 0]
    return q


def test_who_stands_is_left_exactly_alone():
    q = body_positions(CLIP, BODY)
    bears = np.zeros((len(q), len(BODY)), dtype=bool)
    bears[:, BODY.soles.links] = True
    np.testing.assert_array_equal(lie_on_ground(q, BODY, Ground(), RATE, bears), q)


def test_every_link_comes_out_of_the_ground():
    q = _lying()
    bears = _lowest(q) < 0.0
    assert _lowest(q).min() < -0.05
    raised = lie_on_ground(q, BODY, Ground(), RATE, bears)
    assert _lowest(raised).min() > -0.004
    assert _lowest(raised).min(axis=1).max() < 0.005  # and not above it


def test_a_limb_comes_out_without_the_rest_of_the_body_far_away():
    q = _lying()
    raised = lie_on_ground(q, BODY, Ground(), RATE, _lowest(q) < 0.0)
    assert np.abs(difference(BODY, raised, q)).max() < 0.5
    assert np.linalg.norm(raised[:, :2] - q[:, :2], axis=1).max() < 0.05


def test_the_change_comes_and_goes_softly():
    q = _lying()
    above = q.copy()
    above[:, 2] += 0.3 * np.linspace(-1.0, 1.0, len(q)) ** 2  # down, and up again
    raised = lie_on_ground(above, BODY, Ground(), RATE, _lowest(above) < 0.0)
    accelerations = np.diff(difference(BODY, raised, above), n=2, axis=0) * RATE**2
    assert np.abs(accelerations).max() < 60.0
    np.testing.assert_allclose(raised[[0, -1]], above[[0, -1]], atol=1e-3)


def test_jacobians_are_those_of_small_changes():
    q = _lying()[0]
    now = pose(BODY, q)
    points = now.points(SURFACE.links, SURFACE.local)
    J = _point_jacobians(BODY, _Here(now.R_world_link, now.origins, points, SURFACE.links))
    step = 1e-6 * np.random.default_rng(0).normal(size=BODY.nv)
    moved = pose(BODY, integrate(BODY, q, step)).points(SURFACE.links, SURFACE.local)
    np.testing.assert_allclose(moved - points, J @ step, atol=1e-10)


@pytest.mark.parametrize("frames", [1, 5])
def test_clips_of_a_few_steps_pass(frames):
    q = _lying()[:frames]
    assert lie_on_ground(q, BODY, Ground(), RATE, _lowest(q) < 0.0).shape == q.shape
