"""Muscles that let go: weak, well damped springs towards a lying pose; limbs sink, and stay where they come to.

What has sunk comes to rest: the pose in which it lies becomes the one that the springs keep, and they grow firm.
"""

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...engines.engine import State
from ...rig.segments import ARM, HEAD, kind
from ...rolling.anatomical_pose import posed
from ..joint_limits import JointLimits
from ..stable_springs import StableSprings

_LYING = {
    "trunk": (-8.0, 0.0, 0.0),
    "neck": (-5.0, 0.0, 0.0),
    "thigh": (18.0, -8.0, 0.0),
    "shin": (-30.0, 0.0, 0.0),
    "foot": (-20.0, 0.0, 0.0),
}  # arms sink from where they are: nothing flings them over the body
_STIFFNESS = 0.2  # of a joint's strength, for a radian
_NECK = 3.0  # times as firm: a head that drops is hit
_DAMPING_S = 0.22  # of the stiffness
SINKS_S = 0.85  # after landing: limbs have sunk,
_FIRM_S = 0.15  # and springs are e times as firm after so long, and again,
_FIRMEST = 15.0  # up to this
_FULL_AT_RAD = 1.0  # beyond a limit: a joint is held back with all its strength


class Slack:
    def __init__(self, body: Body, gravity: float, step_s: float) -> None:
        stiffness = _STIFFNESS * body.torque_limit
        for name in set(HEAD) & set(body.names):
            stiffness[body.v_slice[name]] *= _NECK
        arms = [name for name in body.names if kind(name) in ARM]
        self._arms = np.concatenate([np.zeros(0, np.int64), *(np.r_[body.q_slice[name]] for name in arms)])
        self._limits, self._firm = JointLimits(body), body.torque_limit / _FULL_AT_RAD
        self._lying = posed(body, _LYING)
        self._springs = StableSprings(body, gravity, step_s, stiffness, _DAMPING_S * stiffness)

    def torques(self, step: int, state: State, landed_s: float, lies: Floats | None) -> Floats:
        """(nv,) so long after landing; towards the pose in which it lies (nq,), once there is one."""
        firmer = float(np.clip(np.exp((landed_s - SINKS_S) / _FIRM_S), 1.0, _FIRMEST))
        if lies is None:
            lies = self._lying.copy()
            lies[self._arms] = state.q[self._arms]
        at_limits = self._limits.torques(state.q, self._firm)
        return self._springs.torques(step, state, lies, at_limits, firmer)
