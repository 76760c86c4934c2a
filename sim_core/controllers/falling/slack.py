"""Muscles that let go: weak, well damped springs towards a lying pose; limbs sink, and stay where they come to."""

import numpy as np
from scipy.linalg import lapack

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics import Dynamics
from ...dynamics.state_space import difference
from ...engines.engine import ROOT_DOFS, State
from ...rig.segments import HEAD
from ...rolling.anatomical_pose import posed
from ..joint_limits import JointLimits

_LYING = {
    "trunk": (-8.0, 0.0, 0.0),
    "neck": (-5.0, 0.0, 0.0),
    "thigh": (18.0, -8.0, 0.0),
    "shin": (-30.0, 0.0, 0.0),
    "foot": (-20.0, 0.0, 0.0),
    "upper_arm": (15.0, -30.0, 0.0),
    "forearm": (35.0, 0.0, 0.0),
}
_STIFFNESS = 0.15  # of a joint's strength, for a radian
_NECK = 3.0  # times as firm: a head that drops is hit
_DAMPING_S = 0.35  # of the stiffness
_FULL_AT_RAD = 1.0  # beyond a limit: a joint is held back with all its strength
_WEIGHED_EVERY = 5  # steps


class Slack:
    def __init__(self, body: Body, gravity: float, step_s: float) -> None:
        self._body, self._limits, self._dynamics, self._h = body, JointLimits(body), Dynamics(body, gravity), step_s
        self._lying = posed(body, _LYING)
        self._stiffness = _STIFFNESS * body.torque_limit
        for name in set(HEAD) & set(body.names):
            self._stiffness[body.v_slice[name]] *= _NECK
        self._damping = _DAMPING_S * self._stiffness
        self._firm = body.torque_limit / _FULL_AT_RAD

    def torques(self, step: int, state: State) -> Floats:
        """(nv,) with the spring and the damping of the step's end (Tan, Liu and Turk 2011)."""
        if step % _WEIGHED_EVERY == 0 or not hasattr(self, "_factor"):
            M = self._dynamics.evaluate(state.q, state.v).M
            self._factor, _ = lapack.dpotrf(M + np.diag(self._damping * self._h), lower=True)
        away = difference(self._body, self._lying, state.q) - self._h * state.v
        wanted = self._stiffness * away - self._damping * state.v + self._limits.torques(state.q, self._firm)
        wanted[:ROOT_DOFS] = 0.0
        ahead, _ = lapack.dpotrs(self._factor, wanted, lower=True)
        torques: Floats = wanted - self._damping * self._h * ahead
        torques[:ROOT_DOFS] = 0.0
        return torques
