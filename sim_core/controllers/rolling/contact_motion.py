"""How contacts are to move: with what they are on, and off it where they leave in the reference."""

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.kinematics import motion
from ...reference.reference import Reference
from ...world.surface import Surface
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
    rising = moment.pace * row.point_velocities(found.links, row.pose.points(found.links, local)) @ up
    above = np.maximum(surface.distance(found.points), 0.0)
    velocities: Floats = carried + np.where(rising > _LEAVES_M_S, rising, -_COMES_DOWN * above)[:, None] * up
    return velocities
