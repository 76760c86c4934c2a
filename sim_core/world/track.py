"""The way of a thing that moves by itself: a pose for every time, smooth enough to be stood on."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline

from .. import rotations
from ..arrays import Floats

_TICK_S = 1e-3  # over which accelerations are taken


class Poses(NamedTuple):
    """One, or one for each of some times."""

    positions: Floats  # (..., 3) [m]
    turns: Floats  # (..., 4)

    def to_world(self, points: Floats) -> Floats:
        """Points of the thing's own frame; both broadcast."""
        placed: Floats = self.positions + rotations.rotate(self.turns, points)
        return placed

    def to_own(self, points: Floats) -> Floats:
        return rotations.rotate(rotations.inverse(self.turns), points - self.positions)


@dataclass(frozen=True, kw_only=True, eq=False)
class Track:
    """Before its first time and after its last a thing rests."""

    times: Floats  # (K,) [s] after the first simulated frame; rising
    positions: Floats  # (K, 3) [m]
    turns: Floats  # (K, 4)

    @cached_property
    def _spline(self) -> CubicSpline:
        values = np.concatenate([self.positions, rotations.continuous(self.turns)], axis=1)
        return CubicSpline(self.times, values, axis=0, bc_type="natural")

    def poses(self, times: Floats) -> Poses:
        if len(self.times) == 1:
            shape = (*np.shape(times), 1)
            return Poses(np.tile(self.positions[0], shape), np.tile(self.turns[0], shape))
        values = self._spline(np.clip(times, self.times[0], self.times[-1]))
        return Poses(values[..., :3], rotations.normalise(values[..., 3:]))

    def velocities(self, times: Floats, points: Floats) -> Floats:
        """Of points in the world that go with the thing; times broadcast against points without their last axis."""
        own = self.poses(times).to_own(points)
        ahead, behind = (self.poses(times + dt).to_world(own) for dt in (_TICK_S, -_TICK_S))
        velocities: Floats = (ahead - behind) / (2.0 * _TICK_S)
        return velocities

    def accelerations(self, times: Floats, points: Floats) -> Floats:
        own = self.poses(times).to_own(points)
        ahead, behind = (self.poses(times + dt).to_world(own) for dt in (_TICK_S, -_TICK_S))
        accelerations: Floats = (ahead - 2.0 * points + behind) / _TICK_S**2
        return accelerations
