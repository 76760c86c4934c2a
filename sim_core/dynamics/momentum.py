"""Forces against momentum: what a motion needs from outside, and what forces at points give."""

from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from ..constants import GRAVITY
from ..errors import MotionFileError
from ..filters import derivative
from ..rotations import cross


class Wrench(NamedTuple):
    force: Floats  # (..., 3) [N]
    torque: Floats  # (..., 3) about the point that the maker of the wrench names [N m]


def required_wrench(
    com: Floats,
    angular_momentum: Floats,
    *,
    mass: float,
    rate: float,
    gravity: float = GRAVITY,
    window_s: float = 0.0,
) -> Wrench:
    """The wrench about the centre of mass (T, 3) that contact must give at every frame of a motion.

    Newton and Euler: force = m (acceleration + g up), torque = d/dt of the angular momentum (T, 3) about the
    centre of mass. Derivatives are those of parabolas fitted over `window_s`, or over three frames where that
    is shorter.
    """
    if len(com) < 3:
        raise MotionFileError(f"The motion has {len(com)} frames, too few to know its forces; give at least 3.")
    force = mass * derivative(com, rate, 2, window_s)
    torque = derivative(angular_momentum, rate, 1, window_s)
    force[..., 2] += mass * gravity
    return Wrench(force, torque)


def net_wrench(points: Floats, forces: Floats, about: Floats) -> Wrench:
    """The sum of forces (..., K, 3) at points (..., K, 3), with its torque about a point (..., 3)."""
    arms = points - about[..., None, :]
    return Wrench(np.sum(forces, axis=-2), np.sum(cross(arms, forces), axis=-2))
