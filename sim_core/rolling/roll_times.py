"""When a roll is in which phase: slower on the feet, faster over the back, from rest and to rest."""

from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from .pose_cycle import TURN

_EARLY = 4  # power with which a phase begins to move before its roll: late, so that hardly any is passed
_ROWS = 720


def eased(share: Floats) -> Floats:
    """From 0 to 1 with the least jerk."""
    u = np.clip(share, 0.0, 1.0)
    risen: Floats = u**3 * (10.0 - 15.0 * u + 6.0 * u**2)
    return risen


class RollTimes(NamedTuple):
    """Times are seconds since the motion's first frame."""

    before: float  # until the rolling begins
    rolling: float
    after: float
    rolls: int
    slow: float  # share by which it turns slower than on average at phase 0

    @property
    def whole(self) -> float:
        return self.before + self.rolling + self.after

    @property
    def first_rate(self) -> float:
        """[rad/s] at phase 0."""
        grid, seconds = self._law()
        return float((grid[1] - grid[0]) / (seconds[1] - seconds[0]))

    def phases(self, times: Floats) -> Floats:
        """(T,) [rad]: negative before the roll, and beyond its last turn after it."""
        grid, seconds = self._law()
        since = times - self.before
        a_roll = self.rolling / self.rolls
        within = np.clip(since, 0.0, self.rolling)
        turns = np.floor(within / a_roll)
        phase = TURN * turns + np.interp(within - turns * a_roll, seconds, grid)
        rate = self.first_rate
        early = _run_up(-since, self.before)
        late = _run_up(since - self.rolling, self.after)
        result: Floats = phase + rate * (late - early)
        return result

    def _law(self) -> tuple[Floats, Floats]:
        """Phases of one turn, and the times at which it passes them."""
        grid = np.linspace(0.0, TURN, _ROWS + 1)
        slowness = 1.0 / (1.0 - self.slow * np.cos(grid))
        seconds = np.concatenate([[0.0], np.cumsum(0.5 * (slowness[1:] + slowness[:-1]))])
        return grid, seconds * (self.rolling / self.rolls / seconds[-1])


def _run_up(seconds: Floats, takes: float) -> Floats:
    """How far it goes, at unit speed at first and ever slower, until it rests after `takes` seconds."""
    if takes <= 0.0:
        return np.zeros_like(seconds)
    left = 1.0 - np.clip(seconds / takes, 0.0, 1.0)
    gone: Floats = takes / (_EARLY + 1) * (1.0 - left ** (_EARLY + 1))
    return gone
