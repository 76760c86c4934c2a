"""A body without will: joints that only resist a little, and stop at their limits. What others are measured against."""

import numpy as np
from scipy.linalg import lapack

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.dynamics import Dynamics
from ..engines.engine import ROOT_DOFS, State
from .joint_limits import JointLimits

_FULL_AT_RAD = 1.0  # beyond a limit: a joint is held back with all its strength
_RESISTS_S = 0.02  # of that stiffness, as damping
_WEIGHED_EVERY = 5  # steps


class Limp:
    def __init__(self, body: Body, gravity: float, step_s: float) -> None:
        self._limits, self._dynamics, self._step_s = JointLimits(body), Dynamics(body, gravity), step_s
        self._stiffness = body.torque_limit / _FULL_AT_RAD
        self._damping = _RESISTS_S * self._stiffness
        self._most = body.torque_limit

    def torques(self, step: int, state: State) -> Floats:
        """(nv,) with the damping of the step's end (Tan, Liu and Turk 2011); called at every step from 0 on."""
        if step % _WEIGHED_EVERY == 0:
            M = self._dynamics.evaluate(state.q, state.v).M
            self._factor, _ = lapack.dpotrf(M + np.diag(self._damping * self._step_s), lower=True)
        wanted = self._limits.torques(state.q, self._stiffness) - self._damping * state.v
        wanted[:ROOT_DOFS] = 0.0
        ahead, _ = lapack.dpotrs(self._factor, wanted, lower=True)
        torques: Floats = np.clip(wanted - self._damping * self._step_s * ahead, -self._most, self._most)
        torques[:ROOT_DOFS] = 0.0
        return torques
