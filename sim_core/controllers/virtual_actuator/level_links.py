"""Links that are kept level, as a hand that holds a cup, by torques of their own joint alone (the paper, section 6).

Only the tilt is driven, in the world: about the vertical the link goes as it likes.
"""

from collections.abc import Sequence

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...reference.keep_level import Level
from ...rotations import cross

_UP = np.array([0.0, 0.0, 1.0])
_DAMPING_S = 0.05  # of the stiffness


def levelling(levels: Sequence[Level], step: int, body: Body, dynamics: DynamicsState, stiffness: float) -> Floats:
    """(nv,) with so much torque for a tilt of one radian."""
    torques = np.zeros(body.nv)
    for level in levels:
        R = dynamics.R_world_link[level.link]
        spin = dynamics.rotation_jacobian(np.array([level.link])).velocity[0]
        wanted = cross(R @ level.up, _UP) - _DAMPING_S * spin
        wanted[2] = 0.0
        dofs = body.v_slice[body.names[level.link]]
        torques[dofs] += level.share[step] * stiffness * (R.T @ wanted)[: dofs.stop - dofs.start]
    return torques
