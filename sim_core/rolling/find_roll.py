"""Where a clip rolls, and between which two frames a roll can be repeated: alike in pose, and a turn apart."""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats, Ints
from ..body.body import Body
from ..dynamics import kinematics
from ..dynamics.state_space import central_velocities, difference
from ..errors import SettingsError
from ..rig.segments import TRUNK
from .excursion import excursion, mean_spin

_LOOK_HZ = 30.0  # frames are compared at this rate; a roll takes a second
_FULL = 2.0 * np.pi
_NEARLY = np.radians(45.0)  # a cycle may turn by so much less or more than it should, by its excursion
_SHORTEST_S, _LONGEST_S = 0.4, 9.0
_TILT_UNIT_RAD = 0.5  # what counts as much as a radian of the mean joint
_HEIGHT_UNIT_M = 0.2
_SPEED_UNIT_M_S = 2.0
_TURN_UNIT_RAD = 0.6
_UP = np.array([0.0, 0.0, 1.0])


class FoundRoll(NamedTuple):
    first: int  # frames of the clip, from 0
    last: int  # like the first, a turn (or half of one) later
    axis: Floats  # (3,) horizontal, about which it turns by a positive angle
    turn: float  # [rad] a whole turn, or half of one


def find_roll(body: Body, q: Floats, fps: float) -> FoundRoll:
    """The part of a motion q (T, nq) that rolls; raises where none does."""
    every = max(1, round(fps / _LOOK_HZ))
    rate = fps / every
    motion = kinematics.motion(body, q, central_velocities(body, q, fps))
    turned = excursion(mean_spin(body, motion), fps)[::every]
    for turn in (_FULL, 0.5 * _FULL):
        pairs = _pairs(turned, turn, rate)
        if len(pairs):
            break
    else:
        raise SettingsError(
            "No roll was found in the clip: nowhere does the body turn by half a turn about a level axis; choose "
            "other frames with --start and --end, or a kind of roll with --roll."
        )
    look = q[::every]
    costs = _differences(body, look, motion, every, pairs, half=turn < _FULL)
    costs += np.abs(_level(turned[pairs[:, 1]] - turned[pairs[:, 0]]) - turn) / _TURN_UNIT_RAD
    first, last = pairs[np.argmin(costs)]
    axis = (turned[last] - turned[first]) * (1.0 - _UP)
    return FoundRoll(int(first) * every, int(last) * every, axis / np.linalg.norm(axis), turn)


def _level(turned: Floats) -> Floats:
    angle: Floats = np.linalg.norm(turned[..., :2], axis=-1)
    return angle


def _pairs(turned: Floats, turn: float, rate: float) -> Ints:
    """(K, 2) rows between which the body turns by about so much."""
    rows = np.arange(len(turned))
    apart = _level(turned[None, :] - turned[:, None])
    seconds = (rows[None, :] - rows[:, None]) / rate
    fits = (np.abs(apart - turn) < _NEARLY) & (seconds > _SHORTEST_S) & (seconds < _LONGEST_S)
    return np.argwhere(fits)


def _differences(body: Body, q: Floats, motion: kinematics.Motion, every: int, pairs: Ints, *, half: bool) -> Floats:
    """(K,) how unlike two poses are, wherever they stand and face; of half a turn only how high they are."""
    a, b = pairs.T
    com, velocity = motion.pose.com[::every], motion.linear_momentum[::every] / body.mass
    cost: Floats = np.abs(com[a, 2] - com[b, 2]) / _HEIGHT_UNIT_M
    if half:
        seconds = (b - a) / _LOOK_HZ
        cost += 0.1 * seconds
        return cost
    joints = np.zeros(len(pairs))
    for part in np.array_split(np.arange(len(pairs)), max(1, len(pairs) // 2000)):
        off = difference(body, q[a[part]], q[b[part]])[:, 6:].reshape(len(part), -1, 3)
        joints[part] = np.linalg.norm(off, axis=-1).mean(axis=1)
    trunk = [body.index(name) for name in TRUNK if name in body.names]
    ups = motion.pose.R_world_link[::every][:, trunk, 2, :]  # where up is, in each link's own frame
    tilt = np.arccos(np.clip(np.sum(ups[a] * ups[b], axis=-1), -1.0, 1.0)).mean(axis=1)
    slower = np.linalg.norm(velocity[a] - velocity[b], axis=1)
    result: Floats = cost + 0.25 * (b - a) / _LOOK_HZ + joints + tilt / _TILT_UNIT_RAD + slower / _SPEED_UNIT_M_S
    return result


def heading_change(q_from: Floats, q_to: Floats) -> float:
    """By how much the pelvis has turned about the vertical [rad]."""
    w, _, _, z = rotations.multiply(q_to[3:7], rotations.inverse(q_from[3:7]))
    return float(2.0 * np.arctan2(z, w)) if w >= 0.0 else float(2.0 * np.arctan2(-z, -w))
