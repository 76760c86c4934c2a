"""Feet that are about to come down, are put where the weight is going: who comes up beside them, or behind, falls back.

As a runner's are (Raibert 1986): beside where they are to the weight in the reference by how much faster it goes, times
the time constant of its fall.
"""

import numpy as np

from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.kinematics import pose
from ...reference.reference import Reference
from ...rig.segments import SIDES
from ..tracking.objectives import Objective, accelerate_along, spring
from .contact_choice import Touching
from .roll_frame import RollFrame

_SOON_S = 0.25  # before a foot bears
_FARTHEST_M = 0.15


class FeetUnder:
    def __init__(self, body: Body, reference: Reference, gravity: float) -> None:
        self._links = [np.array([body.index("foot" + side)]) for side in SIDES]
        self._of_sides = [
            np.array([i for i in np.unique(body.soles.links) if body.names[i].endswith(side)]) for side in SIDES
        ]
        feet = [body.index("foot" + side) for side in SIDES]
        self._beside = pose(body, reference.q).origins[:, feet] - reference.com[:, None]
        self._moving = np.gradient(self._beside, 1.0 / reference.rate, axis=0)
        self._speeds, self._gravity = reference.com_velocity, gravity
        self._bears = reference.contacts.feet
        self._soon = round(_SOON_S * reference.rate)

    def wishes(
        self,
        row: int,
        dynamics: DynamicsState,
        above_m: float,
        found: Touching,
        frame: RollFrame,
        stiffness: float,
        weight: float,
    ) -> list[Objective]:
        fall_s = np.sqrt(max(above_m, 0.1) / self._gravity)
        faster = fall_s * (dynamics.com_velocity - self._speeds[row])
        wishes = []
        for k, link in enumerate(self._links):
            soon = self._bears[row + 1 : row + self._soon, k].any() and not self._bears[row, k]
            if not soon or np.isin(self._of_sides[k], found.links).any():
                continue
            ankle = dynamics.points(link, np.zeros((1, 3)))
            task = dynamics.point_jacobian(link, ankle)
            off = dynamics.com + self._beside[row, k] - ankle[0]
            speed = dynamics.com_velocity + self._moving[row, k] - task.velocity[0]
            for way in (frame.ahead, frame.aside):
                shift = float(np.clip(faster @ way, -_FARTHEST_M, _FARTHEST_M))
                wanted = spring(np.array([off @ way + shift]), np.array([speed @ way]), stiffness)
                wishes.append(accelerate_along(task, way, wanted, weight))
        return wishes
