"""How a body falls that does nothing about it: where its weight goes, and how it turns, roughly."""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats
from ...rolling.roll_times import eased
from ...rotations import cross

_SPEED = 0.35  # [sqrt(m/s^2 m)] of the square root of gravity times height: along the ground, at least
_RISES_S = 0.5  # in which it gets that fast
_SINKS = 0.55  # of gravity: how fast the weight of who topples goes down
_LIES = 0.09  # of body height: how high it is when the body lies
_LIES_FLAT = np.radians(60.0)  # how far it is to lean in the end; what it meets does the rest
_TURNS_S = 0.8  # in this time it turns over
_UP = np.array([0.0, 0.0, 1.0])


class UsualWay(NamedTuple):
    """Of a body at the moment it begins to act."""

    towards: Floats  # (3,) level
    leans: float  # [rad] there already
    com: Floats  # (3,)
    velocity: Floats  # (3,)
    ground_m: float  # below it
    height: float  # of the body
    gravity: float

    def weight(self, time_s: float) -> tuple[Floats, Floats]:
        """(3,) where the centre of mass is, and (3,) how fast it is."""
        level = self.velocity - self.velocity[2] * _UP
        lacking = max(_SPEED * np.sqrt(self.gravity * self.height) * 0.5 - float(level @ self.towards), 0.0)
        share = min(time_s / _RISES_S, 1.0)
        gone = 0.5 * _RISES_S * share**2 + max(time_s - _RISES_S, 0.0)
        place = self.com + level * time_s + lacking * gone * self.towards
        speed = level + lacking * share * self.towards
        lowest = self.ground_m + _LIES * self.height
        sinking = max(-float(self.velocity[2]), 0.0)
        high = self.com[2] - sinking * time_s - 0.5 * _SINKS * self.gravity * time_s**2
        if high <= lowest:
            return np.array([*place[:2], lowest]), speed
        return np.array([*place[:2], high]), speed - (sinking + _SINKS * self.gravity * time_s) * _UP

    def turn(self, times: Floats) -> Floats:
        """(T, 3) [rad] over the ground, towards where it falls."""
        lacking = max(_LIES_FLAT - self.leans, 0.0)
        turns: Floats = lacking * eased(times / _TURNS_S)[:, None] * cross(_UP, self.towards)
        return turns

    @property
    def axes(self) -> Floats:
        """(3, 3) rows: along the fall, to the left of that, up."""
        return np.stack([self.towards, cross(_UP, self.towards), _UP])
