"""The joint velocities that reconcile a wanted momentum with tracking, as one linear system: Yu, section 3.4."""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.spatial import ANGULAR, LINEAR

_SOFT = 1e-9  # of the system's scale: points of one sole repeat each other


class Goal(NamedTuple):
    linear: Floats  # (2,) horizontal momentum [kg m/s]; eq. 3.13 leaves the vertical alone
    angular: Floats  # (3,) about the centre of mass [kg m^2/s]
    velocities: Floats  # (nv,) of tracking


class Weights(NamedTuple):
    linear: float  # beta_l
    angular: float  # beta_h
    tracking: Floats  # (nv,) beta_t W_t^2, above zero


class System(NamedTuple):
    """Eq. 3.37 and 3.38 without their factor of two: A velocities = B."""

    A: Floats  # (nv, nv)
    B: Floats  # (nv,)


def linear_system(dynamics: DynamicsState, goal: Goal, weights: Weights) -> System:
    rows = np.concatenate([dynamics.momentum_matrix[LINEAR][:2], dynamics.momentum_matrix[ANGULAR]])
    weighted = rows.T * np.repeat([weights.linear, weights.angular], [2, 3])
    B = weighted @ np.concatenate([goal.linear, goal.angular]) + weights.tracking * goal.velocities
    return System(weighted @ rows + np.diag(weights.tracking), B)


def best_velocities(system: System, support_J: Floats) -> Floats:
    """(nv,) with the supports (R, nv) at rest.

    Eq. 3.39 stacks A and J_sup, which has more rows than unknowns; the multipliers of J_sup make it square, and its
    solution that of eq. 3.12.
    """
    count, rows = len(system.B), len(support_J)
    whole = np.zeros((count + rows, count + rows))
    whole[:count, :count] = system.A
    whole[count:, :count], whole[:count, count:] = support_J, support_J.T
    whole[range(count, count + rows), range(count, count + rows)] = -_SOFT / np.diag(system.A).mean()
    found: Floats = np.linalg.solve(whole, np.concatenate([system.B, np.zeros(rows)]))[:count]
    return found
