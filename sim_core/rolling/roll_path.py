"""Where a body goes that rolls through its poses: on the ground, and without slipping on it."""

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..posing.surface import surface_points
from .level_feet import root_axes
from .pose_cycle import TURN, PoseCycle

_ROWS = 720  # of a cycle
_BEARS_WITHIN = 0.008  # [m] of the lowest point: what is this much higher bears hardly anything
_ROUNDED_DEG = 1.5
_UP = np.array([0.0, 0.0, 1.0])


class RollPath:
    """The motion of a cycle by phase, along a heading from the origin; z = 0 is the ground."""

    def __init__(self, body: Body, cycle: PoseCycle, frame: Floats) -> None:
        """The frame (3, 3): in its rows where the body's right, forward and up point at phase 0, in the world of a
        roll along x: the axis of the roll is y."""
        self._body, self._cycle = body, cycle
        self._upright = rotations.from_matrix(frame.T @ root_axes(body))
        self._axes = root_axes(body)
        phases = np.arange(_ROWS + 1) * (TURN / _ROWS)
        q = self._turned(phases)
        places = self._places(q)
        self.step = float(places[-1, 0])  # [m] travelled in a turn
        places[:, 0] -= self.step * phases / TURN
        places[:, 1] -= places[-1, 1] * phases / TURN
        places[-1] = places[0]
        rounded = gaussian_filter1d(places[:-1], _ROUNDED_DEG * _ROWS / 360.0, axis=0, mode="wrap")
        self._spline = CubicSpline(phases, np.vstack([rounded, rounded[:1]]), bc_type="periodic")

    def at(self, phases: Floats) -> Floats:
        """(T, nq)"""
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

    def _places(self, q: Floats) -> Floats:
        """(T, 3) of the root: the lowest point on the ground, and what bears moving as little as can be."""
        surface = surface_points(self._body)
        where = pose(self._body, q)
        points = where.points(surface.links, surface.local) - surface.radii[:, None] * _UP
        height = -points[..., 2].min(axis=1)
        # A round end rolls: the flesh that touches moves with the link, not with the lowest point of the sphere.
        steps = np.zeros((len(q), 3))
        next_turns = where.R_world_link[1:, surface.links] @ where.R_world_link[:-1, surface.links].swapaxes(-1, -2)
        arms = points[:-1] - where.origins[:-1, surface.links]
        moved = where.origins[1:, surface.links] + (next_turns @ arms[..., None])[..., 0] - points[:-1]
        above = points[:-1, :, 2] + height[:-1, None]
        shares = np.exp(-above / _BEARS_WITHIN)
        shares /= shares.sum(axis=1, keepdims=True)
        steps[1:] = -np.sum(shares[..., None] * moved, axis=1)
        places: Floats = np.cumsum(steps, axis=0)
        places[:, 2] = height
        return places
