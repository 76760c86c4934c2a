"""Accelerations, contact forces and assist that serve weighted objectives best, as one small QP.

McSim (da Silva, Abe, Popovic 2008, thesis eq. 3.4 to 3.11) with variables [qdd, lambda, w] and the torques eliminated:
tau = M qdd + h - G^T lambda - w. Only the six root rows couple qdd to lambda and w, since no motor drives the root. So
qdd is eliminated as well: the best qdd under those rows is affine in [lambda, w], and the program that is left has one
variable a cone edge and six of assist, whatever the number of joints. A motor at its limit is like the root: its row of
M qdd + h - G^T lambda - w is a given number. So each limit that a solution breaks becomes one more such row.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack

from ...arrays import Bools, Floats
from ...dynamics.dynamics_state import DynamicsState
from ...engines.engine import ROOT_DOFS
from ...qp import solve_qp
from .objectives import ForceObjective, JointObjective, Objective

_EVEN = 1e-6  # of the rows' own cost: spreads forces that the objectives leave open
_SLACK = 0.02  # a limit broken by less than this share of it is let pass
_ROUNDS = 4  # of adding the limits that a solution breaks
_FASTEST = 3000.0  # [rad/s^2] beyond which an acceleration is no solution


class Pushes(NamedTuple):
    """What acts on the body besides its motors, each with the generalised force of one unit of it."""

    edges: Floats  # (F, nv) of friction cones, which push only
    edge_limit: Floats  # (F,) [N]
    assist: Floats  # (A, nv)
    assist_limit: Floats  # (A,)
    assist_cost: float


class Bounds(NamedTuple):
    """What torques and some accelerations must stay within, as nearly as can be."""

    torque_lower: Floats  # (nv,)
    torque_upper: Floats
    angle_rows: Floats  # (B, nv) accelerations of joint angles that are near their limits
    angles_lower: Floats  # (B,)
    angles_upper: Floats


class Problem(NamedTuple):
    objectives: Sequence[Objective]
    joints: JointObjective
    pushes: Pushes
    forces: Sequence[ForceObjective]
    bounds: Bounds


class Solution(NamedTuple):
    accelerations: Floats  # (nv,)
    torques: Floats  # (nv,) zero for the root
    edge_forces: Floats  # (F,)
    assist: Floats  # (A,)


def solve_whole_body(dynamics: DynamicsState, problem: Problem) -> Solution | None:
    """None where no solver finds a solution."""
    pushes, bounds = problem.pushes, problem.bounds
    factor = _factored(problem)
    if factor is None:
        return None
    generalised = np.concatenate([pushes.edges, pushes.assist])  # (X, nv)
    # Rows of qdd and what they are for amounts x of all pushes: motors' torques, then joint angles near their limits.
    motors = _Rows(dynamics.M, generalised.T, dynamics.bias)
    angles = _Rows(
        bounds.angle_rows, np.zeros((len(bounds.angle_rows), len(generalised))), np.zeros(len(bounds.angle_rows))
    )
    rows = _Rows(*(np.concatenate(pair) for pair in zip(motors, angles, strict=True)))
    lower = np.concatenate([bounds.torque_lower, bounds.angles_lower])
    upper = np.concatenate([bounds.torque_upper, bounds.angles_upper])
    slack = _SLACK * np.minimum(np.abs(lower), np.abs(upper))
    given = np.zeros(len(lower), dtype=bool)
    given[:ROOT_DOFS] = True
    value = np.zeros(len(lower))  # of the given rows; nothing drives the root
    sound = None
    for _ in range(_ROUNDS):
        answer = _with_given(factor, problem, rows, given, value)
        if answer is None or np.abs(answer[0]).max() > _FASTEST:  # limits that contradict each other
            break
        sound = qdd, amounts = answer
        found = rows.J @ qdd - rows.pushed @ amounts + rows.bias
        above, below = found > upper + slack, found < lower - slack
        broken = (above | below) & ~given
        if not broken.any():
            break
        value[broken] = np.where(above, upper, lower)[broken]
        given |= broken
    if sound is None:
        return None
    torques = np.clip(found[: len(qdd)], bounds.torque_lower, bounds.torque_upper)
    torques[:ROOT_DOFS] = 0.0
    edges = len(pushes.edges)
    return Solution(qdd, torques, amounts[:edges], amounts[edges:])


class _Rows(NamedTuple):
    """Something that is J qdd - pushed x + bias."""

    J: Floats  # (R, nv)
    pushed: Floats  # (R, X)
    bias: Floats  # (R,)


class _Factored(NamedTuple):
    lower: Floats  # (nv, nv) Cholesky factor of the objectives' cost of qdd
    best: Floats  # (nv,) qdd that they want most


def _factored(problem: Problem) -> _Factored | None:
    rows = np.concatenate([np.sqrt(wish.weight) * wish.J for wish in problem.objectives])
    targets = np.concatenate([np.sqrt(wish.weight) * wish.target for wish in problem.objectives])
    H = rows.T @ rows
    H[np.diag_indices_from(H)] += problem.joints.weights
    wanted = rows.T @ targets + problem.joints.weights * problem.joints.targets
    factor, best, info = lapack.dposv(H, wanted, lower=True, overwrite_a=True)
    return _Factored(factor, best) if info == 0 and np.isfinite(best).all() else None


def _with_given(
    factor: _Factored, problem: Problem, rows: _Rows, given: Bools, value: Floats
) -> tuple[Floats, Floats] | None:
    """The best qdd (nv,) and amounts (X,) with some rows at given values."""
    J = rows.J[given]
    response, _ = lapack.dpotrs(factor.lower, J.T, lower=True)  # (nv, G) how the best qdd gives way to each row
    try:
        cost_of_rows = np.linalg.inv(J @ response)
    except np.linalg.LinAlgError:  # rows that say the same, or a state that has broken down
        return None
    pushed = rows.pushed[given]  # (G, X)
    lacking = J @ factor.best + rows.bias[given] - value[given]  # beyond what the objectives' own best would need
    pushes = problem.pushes
    edges = len(pushes.edges)
    amounts = np.zeros(0)
    if pushed.shape[1]:
        weighted = cost_of_rows @ pushed
        cost = pushed.T @ weighted
        slope = -(weighted.T @ lacking)
        for wish in problem.forces:
            cost[:edges, :edges] += wish.weight * (wish.rows.T @ wish.rows)
            slope[:edges] -= wish.weight * (wish.rows.T @ wish.target)
        even = np.full(len(slope), _EVEN * np.trace(cost_of_rows[:ROOT_DOFS, :ROOT_DOFS]) / ROOT_DOFS)
        even[edges:] = pushes.assist_cost
        cost[np.diag_indices_from(cost)] += even
        lower = np.concatenate([np.zeros(edges), -pushes.assist_limit])
        upper = np.concatenate([pushes.edge_limit, pushes.assist_limit])
        solved = solve_qp(cost, slope, lower, upper)
        if solved is None:
            return None
        amounts = solved
    qdd = factor.best + response @ (cost_of_rows @ (pushed @ amounts - lacking))
    return qdd, amounts
