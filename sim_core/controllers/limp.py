"""A body without will: joints that only resist a little, and stop at their limits. What others are measured against."""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..engines.engine import State
from .joint_limits import JointLimits
from .stable_springs import StableSprings

_FULL_AT_RAD = 1.0  # beyond a limit: a joint is held back with all its strength
_RESISTS_S = 0.02  # of that stiffness, as damping


class Limp:
    def __init__(self, body: Body, gravity: float, step_s: float) -> None:
        self._limits, self._most = JointLimits(body), body.torque_limit
        self._firm = body.torque_limit / _FULL_AT_RAD
        self._springs = StableSprings(body, gravity, step_s, np.zeros(body.nv), _RESISTS_S * self._firm)

    def torques(self, step: int, state: State) -> Floats:
        """(nv,), called at every step from 0 on."""
        at_limits = self._limits.torques(state.q, self._firm)
        return np.clip(self._springs.torques(step, state, state.q, at_limits), -self._most, self._most)
