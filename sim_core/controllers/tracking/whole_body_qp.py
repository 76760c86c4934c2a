"""Accelerations, contact forces and assist that serve weighted objectives best, as one small QP.

McSim (da Silva, Abe, Popovic 2008, thesis eq. 3.4 to 3.11) with variables [qdd, lambda, w] and the torques eliminated:
tau = M qdd + h - G^T lambda - w. Only the six root rows couple qdd to lambda and w, since no motor drives the root. So
qdd is eliminated as well: the best qdd under those rows is affine in [lambda, w], and the program that is left has one
variable a cone edge and six of assist, whatever the number of joints. That knows nothing of the motors' limits. Where
its solution breaks one, the whole program is solved with all limits in it: a motor that is held at its limit by hand
pulls others beyond theirs, and a limb that bears is flung away.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack

from ...arrays import Floats
from ...dynamics.dynamics_state import DynamicsState
from ...engines.engine import ROOT_DOFS
from ...qp import Span, solve_qp, solve_qp_with_rows
from .objectives import ForceObjective, JointObjective, Objective

_EVEN = 1e-6  # of the rows' own cost: spreads forces that the objectives leave open
_FIRM = 1e3  # weight of a joint angle's limit, where not all can be kept
_SLACK = 0.02  # a limit broken by less than this share of it is let pass


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
    motors = _Rows(dynamics.M, generalised.T, dynamics.bias)
    angles = _Rows(
        bounds.angle_rows, np.zeros((len(bounds.angle_rows), len(generalised))), np.zeros(len(bounds.angle_rows))
    )
    costs = _costs(factor, problem, motors)
    answer = None if costs is None else _unlimited(factor, motors, costs)
    if costs is None or answer is None:
        return None
    limited = _Rows(*(np.concatenate(pair) for pair in zip(motors, angles, strict=True)))
    within = Span(
        np.concatenate([bounds.torque_lower, bounds.angles_lower]),
        np.concatenate([bounds.torque_upper, bounds.angles_upper]),
    )
    if _broken(limited.of(answer), within):
        answer = _limited(factor, limited, within, costs) or answer
    torques = np.clip(motors.of(answer), bounds.torque_lower, bounds.torque_upper)
    torques[:ROOT_DOFS] = 0.0
    edges = len(pushes.edges)
    return Solution(answer.qdd, torques, answer.amounts[:edges], answer.amounts[edges:])


class _Answer(NamedTuple):
    qdd: Floats  # (nv,)
    amounts: Floats  # (X,) of all pushes


class _Rows(NamedTuple):
    """Something that is J qdd - pushed x + bias: motors' torques, or accelerations of joint angles."""

    J: Floats  # (R, nv)
    pushed: Floats  # (R, X)
    bias: Floats  # (R,)

    def of(self, answer: _Answer) -> Floats:
        value: Floats = self.J @ answer.qdd - self.pushed @ answer.amounts + self.bias
        return value


class _Factored(NamedTuple):
    lower: Floats  # (nv, nv) Cholesky factor of the objectives' cost of qdd
    best: Floats  # (nv,) qdd that they want most


class _Costs(NamedTuple):
    """Of pushes."""

    of_root: Floats  # (6, 6) of a wrench that the root lacks: what the objectives lose by it
    H: Floats  # (X, X) of the pushes themselves
    f: Floats  # (X,)
    limits: Span


def _factored(problem: Problem) -> _Factored | None:
    rows = np.concatenate([np.sqrt(wish.weight) * wish.J for wish in problem.objectives])
    targets = np.concatenate([np.sqrt(wish.weight) * wish.target for wish in problem.objectives])
    H = rows.T @ rows
    H[np.diag_indices_from(H)] += problem.joints.weights
    wanted = rows.T @ targets + problem.joints.weights * problem.joints.targets
    factor, best, info = lapack.dposv(H, wanted, lower=True, overwrite_a=True)
    return _Factored(factor, best) if info == 0 and np.isfinite(best).all() else None


def _costs(factor: _Factored, problem: Problem, motors: _Rows) -> _Costs | None:
    pushes, edges = problem.pushes, len(problem.pushes.edges)
    root, _ = lapack.dtrtrs(factor.lower, motors.J[:ROOT_DOFS].T, lower=True)
    try:
        of_root = np.linalg.inv(root.T @ root)
    except np.linalg.LinAlgError:  # a state that has broken down
        return None
    own = np.full(edges + len(pushes.assist), _EVEN * np.trace(of_root) / ROOT_DOFS)
    own[edges:] = pushes.assist_cost
    H, f = np.diag(own), np.zeros(len(own))
    for wish in problem.forces:
        H[:edges, :edges] += wish.weight * (wish.rows.T @ wish.rows)
        f[:edges] -= wish.weight * (wish.rows.T @ wish.target)
    limits = Span(
        np.concatenate([np.zeros(edges), -pushes.assist_limit]),
        np.concatenate([pushes.edge_limit, pushes.assist_limit]),
    )
    return _Costs(of_root, H, f, limits)


def _unlimited(factor: _Factored, motors: _Rows, costs: _Costs) -> _Answer | None:
    """The best answer for motors that are as strong as they need to be; only the root has none."""
    J, pushed = motors.J[:ROOT_DOFS], motors.pushed[:ROOT_DOFS]
    response, _ = lapack.dpotrs(factor.lower, J.T, lower=True)  # (nv, 6) how the best qdd gives way to each row
    lacking = J @ factor.best + motors.bias[:ROOT_DOFS]  # beyond what the objectives' own best would need
    amounts: Floats | None = np.zeros(0)
    if pushed.shape[1]:
        weighted = costs.of_root @ pushed
        amounts = solve_qp(pushed.T @ weighted + costs.H, costs.f - weighted.T @ lacking, *costs.limits)
    if amounts is None:
        return None
    return _Answer(factor.best + response @ (costs.of_root @ (pushed @ amounts - lacking)), amounts)


def _broken(found: Floats, within: Span) -> bool:
    """Whether some row, but for the root's, is beyond its limits."""
    slack = _SLACK * np.minimum(np.abs(within.lower), np.abs(within.upper))
    beyond = (found > within.upper + slack) | (found < within.lower - slack)
    return bool(beyond[ROOT_DOFS:].any())


def _limited(factor: _Factored, rows: _Rows, within: Span, costs: _Costs) -> _Answer | None:
    """The best answer with torques within their limits; joint angles give way where torques cannot keep them.

    In variables x, then u = L^T (qdd - best), then by how much each joint angle gives way; the latter two cost their
    own squares.
    """
    count, nv = rows.pushed.shape[1], len(factor.best)
    J, _ = lapack.dtrtrs(factor.lower, rows.J.T, lower=True)  # (nv, R)
    gives_way = np.eye(len(rows.J))[:, nv:] / np.sqrt(_FIRM)
    H = np.eye(count + len(rows.J))
    H[:count, :count] = costs.H
    at_best = rows.J @ factor.best + rows.bias
    solved = solve_qp_with_rows(
        H,
        np.concatenate([costs.f, np.zeros(len(rows.J))]),
        costs.limits,
        np.concatenate([-rows.pushed, J.T, gives_way], axis=1),
        Span(within.lower - at_best, within.upper - at_best),
    )
    if solved is None:
        return None
    more, _ = lapack.dtrtrs(factor.lower, solved[count : count + nv], lower=True, trans=1)
    return _Answer(factor.best + more, solved[:count])
