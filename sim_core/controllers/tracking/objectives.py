"""What the next moment should do, as rows of a least squares over accelerations: each objective a few rows."""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats
from ...dynamics.dynamics_state import DynamicsState, TaskJacobian
from ...dynamics.spatial import ANGULAR


class Objective(NamedTuple):
    """weight |J qdd - target|^2"""

    J: Floats  # (R, nv)
    target: Floats  # (R,)
    weight: float


class JointObjective(NamedTuple):
    """sum of weights (qdd - targets)^2, one of each a dof; weights above zero keep the whole problem well posed."""

    weights: Floats  # (nv,)
    targets: Floats  # (nv,)
    blend: Floats | None = None  # (nv,) what is added to the targets, by a share from 0 to 1 that the QP chooses


class ForceObjective(NamedTuple):
    """weight |rows lambda - target|^2 over the amounts lambda of the friction cones' edges."""

    rows: Floats  # (R, F)
    target: Floats  # (R,)
    weight: float


def spring(error: Floats, velocity_error: Floats, stiffness: float) -> Floats:
    """The acceleration that brings an error to zero without overshoot: critically damped."""
    acceleration: Floats = stiffness * error + 2.0 * np.sqrt(stiffness) * velocity_error
    return acceleration


def accelerate(task: TaskJacobian, acceleration: Floats, weight: float) -> Objective:
    """Points, links or the centre of mass accelerate as given (K, 3)."""
    J = task.J.reshape(-1, task.J.shape[-1])
    return Objective(J, (acceleration - task.drift).reshape(-1), weight)


def accelerate_along(task: TaskJacobian, direction: Floats, acceleration: Floats, weight: float) -> Objective:
    """Points accelerate as given (K,) along one direction, and as they like across it."""
    return Objective(direction @ task.J, acceleration - task.drift @ direction, weight)


def turn_root(body_nv: int, acceleration: Floats, weight: float) -> Objective:
    """The pelvis turns with an angular acceleration given in its own frame."""
    J = np.zeros((3, body_nv))
    J[:, 3:6] = np.eye(3)
    return Objective(J, acceleration, weight)


def change_angular_momentum(dynamics: DynamicsState, rate: Floats, weight: float) -> Objective:
    """About the centre of mass."""
    return Objective(dynamics.momentum_matrix[ANGULAR], rate - dynamics.momentum_drift[ANGULAR], weight)


def press_at(points: Floats, edges: Floats, place: Floats, normal: Floats, weight: float) -> ForceObjective:
    """The centre of pressure of contacts at `points` (K, 3), each with all `edges` (E, 3), comes to lie at a place.

    It lies there when the pressures have no moment about it: sum of (p_k - place) n . f_k = 0 along the ground.
    """
    pressure = edges @ normal  # (E,)
    away = points - place
    along = away - (away @ normal)[:, None] * normal
    rows = (along[:, None, :] * pressure[None, :, None]).reshape(-1, 3).T
    return ForceObjective(rows, np.zeros(3), weight)


def implicit_spring(error: Floats, velocity_error: Floats, stiffness: float, damping: float, seconds: float) -> Floats:
    """The acceleration of a spring and a damper as they will be so many seconds later (Brown 2012, eq. 3.28 to 3.33).

    Stiff ones stay calm: what they ask for now is what is left for them to do then.
    """
    later = error + seconds * velocity_error
    acceleration: Floats = (stiffness * later + damping * velocity_error) / (
        1.0 + seconds * damping + seconds**2 * stiffness
    )
    return acceleration
