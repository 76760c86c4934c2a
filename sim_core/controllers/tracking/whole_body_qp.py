"""Accelerations, contact forces and assist that serve weighted objectives best, as one small QP.

McSim (da Silva, Abe, Popovic 2008, thesis eq. 3.4 to 3.11) with variables [qdd, lambda, w] and the torques eliminated:
tau = M qdd + h - G^T lambda - w. Only the six root rows couple qdd to lambda and w, since no motor drives the root. So
qdd is eliminated as well: the best qdd under those rows is affine in [lambda, w], and the program that is left has one
variable a cone edge and six of assist, whatever the number of joints. That knows nothing of the motors' limits. Where
its solution breaks one, the whole program is solved with all limits in it: a motor that is held at its limit by hand
pulls others beyond theirs, and a limb that bears is flung away.

Where the joints may aim at any blend of two poses (Brown 2012, eq. 3.17 to 3.24), the blend is one more variable: the
best qdd is affine in it, too.
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
_LEAST_BLEND = 1e-9  # that a blend costs by itself: it is told even where nothing depends on it
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
    blend: float = 0.0  # from the one pose, 0, to the other, 1


def solve_whole_body(dynamics: DynamicsState, problem: Problem) -> Solution | None:
    """None where no solver finds a solution."""
    pushes, bounds = problem.pushes, problem.bounds
    factor = _factored(problem)
    if factor is None:
        return None
    generalised = np.concatenate([pushes.edges, pushes.assist])  # (X, nv)
    motors = _rows(dynamics.M, generalised.T, dynamics.bias, factor)
    none = np.zeros(len(bounds.angle_rows))
    angles = _rows(bounds.angle_rows, np.zeros((len(none), len(generalised))), none, factor)
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
    edges, count = len(pushes.edges), len(generalised)
    blend = float(answer.amounts[count]) if factor.blended is not None else 0.0
    qdd = answer.qdd if factor.blended is None else answer.qdd + blend * factor.blended
    return Solution(qdd, torques, answer.amounts[:edges], answer.amounts[edges:count], blend)


class _Answer(NamedTuple):
    qdd: Floats  # (nv,) without what the blend adds
    amounts: Floats  # (X,) of all pushes, then the blend where there is one


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
    blended: Floats | None  # (nv,) and what a whole blend adds to it


def _rows(J: Floats, pushed: Floats, bias: Floats, factor: _Factored) -> _Rows:
    """A blend acts on rows through the accelerations that it adds."""
    return _Rows(J, pushed if factor.blended is None else np.column_stack([pushed, -J @ factor.blended]), bias)


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
    if info != 0 or not np.isfinite(best).all():
        return None
    if problem.joints.blend is None:
        return _Factored(factor, best, None)
    blended, _ = lapack.dpotrs(factor, problem.joints.weights * problem.joints.blend, lower=True)
    return _Factored(factor, best, blended)


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
    return _with_blend(_Costs(of_root, H, f, limits), factor, problem.joints)


def _with_blend(costs: _Costs, factor: _Factored, joints: JointObjective) -> _Costs:
    """What the objectives lose by a blend, where nothing holds them back: the part of it that they disagree on."""
    if factor.blended is None or joints.blend is None:
        return costs
    weighted = joints.weights * joints.blend
    H = np.zeros((len(costs.f) + 1,) * 2)
    H[:-1, :-1] = costs.H
    H[-1, -1] = max(float(weighted @ (joints.blend - factor.blended)), 0.0) + _LEAST_BLEND
    f = float(weighted @ (joints.targets - factor.best))
    return _Costs(
        costs.of_root,
        H,
        np.append(costs.f, f),
        Span(np.append(costs.limits.lower, 0.0), np.append(costs.limits.upper, 1.0)),
    )


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
