"""Contact forces by statics, by the conditions of an optimum, and against another solver."""

import numpy as np
import pytest

from sim_core.dynamics.contact_fit import cone_edges, fit_contacts
from sim_core.scene import Ground, Scene

WEIGHT = 700.0
UP = np.array([0.0, 0.0, WEIGHT])
EXACT = 1e-5 * WEIGHT  # but for the little that spreads the load
NOTHING = np.zeros(3)
COM = np.array([0.0, 0.0, 0.9])
SLOPE = Scene(ground=Ground(normal=np.array([0.3, 0.1, 1.0])))


def _fit(force, torque, points, *, touching=None, scene=None):
    points = np.asarray(points, dtype=float)
    touching = np.ones(len(points), dtype=bool) if touching is None else np.asarray(touching)
    return fit_contacts(np.asarray(force), np.asarray(torque), COM, points, touching, WEIGHT, scene or Scene())


def test_two_feet_share_the_weight_by_the_lever_rule():
    fit = _fit(UP, NOTHING, [[-0.1, 0.0, 0.0], [0.3, 0.0, 0.0]])
    np.testing.assert_allclose(fit.forces[:, 2], [0.75 * WEIGHT, 0.25 * WEIGHT], rtol=1e-3)
    np.testing.assert_allclose(fit.forces.sum(axis=0), UP, atol=EXACT)
    np.testing.assert_allclose(fit.force_left, 0.0, atol=EXACT)
    np.testing.assert_allclose(fit.torque_left, 0.0, atol=EXACT)


def test_without_contact_everything_is_left():
    fit = _fit(UP, [1.0, 2.0, 3.0], [[0.0, 0.0, 0.0]], touching=[False])
    np.testing.assert_array_equal(fit.forces, 0.0)
    np.testing.assert_array_equal(fit.force_left, UP)
    np.testing.assert_array_equal(fit.torque_left, [1.0, 2.0, 3.0])


def test_only_points_that_touch_bear_load():
    fit = _fit(UP, NOTHING, [[-0.1, 0, 0], [0.1, 0, 0], [0, 0.1, 0]], touching=[True, True, False])
    np.testing.assert_array_equal(fit.forces[2], 0.0)


def test_the_ground_cannot_pull():
    fit = _fit(-UP, NOTHING, [[0.1, 0, 0], [-0.1, 0.1, 0], [-0.1, -0.1, 0]])
    np.testing.assert_allclose(fit.forces, 0.0, atol=EXACT)
    np.testing.assert_allclose(fit.force_left, -UP, atol=EXACT)


@pytest.mark.parametrize(("pull", "left"), [(0.5, 0.0), (0.79, 0.0), (1.2, 0.4)])
def test_friction_gives_no_more_than_its_cone(pull, left):
    """At the centre of mass itself there is no torque, so that what is left is plain geometry.

    A pull of 1.2 weights with one weight of load is 0.4 weights beyond a cone of 0.8; the nearest point of the cone is
    along the perpendicular onto its edge, shorter by the cosine of the cone's angle.
    """
    edge = cone_edges(np.array([0.0, 0.0, 1.0]), 0.8)[0]
    along = np.array([edge[0], edge[1], 0.0]) / 0.8
    fit = _fit(UP + pull * WEIGHT * along, NOTHING, [COM])
    assert np.linalg.norm(fit.force_left) == pytest.approx(left * WEIGHT / np.hypot(1.0, 0.8), abs=EXACT)
    np.testing.assert_allclose(fit.torque_left, 0.0, atol=EXACT)


def test_beside_the_feet_the_rest_is_a_torque():
    """Leaning 0.2 m beyond the only foot, nothing but a torque of about the weight's lever is missing."""
    fit = _fit(UP, NOTHING, [[-0.2, 0.0, 0.0]])
    missing = np.hypot(np.linalg.norm(fit.force_left), np.linalg.norm(fit.torque_left))
    assert 0.05 * WEIGHT < missing < 0.2 * WEIGHT


@pytest.mark.parametrize("scene", [Scene(), SLOPE], ids=["floor", "slope"])
@pytest.mark.parametrize("seed", [*range(12), 110, 271, 393, 398])  # scipy's nnls stops too early on the last ones
def test_the_fit_is_the_best_there_is(seed, scene):
    rng = np.random.default_rng(seed)
    points = rng.uniform([-0.3, -0.3, 0.0], [0.3, 0.3, 0.05], (rng.integers(1, 7), 3))
    force, torque = UP + rng.normal(0.0, 0.5 * WEIGHT, 3), rng.normal(0.0, 0.2 * WEIGHT, 3)
    fit = _fit(force, torque, points, scene=scene)
    left = np.concatenate([fit.force_left, fit.torque_left]) / WEIGHT

    edges = cone_edges(scene.ground.normal, scene.friction)
    levers = np.repeat(points - COM, len(edges), axis=0)
    columns = np.concatenate([np.tile(edges, (len(points), 1)), np.cross(levers, np.tile(edges, (len(points), 1)))], 1)
    # Optimal: no edge of any cone could still help, and what is left is square to what was found (Kuhn and Tucker).
    assert (columns @ left).max() < 1e-5
    given = np.concatenate([force, torque]) / WEIGHT - left
    assert given @ left == pytest.approx(0.0, abs=1e-5)
    assert np.linalg.norm(left) <= _best_of_many_steps(columns, given + left) + 1e-5


def _best_of_many_steps(columns: np.ndarray, wanted: np.ndarray) -> float:
    """What is left after many projected gradient steps (Nesterov 1983): slow, but it cannot be fooled."""
    found = ahead = np.zeros(len(columns))
    length = 1.0 / np.linalg.norm(columns @ columns.T, 2)
    for step in range(3000):
        better = np.maximum(0.0, ahead - length * columns @ (columns.T @ ahead - wanted))
        ahead = better + step / (step + 3.0) * (better - found)
        found = better
    return float(np.linalg.norm(columns.T @ found - wanted))


@pytest.mark.parametrize("scene", [Scene(), SLOPE, Scene(friction=0.3)], ids=["floor", "slope", "ice"])
@pytest.mark.parametrize("seed", range(5))
def test_forces_stay_inside_the_friction_cone_and_add_up(seed, scene):
    rng = np.random.default_rng(seed)
    points = rng.uniform([-0.3, -0.3, 0.0], [0.3, 0.3, 0.05], (6, 3))
    force, torque = UP + rng.normal(0.0, 0.5 * WEIGHT, 3), rng.normal(0.0, 0.2 * WEIGHT, 3)
    fit = _fit(force, torque, points, scene=scene)
    normal = fit.forces @ scene.ground.normal
    along = np.linalg.norm(fit.forces - normal[:, None] * scene.ground.normal, axis=1)
    assert np.all(normal >= -1e-9)
    assert np.all(along <= scene.friction * normal + 1e-6)
    np.testing.assert_allclose(fit.forces.sum(axis=0) + fit.force_left, force, atol=1e-9)
    np.testing.assert_allclose(np.cross(points - COM, fit.forces).sum(axis=0) + fit.torque_left, torque, atol=1e-9)


@pytest.mark.parametrize("normal", [[0, 0, 1.0], [1.0, 0, 0], [0.6, 0.0, 0.8]])
def test_the_edges_of_the_cone_lie_on_it(normal):
    edges = cone_edges(np.array(normal), 0.7)
    np.testing.assert_allclose(edges @ normal, 1.0)
    np.testing.assert_allclose(np.linalg.norm(edges - normal, axis=1), 0.7)
    np.testing.assert_allclose(edges.mean(axis=0), normal, atol=1e-12)
