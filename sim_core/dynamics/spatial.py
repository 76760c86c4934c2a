"""Rigid motions as 4x4 matrices, and the constant linear maps between them, twists, wrenches and inertias.

Twists are [linear, angular] and wrenches [force, torque], both in the world's axes at one common origin. A
twist's matrix ("hat") gives the velocity of any point: hat(twist) @ [x, 1]. The mass of a link is its
pseudo-inertia P, the 4x4 integral of [x, 1] [x, 1]^T dm (Wensing, Kim, Slotine 2018, "Linear matrix
inequalities for physically-consistent inertial parameter identification"), which moves to another frame as
T P T^T. The reward is that all else is linear with constant coefficients: one matrix product for all links
and frames.
"""

import numpy as np

from .. import rotations
from ..arrays import Floats, frozen

LINEAR = slice(0, 3)
ANGULAR = slice(3, 6)


def _hat_map() -> Floats:
    basis = np.zeros((6, 4, 4))
    basis[LINEAR, :3, 3] = np.eye(3)
    basis[ANGULAR, :3, :3] = rotations.skew(np.eye(3))
    return basis.reshape(6, 16)


def _inertia_map() -> Floats:
    basis = HAT.reshape(6, 4, 4)
    # The momentum of twist b has the power tr(hat(a)^T hat(b) P) on twist a.
    inertia: Floats = np.einsum("aij,bik->jkab", basis, basis).reshape(16, 36)
    return inertia


def _axis_screw_map() -> Floats:
    rows = np.zeros((4, 3, 6))
    rows[:3, :, LINEAR] = -rotations.skew(np.eye(3))
    rows[3, :, ANGULAR] = np.eye(3)
    return rows.reshape(4, 18)


def _point_velocity_map() -> Floats:
    rows = np.zeros((4, 3, 6))
    rows[3, :, LINEAR] = np.eye(3)
    rows[:3, :, ANGULAR] = -rotations.skew(np.eye(3))
    return rows.reshape(4, 18)


def _wrench_shift_map() -> Floats:
    rows = np.zeros((4, 6, 6))
    rows[:3, LINEAR, ANGULAR] = rotations.skew(np.eye(3))
    rows[3] = np.eye(6)
    return rows.reshape(4, 36)


# (6, 16) twist -> its matrix, flat. Its transpose takes the integral of y [x, 1]^T dm to the wrench of the
# field y: the momentum for velocities, the force and torque for accelerations.
HAT = frozen(_hat_map())
# (16, 36) pseudo-inertia, flat -> 6x6 spatial inertia, flat.
INERTIA = frozen(_inertia_map())
# (4, 18) point [x, 1] -> (3, 6) whose row k is the twist of a unit turn about axis k through the point.
AXIS_SCREWS = frozen(_axis_screw_map())
# (4, 18) point [x, 1] -> (3, 6) that takes a twist to the velocity of the point.
POINT_VELOCITY = frozen(_point_velocity_map())
# (4, 36) point [x, 1] -> (6, 6) with wrench @ it = the same wrench with its torque about the point.
WRENCH_SHIFT = frozen(_wrench_shift_map())


def homogeneous(points: Floats) -> Floats:
    """(..., 3) -> (..., 4) with a one at the end."""
    result = np.ones((*points.shape[:-1], 4))
    result[..., :3] = points
    return result


def pseudo_inertia(mass: float, com: Floats, inertia: Floats) -> Floats:
    """(4, 4) from the mass, the centre of mass, and the inertia about it."""
    result = np.empty((4, 4))
    # The second moments are half the trace of the inertia less the inertia (the same paper).
    result[:3, :3] = 0.5 * np.trace(inertia) * np.eye(3) - inertia + mass * np.outer(com, com)
    result[:3, 3] = result[3, :3] = mass * com
    result[3, 3] = mass
    return result
