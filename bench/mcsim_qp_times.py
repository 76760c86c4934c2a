"""How long McSim's QP takes at the sizes of the paper's Table 4: as published, and as Heft solves it.

The paper's sizes are those of 18 and 57 dofs with up to 11 contacts of four cone edges: its variables are
accelerations, torques (the root's six held at zero) and edges. Ours are such programs of a standing figure of 20 links,
some joints locked until it has as many dofs.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import daqp
import numpy as np

from sim_core.arrays import Floats, Ints
from sim_core.body.body import Body
from sim_core.controllers.tracking.objectives import JointObjective, Objective
from sim_core.controllers.tracking.whole_body_qp import Bounds, Problem, Pushes, solve_whole_body
from sim_core.dynamics.contact_fit import cone_edges
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.dynamics_state import DynamicsState
from sim_core.engines.engine import ROOT_DOFS
from sim_core.rig.segments import kind
from tests.makers import figure_body

_EDGES = 4  # of a friction cone
_FREED = tuple(
    ["pelvis", "thigh", "shin", "foot", "toes", "abdomen", "chest", "head", "clavicle", "upper_arm", "forearm", "hand"]
)
_NO_SLIP = 1e5  # as in the preset: the paper's equality, met as nearly as can be
_LEAST = 1e-6  # on torques and forces, which the paper's objective leaves open
_DRAWS, _REPEATS = 30, 5
_UNBOUNDED = 1e30
_EQUALITY = 5  # daqp's sense of a row

# Variables, and milliseconds with SQOPT on a Pentium 4 of 2.8 GHz.
_PUBLISHED = {36: 1.3, 44: 1.5, 52: 2.3, 68: 3.0, 150: 7.0, 154: 7.5, 158: 9.7}
_DOFS = (18, 57)  # of the planar and of the spatial model, section 7.5


class QpTime(NamedTuple):
    variables: int
    published_ms: float
    as_published_ms: float  # the same program, all its variables in one dense QP
    reduced_variables: int  # what is left of it after accelerations and torques are eliminated
    reduced_ms: float  # by Heft's own solver, the elimination included


def measure_qp_times() -> list[QpTime]:
    return [_measured(variables, published_ms) for variables, published_ms in _PUBLISHED.items()]


def _measured(variables: int, published_ms: float) -> QpTime:
    dofs = max(count for count in _DOFS if 2 * count <= variables)
    contacts = (variables - 2 * dofs) // _EDGES
    random = np.random.default_rng(0)
    state, problem = _standing(figure_body(hinges=False), dofs, contacts)
    as_published, reduced = [], []
    for _ in range(_DRAWS):
        asked = problem._replace(joints=JointObjective(np.ones(dofs), random.normal(0.0, 3.0, dofs)))
        as_published.append(_best_ms(partial(_solve_as_published, state, asked)))
        reduced.append(_best_ms(partial(solve_whole_body, state, asked)))
    return QpTime(variables, published_ms, float(np.median(as_published)), _EDGES * contacts, float(np.median(reduced)))


def _best_ms(solve: Callable[[], object]) -> float:
    """The best of a few, which is what the work costs when nothing else runs."""
    times = []
    for _ in range(_REPEATS):
        began = time.perf_counter()
        if solve() is None:
            raise ArithmeticError("A QP of the measurement has no solution; choose other targets.")
        times.append(time.perf_counter() - began)
    return 1000.0 * min(times)


def _standing(body: Body, dofs: int, contacts: int) -> tuple[DynamicsState, Problem]:
    """A moment of rest with a number of sole points on the ground, of a body with some joints locked."""
    state = Dynamics(body).evaluate(body.zero_q, np.zeros(body.nv))
    free = _free_dofs(body, dofs)
    limit = body.torque_limit[free]
    links = body.soles.links[:contacts]
    J = np.zeros((0, 3, dofs))
    if contacts:
        J = state.point_jacobian(links, state.points(links, body.soles.local[:contacts])).J[:, :, free]
    edges = (cone_edges(np.array([0.0, 0.0, 1.0]), 1.0, _EDGES) @ J).reshape(-1, dofs)
    none = np.zeros((0, dofs))
    problem = Problem(
        [Objective(J.reshape(-1, dofs), np.zeros(3 * contacts), _NO_SLIP)],
        JointObjective(np.ones(dofs), np.zeros(dofs)),
        Pushes(edges, np.full(len(edges), np.inf), none, np.zeros(0), 1.0),
        [],
        Bounds(-limit, limit, none, np.zeros(0), np.zeros(0)),
    )
    # Locked joints do not accelerate, so their rows and columns of M fall away.
    return replace(state, M=state.M[np.ix_(free, free)], bias=state.bias[free]), problem


def _free_dofs(body: Body, count: int) -> Ints:
    """The first so many of the root, the legs, the trunk and the arms."""
    names = sorted(body.names, key=lambda name: _FREED.index(kind(name)))
    order = np.concatenate([np.arange(body.nv)[body.v_slice[name]] for name in names])
    return np.sort(order[:count])


def _solve_as_published(state: DynamicsState, problem: Problem) -> Floats | None:
    """Eq. 7a to 7e over accelerations, torques and cone edges at once."""
    dofs, edges = len(state.bias), len(problem.pushes.edges)
    count = 2 * dofs + edges
    H, f = _LEAST * np.eye(count), np.zeros(count)
    slip = problem.objectives[0]
    H[:dofs, :dofs] = np.eye(dofs) + slip.weight * slip.J.T @ slip.J
    f[:dofs] = -problem.joints.targets
    motion = np.hstack([state.M, -np.eye(dofs), -problem.pushes.edges.T])  # M qdd - u - V lambda = -bias
    limit = problem.bounds.torque_upper
    upper = np.concatenate([np.full(dofs, _UNBOUNDED), limit, np.full(edges, _UNBOUNDED), -state.bias])
    lower = np.concatenate([np.full(dofs, -_UNBOUNDED), -limit, np.zeros(edges), -state.bias])
    sense = np.zeros(count + dofs, np.int32)
    sense[dofs : dofs + ROOT_DOFS] = _EQUALITY  # nothing drives the root
    sense[count:] = _EQUALITY
    x, _, status, _ = daqp.solve(H, f, motion, upper, lower, sense)
    return np.asarray(x) if status > 0 else None
