"""A pose whose legs reach for feet that are elsewhere: the pelvis sinks for them to, and both legs bend to fit."""

import numpy as np

from ... import rotations
from ...arrays import Bools, Floats
from ...body.body import Body
from ...dynamics.kinematics import pose
from ...reference.leg_ik import reach
from ...reference.out_of_ground import set_turns
from ...reference.place_ankles import within_reach
from ...reference.sinking import LONGEST, leg_length, too_high

_DEEPEST_M = 0.2  # that a pelvis sinks


class SteppingPose:
    """Of one body; it is asked for at every tick, so both legs are bent at once."""

    def __init__(self, body: Body, normal: Floats) -> None:
        self._body, self._normal = body, normal
        self._links = np.array([[body.index(f"{name}_{side}") for name in ("thigh", "shin", "foot")] for side in "lr"])
        self._lengths = np.array([leg_length(body, side) for side in "lr"])
        self._forward = np.array([body.links[thigh].joint.axes[1] for thigh in self._links[:, 0]])

    def with_feet(self, q: Floats, ankles: Floats, turns: dict[int, Floats], must: Bools) -> Floats:
        """The poses q (T, nq) with ankles (T, 2, 3) at these places, some links of the feet turned so (T, 4) in the
        world, and the others as they are; which feet must (2,) reach their place, at the cost of sinking."""
        now = pose(self._body, q)
        hip, knee, ankle = (now.origins[:, self._links[:, part]] for part in range(3))  # (T, 2, 3)
        sink = np.zeros(len(q))
        for side in np.flatnonzero(must):
            longest = LONGEST * float(self._lengths[side])
            sink = np.maximum(sink, too_high(hip[:, side], ankles[:, side], longest, self._normal))
        sunk = np.minimum(sink, _DEEPEST_M)[:, None] * self._normal
        flat = (-1, 3)
        lengths = np.tile(self._lengths, len(q))[:, None]
        wanted = (ankles + sunk[:, None]).reshape(flat)
        forward = now.R_world_link[:, self._links[:, 0]] @ self._forward[:, :, None]
        legs = reach(
            hip.reshape(flat),
            knee.reshape(flat),
            ankle.reshape(flat),
            within_reach(hip.reshape(flat), wanted, lengths),
            forward.reshape(flat),
        )
        moved = q.copy()
        moved[:, :3] -= sunk
        world = rotations.from_matrix(now.R_world_link)
        thighs, shins, feet = self._links.T
        world[:, thighs] = rotations.multiply(legs.thigh.reshape(-1, 2, 4), world[:, thighs])
        world[:, shins] = rotations.multiply(legs.shin.reshape(-1, 2, 4), world[:, shins])
        for part, turn in turns.items():
            world[:, part] = turn
        set_turns(moved, self._body, world, list(dict.fromkeys([*thighs, *shins, *feet, *turns])))
        return moved
