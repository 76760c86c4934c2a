"""Joints towards the reference by stable PD: eq. 1, with the damping of the step's end (Tan, Liu and Turk 2011).

Everything else that acts is taken to bring about the reference's own motion, so that only what is beside it is solved
for; and what the body weighs is taken from the last tick, so that a step costs little.
"""

import numpy as np
from scipy.linalg import lapack

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.state_space import difference
from ...engines.engine import ROOT_DOFS, State
from ..joint_limits import JointLimits
from .va_gains import VaGains


class PoseControl:
    def __init__(self, body: Body, step_s: float) -> None:
        self._body, self._step_s = body, step_s
        self._limits = JointLimits(body)
        self._ankles = [
            [body.v_slice[name] for name in (f"foot_{side}", f"toes_{side}") if name in body.names] for side in "lr"
        ]

    def set_gains(self, gains: VaGains, *, limp: bool) -> None:
        stiffness = self._body.torque_limit / gains.full_torque_at_rad
        damping = stiffness * gains.half_life_s / np.log(2.0)
        self.stiffness = stiffness * (gains.limp if limp else 1.0)
        self.damping = damping * (gains.damped if limp else 1.0)

    def ease_ankles(self, shares: Floats, gains: VaGains) -> None:
        """Ankles of feet that stand give way: the ground says how these lie, and a spring would only tip them."""
        for joints, share in zip(self._ankles, shares, strict=True):
            for joint in joints:
                self.stiffness[joint] *= 1.0 - share * (1.0 - gains.ankle)
                self.damping[joint] *= 1.0 - share * (1.0 - gains.ankle)

    def weigh(self, M: Floats) -> None:
        self._factor, _ = lapack.dpotrf(M + np.diag(self.damping * self._step_s), lower=True)

    def begin(self, q: Floats, v: Floats, state: State) -> None:
        """From now on towards q, which goes on with v."""
        self._v = v
        self._error = difference(self._body, q, state.q) - self._step_s * (v - state.v)  # before the first step

    def torques(self, state: State) -> Floats:
        """(nv,) towards where the aim will be at the end of the step; called at every step since it began.

        In between, errors grow by the difference of velocities: they are small, and turning back from quaternions at
        every step is most of what a step would cost.
        """
        drifting = self._v - state.v
        self._error = self._error + self._step_s * drifting
        wanted = self.stiffness * (self._error + self._step_s * drifting) + self.damping * drifting
        wanted += self._limits.torques(state.q, self.stiffness)
        wanted[:ROOT_DOFS] = 0.0
        ahead, _ = lapack.dpotrs(self._factor, wanted, lower=True)
        torques: Floats = wanted - self.damping * self._step_s * ahead
        return torques
