"""Segments that are to stay level, as objectives: only their tilt, and never their heading."""

import numpy as np

from ...arrays import Floats
from ...dynamics.dynamics_state import DynamicsState
from ...reference.keep_level import Level
from ...rotations import cross
from .objectives import Objective, spring

_UP = np.array([0.0, 0.0, 1.0])
_LEAST = 1e-3  # of a share


def stay_level(level: Level, step: int, dynamics: DynamicsState, stiffness: float, weight: float) -> list[Objective]:
    """Two rows: the turns about the level axes that bring back up what is to be there."""
    share = float(level.share[step])
    if share < _LEAST:
        return []
    task = dynamics.rotation_jacobian(np.array([level.link]))
    lean: Floats = cross(dynamics.R_world_link[level.link] @ level.up, _UP)  # sine of the tilt, about its axis
    wanted = spring(lean[:2], -task.velocity[0, :2], stiffness)
    return [Objective(task.J[0, :2], wanted - task.drift[0, :2], share * weight)]
