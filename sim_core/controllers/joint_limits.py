"""Joints that stop where anatomy does: a stiff spring beyond each limit, or a bound on accelerations before it.

Neither engine limits ball joints axis by axis, so this is the controllers' work.
"""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body

_STIFFER = 4.0  # than the drive that may push against the limit
_NEAR_RAD = 0.2  # from here on a limit bounds accelerations
_BRAKE = 1600.0  # [1/s^2] stiffness of the bound: an angle comes to its limit without overshoot


class AngleBounds(NamedTuple):
    """Accelerations of joint angles near their limits stay within lower and upper."""

    J: Floats  # (R, nv)
    lower: Floats  # (R,) [rad/s^2]
    upper: Floats


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

    def _angles(self, q: Floats) -> Floats:
        """(B, 3) of each ball joint along its anatomical axes [rad]."""
        angles: Floats = (self._axes @ rotations.log(rotations.multiply(self._back, q[self._q]))[..., None])[..., 0]
        return angles

    def bounds(self, q: Floats, v: Floats) -> AngleBounds:
        """For a QP over accelerations: none for joints far from their limits."""
        angles = self._angles(q)
        near = np.argwhere((angles > self._upper - _NEAR_RAD) | (angles < self._lower + _NEAR_RAD))
        balls, axes = near.T
        J = np.zeros((len(near), self._nv))
        rows = self._axes[balls, axes]  # (R, 3)
        np.put_along_axis(J, self._v[balls], rows, axis=1)
        slowing = 2.0 * np.sqrt(_BRAKE) * np.sum(rows * v[self._v[balls]], axis=1)
        room_below, room_above = (limit[balls, axes] - angles[balls, axes] for limit in (self._lower, self._upper))
        return AngleBounds(J, _BRAKE * room_below - slowing, _BRAKE * room_above - slowing)

    def excess(self, q: Floats) -> Floats:
        """(B, 3) how far each ball joint is beyond its limits, along its anatomical axes [rad]."""
        angles = self._angles(q)
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
