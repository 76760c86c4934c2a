"""Slopes: runs of stances whose heights rise in proportion to the way, with soles that are tilted as much."""

from collections.abc import Sequence

import numpy as np

from ..arrays import Floats
from .found import FoundRamp
from .stances import Stance

_FEWEST, _MOST = 3, 40  # stances of a run
_SHORTEST_M = 0.8
_LEAST_RISE_M = 0.1
_SLOPES = (np.tan(np.radians(3.0)), np.tan(np.radians(35.0)))
_MISFIT_M = 0.025
_TILTED = 0.5  # of the slope: soles on stairs are not tilted, though their heights rise alike
_STRIDE_M = 1.0  # a foot that comes to stand beyond the run's last stance, in its plane, is on the ramp too
_GROWN_M = 0.1
_NARROWEST_M = 0.8


def find_ramps(raised: Sequence[Stance], on_floor: Sequence[Stance]) -> tuple[list[FoundRamp], list[Stance]]:
    """The ramps, known by stances that bear, and the stances that are on none of them."""
    left, ramps = list(raised), []
    while (run := _longest_run([stance for stance in left if stance.bears], on_floor)) is not None:
        slope, at_zero = np.polyfit(*_ways(run), 1)
        first, last = np.min(_ways(run)[0]) - _STRIDE_M, np.max(_ways(run)[0]) + _STRIDE_M
        x, z = _ways(left)
        on_it = (np.abs(z - at_zero - slope * x) <= _MISFIT_M) & (x > first) & (x < last)
        ramps.append(_ramp([stance for stance, mine in zip(left, on_it, strict=True) if mine], slope, at_zero))
        left = [stance for stance, mine in zip(left, on_it, strict=True) if not mine]
    return ramps, left


def _longest_run(stances: Sequence[Stance], on_floor: Sequence[Stance]) -> Sequence[Stance] | None:
    for count in range(min(len(stances), _MOST), _FEWEST - 1, -1):
        for start in range(len(stances) - count + 1):
            run = stances[start : start + count]
            if _is_ramp(run, on_floor):
                return run
    return None


def _is_ramp(run: Sequence[Stance], on_floor: Sequence[Stance]) -> bool:
    x, z = _ways(run)
    if np.ptp(x) < _SHORTEST_M or np.ptp(z) < _LEAST_RISE_M:
        return False
    slope, at_zero = np.polyfit(x, z, 1)
    if not _SLOPES[0] < abs(slope) < _SLOPES[1] or np.abs(z - at_zero - slope * x).max() > _MISFIT_M:
        return False
    tilts = [stance.pitch - _usual_pitch(stance.side, on_floor) for stance in run]
    return bool(np.median(tilts) * np.sign(slope) > _TILTED * abs(slope))


def _usual_pitch(side: int, on_floor: Sequence[Stance]) -> float:
    """Of soles that stand on the floor: rigs and captures tilt them."""
    pitches = [stance.pitch for stance in on_floor if stance.side == side]
    return float(np.median(pitches)) if pitches else 0.0


def _ways(run: Sequence[Stance]) -> tuple[Floats, Floats]:
    """Where each stance is lowest along the path, and how high."""
    lowest = [stance.points[np.argmin(stance.points[:, 2])] for stance in run]
    return np.array([point[0] for point in lowest]), np.array([point[2] for point in lowest])


def _ramp(on_it: Sequence[Stance], slope: float, at_zero: float) -> FoundRamp:
    points = np.concatenate([stance.points for stance in on_it])
    low, high = points[:, :2].min(axis=0) - _GROWN_M, points[:, :2].max(axis=0) + _GROWN_M
    missing = max(0.0, _NARROWEST_M - (high[1] - low[1]))
    low[1], high[1] = low[1] - 0.5 * missing, high[1] + 0.5 * missing
    level = -at_zero / slope  # where it meets the floor it ends
    if low[0] < level < high[0]:
        (low if slope > 0 else high)[0] = level
    return FoundRamp(low, high, float(slope), float(at_zero))
