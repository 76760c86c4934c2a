"""How contacts are to move: with what they are on, and off it where they leave in the reference."""

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.kinematics import motion
from ...reference.reference import Reference
from ...world.surface import Surface
from .bearing_soles import NEAR_M
from .contact_choice import Touching
from .roll_clock import RollMoment

_LEAVES_M_S = 0.05  # slower a point does not leave
_COMES_DOWN = 10.0  # [1/s] rate at which a point that does not touch yet comes down


def contact_velocities(
    body: Body,
    reference: Reference,
    moment: RollMoment,
    found: Touching,
    dynamics: DynamicsState,
    surface: Surface,
    up: Floats,
) -> Floats:
    """(K, 3) Zero velocities of all contacts (Brown 2012, eq. 3.7) would hold heels on the ground over which the body
    rolls on to its toes, and hands from which its weight has gone."""
    carried = surface.velocities(found.points)
    if not found.number:
        return carried
    arms = found.points - dynamics.origins[found.links]
    local = (arms[:, None] @ dynamics.R_world_link[found.links])[:, 0]
    row = motion(body, reference.q[moment.row], reference.v[moment.row])
    there = row.point_velocities(found.links, row.pose.points(found.links, local))
    rising = (moment.pace * there - carried) @ up
    above = surface.distance(found.points)
    falling = -_COMES_DOWN * np.where(above < NEAR_M, np.maximum(above, 0.0), 0.0)  # of walls and the like, nothing
    velocities: Floats = carried + np.where(rising > _LEAVES_M_S, rising, falling)[:, None] * up
    return velocities
