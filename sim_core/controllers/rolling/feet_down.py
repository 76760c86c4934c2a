"""Feet that are to bear, and do not touch, are put down: who stands on one of two topples over beside it."""

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...reference.reference import Reference
from ...rig.segments import SIDES
from ...world.surface import Surface
from ..tracking.objectives import Objective, accelerate_along, spring
from .contact_choice import Touching

_NEAR_M = 0.06  # above the ground: a foot farther away is on its way


class FeetDown:
    def __init__(self, body: Body, reference: Reference) -> None:
        self._bear = reference.contacts.feet
        soles = body.soles
        of_feet = [[body.names[link].endswith(side) for link in soles.links] for side in SIDES]
        self._feet = [(soles.links[corners], soles.local[corners]) for corners in of_feet]

    def wishes(
        self,
        row: int,
        dynamics: DynamicsState,
        surface: Surface,
        found: Touching,
        up: Floats,
        stiffness: float,
        weight: float,
    ) -> list[Objective]:
        """The lowest corner of such a sole goes down to the ground."""
        wishes = []
        for (links, local), bears in zip(self._feet, self._bear[row], strict=True):
            if not bears or np.isin(links, found.links).any():
                continue
            points = dynamics.points(links, local)
            above = surface.distance(points)
            lowest = [int(np.argmin(above))]
            if above[lowest[0]] > _NEAR_M:
                continue
            task = dynamics.point_jacobian(links[lowest], points[lowest])
            falling = spring(-above[lowest], -(task.velocity @ up), stiffness)
            wishes.append(accelerate_along(task, up, falling, weight))
        return wishes
