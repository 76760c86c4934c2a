"""The pose to hold: the reference's, with legs bent to the feet as they really stand, and soles as flat as there.

Feet land beside their marks, slide and are pushed along. Legs that held on to the clip's own angles would then push
against the ground and each other; and an ankle that held its angle to a leaning shin would tip its foot.
"""

from typing import NamedTuple

import numpy as np

from ... import rotations
from ...arrays import Bools, Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.state_space import difference
from ..tracking.row import Row
from ..tracking.stepping_pose import SteppingPose
from ..tracking.tracked_motion import TrackedMotion

_SIDES = "lr"


class PoseAim(NamedTuple):
    q: Floats  # (nq,) at the tick
    v: Floats  # (nv,) with which it goes on from there


class StandingPose:
    def __init__(self, body: Body, motion: TrackedMotion, normal: Floats, tick: int) -> None:
        self._body, self._motion, self._normal, self._tick = body, motion, normal, tick
        self._pose = SteppingPose(body, normal)
        self._ankles = [body.q_slice[f"foot_{side}"] for side in _SIDES]
        self._ankle_dofs = [body.v_slice[f"foot_{side}"] for side in _SIDES]
        self._shins = [body.index(f"shin_{side}") for side in _SIDES]
        self._rest = [rotations.inverse(body.links[body.index(f"foot_{side}")].frame) for side in _SIDES]

    def aim(
        self, step: int, row: Row, dynamics: DynamicsState, anchor: Floats, swung: Floats, stands: Bools
    ) -> PoseAim:
        """swung (2, 3): how far beside the reference feet are to be that are in the air."""
        reference = self._motion.reference
        steps = np.minimum([step, step + self._tick], len(reference) - 1)
        q = reference.q[steps].copy()
        q[:, :3] += anchor
        ankles = self._motion.foot_places[steps] + anchor
        for side in range(2):
            if stands[side]:
                beside = dynamics.origins[self._motion.feet[side]] - ankles[0, side]
                ankles[:, side] += beside - (beside @ self._normal) * self._normal
            else:
                ankles[:, side] += swung[side] - anchor
        q = self._pose.with_feet(q, ankles, {}, stands)
        v = difference(self._body, q[1], q[0]) * (reference.rate / self._tick)
        q = q[0]
        for side in np.flatnonzero(stands):
            shin = rotations.from_matrix(dynamics.R_world_link[self._shins[side]])
            foot = rotations.from_matrix(row.foot_turns[side])
            turn = rotations.multiply(rotations.inverse(shin), foot)
            q[self._ankles[side]] = rotations.multiply(self._rest[side], turn)
            spin = row.foot_spins[side] - dynamics.rotation_jacobian(np.array([self._shins[side]])).velocity[0]
            v[self._ankle_dofs[side]] = row.foot_turns[side].T @ spin
        return PoseAim(q, v)
