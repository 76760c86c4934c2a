"""Where a body goes that rolls through its poses: on the ground, its weight moving on smoothly and hardly slipping."""

from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from .. import rotations
from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics.kinematics import Pose, pose
from ..posing.surface import surface_points
from ..rig.segments import ARM, HEAD, LEG, kind
from .key_poses import HandsDown
from .level_feet import root_axes
from .pose_cycle import TURN, PoseCycle
from .put_hands import hands_above_ground, put_hands, shoulders_of
from .roll_times import eased

_ROWS = 720  # of a cycle
_BEARS_WITHIN = 0.008  # [m] of the lowest point: what is this much higher bears hardly anything
_GIVES_WAY_M = 0.08  # of who lies: ends of limbs that reach so far below the rest bend before they lift it
_HEAD_CLEAR = 0.06  # [m] hands hold the head this far off the ground
_FADE = np.radians(35.0)  # of phase, in which hands come down and leave
_LET_DOWN_DEG, _LET_DOWN_ROUNDS = 8.0, 40  # how far hands even out a height in one round
_ROUNDED_DEG, _WEIGHT_ROUNDED_DEG = 2.0, 10.0
_ENDS = (*ARM[2:], *LEG[1:])
_UP = np.array([0.0, 0.0, 1.0])


class _Bearing(NamedTuple):
    height: Floats  # (T,) of the root over the ground
    velocity: Floats  # (T, 3) of the centre of mass without slipping, a row
    firm: Bools  # (T,) where something but hands bears


