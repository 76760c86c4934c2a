"""The virtual force and torque on the body as a whole that would keep it in balance (eq. 7 to 12)."""

from typing import NamedTuple

import numpy as np

from ... import rotations
from ...arrays import Floats
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.spatial import ANGULAR
from .va_gains import VaGains


class Aim(NamedTuple):
    """Where the body is to be, on the ground that it stands on."""

    com: Floats  # (3,)
    com_velocity: Floats  # (3,)
    angular_momentum: Floats  # (3,)
    chest_turn: Floats  # (3, 3) in the world
    chest_spin: Floats  # (3,)


class Wish(NamedTuple):
    force: Floats  # (3,) [N]
    torque: Floats  # (3,) [N m]


def virtual_wrench(aim: Aim, dynamics: DynamicsState, chest: int, normal: Floats, gains: VaGains) -> Wish:
    """Without what carries the body's weight, and the motion that the reference has by itself."""
    mass = dynamics.mass
    off, drifting = aim.com - dynamics.com, aim.com_velocity - dynamics.com_velocity
    force = mass * (gains.k_fp * off + gains.k_fd * drifting)  # eq. 8
    rise = 2.0 * np.sqrt(gains.k_height)
    force += (mass * (gains.k_height * (off @ normal) + rise * (drifting @ normal)) - force @ normal) * normal
    torque = gains.k_l * (aim.angular_momentum - dynamics.momentum[ANGULAR])  # eq. 10
    spin = dynamics.rotation_jacobian(np.array([chest])).velocity[0]
    lean = rotations.log(rotations.from_matrix(aim.chest_turn @ dynamics.R_world_link[chest].T))
    torque = torque + mass * (gains.k_tp * lean + gains.k_td * (aim.chest_spin - spin))  # eq. 12
    return Wish(force, torque)


def towards_step(force: Floats, stance: Floats, other: Floats, com: Floats, normal: Floats) -> Floats:
    """Figure 6: on one foot, with the centre of mass between both, nothing holds it back from the coming step."""
    way = other - stance
    way = way - (way @ normal) * normal
    length = float(np.linalg.norm(way))
    if length < 1e-6:
        return force
    way = way / length
    between = 0.0 < (com - stance) @ way < length
    return force - min(float(force @ way), 0.0) * way if between else force
