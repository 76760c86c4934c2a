"""The shifts of a variation as vectors in the world, at every moment of the clip."""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.kinematics import pose
from ...reference.reference import Reference
from ...rotations import cross
from ...scene import Scene
from ..variation import Variation

_UPRIGHT = 1e-6  # [m] hips one over the other face nowhere


class Aims(NamedTuple):
    """Beside what the reference has, at one step."""

    com: Floats  # (3,) [m]
    com_velocity: Floats  # (3,) [m/s]
    foothold: Floats  # (3,) [m]
    turn: Floats  # (3,) of the pelvis, in the world [rad]
    angular_momentum: Floats  # (3,) over mass [m^2/s]


def character_axes(body: Body, reference: Reference, scene: Scene) -> Floats:
    """(S, 3, 3) columns: where the hips face along the ground, their left, and the ground's normal."""
    normal = scene.ground.normal
    origins = pose(body, reference.q).origins
    left = origins[:, body.index("thigh_l")] - origins[:, body.index("thigh_r")]
    left -= (left @ normal)[:, None] * normal
    length = np.linalg.norm(left, axis=1, keepdims=True)
    somewhere = cross(normal, np.array([1.0, 0.0, 0.0]) if abs(normal[0]) < 0.9 else np.array([0.0, 1.0, 0.0]))
    left = np.where(length > _UPRIGHT, left / np.maximum(length, _UPRIGHT), somewhere / np.linalg.norm(somewhere))
    return np.stack([cross(left, normal), left, np.broadcast_to(normal, left.shape)], axis=2)


def aims_of(axes: Floats, by: Variation) -> Aims:
    """For the axes (3, 3) of one moment."""
    return Aims(
        com=axes @ [by.ahead_m, by.aside_m, by.up_m],
        com_velocity=axes @ [by.ahead_m_s, by.aside_m_s, by.up_m_s],
        foothold=axes @ [by.foot_ahead_m, by.foot_aside_m, 0.0],
        turn=axes @ [-by.lean_aside, by.lean_ahead, 0.0],
        angular_momentum=axes @ [by.roll, by.pitch, by.yaw],
    )