class RollPath:
    """The motion of a cycle by phase along x, its axis y, with the ground at z = 0."""

    def __init__(
        self,
        body: Body,
        cycle: PoseCycle,
        frame: Floats,
        hands: HandsDown | None = None,
        *,
        limbs_give_way: bool = False,
    ) -> None:
        """The frame (3, 3): rows tell where the body's right, forward and up point at pitch 0. Hands may
        bear for a while. Limbs give way in poses that were not made to lie in: drawn-up feet do not bear a back."""
        self._body, self._cycle, self._hands, self._limbs_give_way = body, cycle, hands, limbs_give_way
        self._upright = rotations.from_matrix(frame.T @ root_axes(body))
        self._axes = root_axes(body)
        phases = np.arange(_ROWS + 1) * (TURN / _ROWS)
        q = self._turned(phases)
        where = pose(body, q)
        bearing = self._bearing(where, phases)
        com = _smooth(np.cumsum(_filled(bearing), axis=0))
        places = com - where.com
        places[:, 2] = bearing.height
        self.step = float(places[-1, 0] - places[0, 0])  # [m] travelled in a turn
        drift = (places[-1] - places[0]) * np.array([1.0, 1.0, 0.0])
        places -= phases[:, None] / TURN * drift
        rounded = gaussian_filter1d(places[:-1], _ROUNDED_DEG * _ROWS / 360.0, axis=0, mode="wrap")
        self._spline = CubicSpline(phases, np.vstack([rounded, rounded[:1]]), bc_type="periodic")
        self._spots = self._hand_spots() if hands else None

    def at(self, phases: Floats) -> Floats:
        """(T, nq)"""
        q = self._placed(phases)
        if self._spots is None:
            return q
        turns = np.floor(phases / TURN)[:, None, None]
        spots = self._spots + turns * np.array([self.step, 0.0, 0.0])
        return hands_above_ground(self._body, put_hands(self._body, q, spots, self._on_hands(phases)))

    def weight(self, phases: Floats) -> Floats:
        """(T, 3) where the centre of mass is [m]."""
        return pose(self._body, self._placed(phases)).com

    def _placed(self, phases: Floats) -> Floats:
        q = self._turned(phases)
        q[:, :3] = self._spline(phases % TURN)
        q[:, 0] += self.step * phases / TURN
        return q

    def _turned(self, phases: Floats) -> Floats:
        """Poses with the root turned, at the origin."""
        q = self._cycle.poses(phases)
        pitch, roll, twist = self._cycle.root(phases).T
        own = rotations.multiply(
            rotations.exp(roll[:, None] * self._axes[1]), rotations.exp(twist[:, None] * self._axes[2])
        )
        turn = rotations.multiply(rotations.about_axis(1, pitch), self._upright)
        q[:, 3:7] = rotations.continuous(rotations.multiply(turn, own))
        return q

    def _on_hands(self, phases: Floats) -> Floats:
        """(T,) from 0 to 1."""
        if self._hands is None:
            return np.zeros(len(phases))
        first, last = np.radians(self._hands[:2])
        since = (phases - first + _FADE) % TURN - _FADE
        share: Floats = eased(1.0 + since / _FADE) * eased(1.0 - (since - (last - first)) / _FADE)
        return share

    def _bearing(self, where: Pose, phases: Floats) -> _Bearing:
        surface = surface_points(self._body)
        names = [kind(self._body.names[link]) for link in surface.links]
        arm, head = (np.isin(names, chain) for chain in (ARM[1:], HEAD))
        points = where.points(surface.links, surface.local) - surface.radii[:, None] * _UP
        on_hands = self._on_hands(phases)[:, None]
        heights = points[..., 2] + on_hands * arm - on_hands**4 * _HEAD_CLEAR * head
        if self._limbs_give_way:
            heights = heights + _GIVES_WAY_M * np.isin(names, _ENDS)
        height = self._let_down(-heights.min(axis=1), where.com[:, 2], on_hands[:, 0] ** 4)
        above = heights + height[:, None] + 1.0 * head
        shares = np.exp(-above / _BEARS_WITHIN)
        firm = shares.max(axis=1) > 0.3
        shares /= shares.sum(axis=1, keepdims=True)
        # A round end rolls: the flesh that touches moves with the link, not with the lowest point of the sphere.
        turns = where.R_world_link[1:, surface.links] @ where.R_world_link[:-1, surface.links].swapaxes(-1, -2)
        arms = points[:-1] - where.origins[:-1, surface.links]
        moved = where.origins[1:, surface.links] + (turns @ arms[..., None])[..., 0] - points[:-1]
        velocity = np.zeros((len(phases), 3))
        velocity[1:] = np.diff(where.com, axis=0) - np.sum(shares[:-1, :, None] * moved, axis=1)
        velocity[0] = velocity[-1]
        return _Bearing(height, velocity, firm)

    def _let_down(self, height: Floats, weight: Floats, shares: Floats) -> Floats:
        """Heights (T,) of the root with the weight (T,) above it carried on smoothly by hands, as far as they bear,
        instead of dropped as low as nothing else touches."""
        least = height + weight
        path = least[:-1]
        for _ in range(_LET_DOWN_ROUNDS):
            smooth = gaussian_filter1d(path, _LET_DOWN_DEG * _ROWS / 360.0, mode="wrap")
            path = least[:-1] + shares[:-1] * np.maximum(smooth - least[:-1], 0.0)
        height_of_root: Floats = np.append(path, path[0]) - weight
        return height_of_root

    def _hand_spots(self) -> Floats:
        """(2, 3) where the hands (left, right) are put on the ground: halfway on the way of the shoulders."""
        assert self._hands is not None
        shoulders = shoulders_of(self._body, self._placed(np.radians(self._hands[:2])))
        spots: Floats = shoulders.mean(axis=0)
        spots[:, 1] = spots[:, 1].mean() + 1.15 * (spots[:, 1] - spots[:, 1].mean())
        spots += np.array([self._hands.ahead * self._body.height, 0.0, 0.0])
        spots[:, 2] = 0.0
        return spots


def _filled(bearing: _Bearing) -> Floats:
    """(T, 3) velocities; where nothing is firmly on the ground, from before to after, evenly."""
    rows = np.arange(len(bearing.firm))
    firm = np.flatnonzero(bearing.firm)
    return np.stack(
        [np.interp(rows, firm, column[firm], period=len(rows) - 1) for column in bearing.velocity.T], axis=1
    )


def _smooth(path: Floats) -> Floats:
    """A path whose steps repeat, rounded."""
    steps = gaussian_filter1d(np.diff(path, axis=0), _WEIGHT_ROUNDED_DEG * _ROWS / 360.0, axis=0, mode="wrap")
    smooth: Floats = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    return smooth
