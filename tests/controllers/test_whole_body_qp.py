"""The controller's QP where motors are too weak: within every limit, and the best that can be had there."""

import numpy as np
import pytest

from sim_core.controllers.tracking.heft import Heft
from sim_core.controllers.tracking.heft_gains import Gains
from sim_core.controllers.tracking.tracker import Assist
from sim_core.controllers.tracking.whole_body_qp import Problem, Solution, solve_whole_body
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.dynamics_state import DynamicsState
from sim_core.engines.engine import ROOT_DOFS, State, no_contacts
from sim_core.reference.reference import build_reference
from sim_core.scene import Scene
from sim_core.settings import ReferenceSettings
from tests.clips import person

CLIP, BODY = person(frames=60, fps=30.0)
SCENE = Scene()
REFERENCE = build_reference(CLIP, BODY, SCENE, ReferenceSettings(), rate=500.0, hold_s=0.0)


def _weakened(strength: float, seed: int) -> tuple[DynamicsState, Problem]:
    """Someone who stands, has been shoved, and has so much of his strength left."""
    v = REFERENCE.v[0] + 0.5 * np.random.default_rng(seed).normal(size=BODY.nv)
    state = State(REFERENCE.q[0], v)
    dynamics = Dynamics(BODY, SCENE.gravity).evaluate(state.q, state.v)
    preset = Heft(BODY, REFERENCE, SCENE, Gains())
    problem = preset.problem(0, state, dynamics, no_contacts(), Assist(np.zeros((0, BODY.nv)), np.zeros(0)))
    limit = strength * BODY.torque_limit
    none = np.zeros((0, BODY.nv)), np.zeros(0), np.zeros(0)
    return dynamics, problem._replace(
        bounds=problem.bounds._replace(**dict(zip(_BOUNDS, (-limit, limit, *none), strict=True)))
    )


_BOUNDS = ("torque_lower", "torque_upper", "angle_rows", "angles_lower", "angles_upper")


def _cost(problem: Problem, qdd: np.ndarray) -> float:
    wishes = sum(wish.weight * np.sum((wish.J @ qdd - wish.target) ** 2) for wish in problem.objectives)
    return float(wishes + np.sum(problem.joints.weights * (qdd - problem.joints.targets) ** 2))


def _needed(dynamics: DynamicsState, problem: Problem, qdd: np.ndarray, forces: np.ndarray) -> np.ndarray:
    needed: np.ndarray = dynamics.M @ qdd + dynamics.bias - forces @ problem.pushes.edges
    return needed


def _solved(dynamics: DynamicsState, problem: Problem) -> Solution:
    solution = solve_whole_body(dynamics, problem)
    assert solution is not None
    return solution


@pytest.mark.parametrize("strength", [0.05, 0.2, 0.5])
@pytest.mark.parametrize("seed", range(3))
def test_torques_within_their_limits_are_those_of_its_accelerations(strength, seed):
    dynamics, problem = _weakened(strength, seed)
    solution = _solved(dynamics, problem)
    needed = _needed(dynamics, problem, solution.accelerations, solution.edge_forces)
    np.testing.assert_allclose(needed[:ROOT_DOFS], 0.0, atol=1e-4)
    np.testing.assert_allclose(needed, solution.torques, atol=1e-3 * BODY.torque_limit.max())
    assert np.all(np.abs(solution.torques) <= strength * BODY.torque_limit + 1e-9)
    assert solution.edge_forces.min() >= -1e-6


@pytest.mark.parametrize("seed", range(3))
def test_nothing_else_within_the_limits_serves_the_objectives_better(seed):
    """On the way to any other allowed solution the cost does not fall, as a convex program's optimum promises."""
    dynamics, problem = _weakened(0.2, seed)
    solution = _solved(dynamics, problem)
    best = _cost(problem, solution.accelerations)
    for other_seed in range(20, 30):
        rng = np.random.default_rng(other_seed)
        targets = problem.joints.targets + 100.0 * rng.normal(size=BODY.nv)
        other = _solved(dynamics, problem._replace(joints=problem.joints._replace(targets=targets)))
        for share in (0.01, 0.1, 1.0):
            between = solution.accelerations + share * (other.accelerations - solution.accelerations)
            assert _cost(problem, between) >= best - 1e-3 * abs(best)


def test_weak_motors_do_not_fling_limbs_about():
    accelerations = [np.abs(_solved(*_weakened(strength, 0)).accelerations).max() for strength in (10.0, 0.2)]
    assert accelerations[1] < 5.0 * accelerations[0]


def test_a_joint_limit_gives_way_where_torques_cannot_keep_it():
    dynamics, problem = _weakened(0.05, 0)
    row = np.zeros((1, BODY.nv))
    row[0, BODY.v_slice["thigh_l"].start] = 1.0
    beyond = np.array([1e5])  # [rad/s^2] no leg can
    bounds = problem.bounds._replace(angle_rows=row, angles_lower=beyond, angles_upper=2.0 * beyond)
    solution = _solved(dynamics, problem._replace(bounds=bounds))
    assert np.all(np.abs(solution.torques) <= 0.05 * BODY.torque_limit + 1e-9)
    assert (row @ solution.accelerations)[0] > 2.0 * (row @ _solved(dynamics, problem).accelerations)[0]  # it tries
