"""Joints that stop where anatomy does: a stiff spring beyond each limit.

Neither engine limits ball joints axis by axis, so this is the controllers' work.
"""

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body

_STIFFER = 4.0  # than the drive that may push against the limit


class JointLimits:
    def __init__(self, body: Body) -> None:
        balls = [link for link in body.links if link.joint.kind == "ball"]
        self._nv = body.nv
        self._q = np.array([np.arange(4) + body.q_slice[link.name].start for link in balls])  # (B, 4)
        self._v = np.array([np.arange(3) + body.v_slice[link.name].start for link in balls])  # (B, 3)
        self._back = rotations.inverse(np.array([link.joint.neutral for link in balls]))
        self._axes = np.array([link.joint.axes for link in balls])  # (B, 3, 3)
        self._lower = np.array([link.joint.lower for link in balls])
        self._upper = np.array([link.joint.upper for link in balls])

    def excess(self, q: Floats) -> Floats:
        """(B, 3) how far each ball joint is beyond its limits, along its anatomical axes [rad]."""
        angles = (self._axes @ rotations.log(rotations.multiply(self._back, q[self._q]))[..., None])[..., 0]
        beyond: Floats = np.maximum(angles - self._upper, 0.0) + np.minimum(angles - self._lower, 0.0)
        return beyond

    def torques(self, q: Floats, stiffness: Floats) -> Floats:
        """(nv,) what drives the joints back; stiffness (nv,) is that of the drive, whose damping acts as well."""
        torques = np.zeros(self._nv)
        excess = self.excess(q)
        if excess.any():
            back = -_STIFFER * stiffness[self._v] * excess
            torques[self._v] = (back[:, None, :] @ self._axes)[:, 0, :]
        return torques
