"""When a roll is in which phase: slower on the feet, faster over the back, from rest and to rest."""

from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ..arrays import Floats
from ..constants import GRAVITY
from .pose_cycle import TURN

_EARLY = 4  # power with which a phase begins to move before its roll: late, so that hardly any is passed
_SLOWNESS = (0.5, 2.0)  # of the mean
_ROUNDED_DEG = 8.0
_SLOWEST = 1.2  # [m/s] of the weight where it is highest
_KEEPS = 0.4  # of the energy of its height
_ON_FEET_DEG = 35.0
_RAMP_S = 0.6  # within which a roll reaches its usual rate


def eased(share: Floats) -> Floats:
    """From 0 to 1 with the least jerk."""
    u = np.clip(share, 0.0, 1.0)
    risen: Floats = u**3 * (10.0 - 15.0 * u + 6.0 * u**2)
    return risen


class RollTimes(NamedTuple):
    """Times are seconds since the motion's first frame."""

    before: float  # until the rolling begins
    a_roll: float  # that one roll takes when nothing slows it
    after: float
    rolls: int
    paces: tuple[float, float]  # shares of the usual rate at which it begins and ends
    law: Floats  # (R + 1,) share of a roll's time at which it passes phases that are evenly spread over a turn

    @property
    def rolling(self) -> float:
        """How long it rolls."""
        lost = sum(0.5 * _RAMP_S * (1.0 - pace) for pace in self.paces)
        return self.rolls * self.a_roll + lost

    @property
    def whole(self) -> float:
        return self.before + self.rolling + self.after

    @property
    def first_rate(self) -> float:
        """[rad/s] at phase 0."""
        rows = len(self.law) - 1
        return float(2.0 * TURN / rows / (self.law[1] + 1.0 - self.law[-2]) / self.a_roll)

    def phases(self, times: Floats) -> Floats:
        """(T,) [rad]: negative before the roll, and beyond its last turn after it."""
        since = times - self.before
        rolled = self._clock(np.clip(since, 0.0, self.rolling)) / self.a_roll
        turns = np.minimum(np.floor(rolled), self.rolls)
        by_time = CubicSpline(self.law, np.linspace(0.0, TURN, len(self.law)))
        phase = TURN * turns + by_time(rolled - turns)
        early, late = _run_up(-since, self.before), _run_up(since - self.rolling, self.after)
        result: Floats = phase + self.first_rate * (self.paces[1] * late - self.paces[0] * early)
        return result

    def _clock(self, times: Floats) -> Floats:
        """Seconds of rolling at the usual rate, which is reached, and left, within a ramp."""
        (begins, ends), left = self.paces, self.rolling - times
        lost_first = (1.0 - begins) * _RAMP_S * (0.5 - _ramp_left(times / _RAMP_S))
        lost_last = (1.0 - ends) * _RAMP_S * _ramp_left(left / _RAMP_S)
        clock: Floats = times - lost_first - lost_last
        return clock


def like_a_ball(weight: Floats, evenness: float, rests: float) -> Floats:
    """The law of a roll whose weight takes this way (R + 1, 3) in a turn: fast where it is low, as a ball that rolls up
    and down (evenness 1), or turning evenly (0); and resting on the feet, for another push."""
    rows = len(weight) - 1
    height = gaussian_filter1d(weight[:-1, 2], _ROUNDED_DEG * rows / 360.0, mode="wrap")
    speed = np.sqrt(_SLOWEST**2 + 2.0 * GRAVITY * _KEEPS * (height.max() - height))
    steps = np.diff(weight[:, 0]) / speed
    slowness = np.clip(steps / steps.mean(), *_SLOWNESS) ** evenness
    from_feet = (np.arange(rows) / rows + 0.5) % 1.0 - 0.5
    slowness *= 1.0 + rests * np.exp(-((from_feet * 360.0 / _ON_FEET_DEG) ** 2))
    slowness = gaussian_filter1d(slowness, _ROUNDED_DEG * rows / 360.0, mode="wrap")
    law: Floats = np.concatenate([[0.0], np.cumsum(slowness)]) / slowness.sum()
    return law


def _ramp_left(share: Floats) -> Floats:
    """The integral of what eased lacks to 1, from a share of the ramp to its end: 0.5 at its beginning."""
    u = np.clip(share, 0.0, 1.0)
    left: Floats = 0.5 - (u - 2.5 * u**4 + 3.0 * u**5 - u**6)
    return left


def _run_up(seconds: Floats, takes: float) -> Floats:
    """How far it goes, at unit speed at first and ever slower, until it rests after `takes` seconds."""
    if takes <= 0.0:
        return np.zeros_like(seconds)
    left = 1.0 - np.clip(seconds / takes, 0.0, 1.0)
    gone: Floats = takes / (_EARLY + 1) * (1.0 - left ** (_EARLY + 1))
    return gone
