"""Feet that swing keep clear of the ground: they leave it and come to it steeply, as feet do that nothing holds.

What glides a finger's breadth above the ground looks like skating, and in a simulation it scrapes: a captured toe that
swings at 3 m/s passes the ground at a height that is smaller than the error with which it can be followed.
"""

import numpy as np
from scipy.ndimage import distance_transform_edt, label

from ..arrays import Bools, Floats
from ..filters import low_pass

_EASE_HZ = 8.0
_FAST_M_S = 1.0  # from this speed on a foot has all its clearance


def swing_lift(
    lowest: Floats, speeds: Floats, down: Bools, rate: float, *, clearance_m: float, rise_s: float
) -> Floats:
    """(S,) how far to lift a foot whose lowest sole point is at a height (S,) [m] and moves along the ground with a
    speed (S,) [m/s]; nothing while the foot is down (S,), and little where it rises without going anywhere."""
    share = _shares(down, rate, rise_s)
    clearance = clearance_m * np.minimum(speeds / _FAST_M_S, 1.0)
    needed = np.maximum(clearance - np.maximum(lowest, 0.0), 0.0)
    lift: Floats = share * np.maximum(low_pass(needed, rate, _EASE_HZ), 0.0)
    return lift


def _shares(down: Bools, rate: float, rise_s: float) -> Floats:
    """(S,) 0 while a foot is down, 1 while it swings; a swing too short to rise rises less, by the square of its time,
    as anything does that is thrown up for a while."""
    shares = np.zeros(len(down))
    if not down.any():
        return np.ones(len(down))
    away = distance_transform_edt(~down) / rate
    swings, count = label(~down)
    for swing in range(1, count + 1):
        rows = swings == swing
        time_s = min(rise_s, float(away[rows].max()))
        t = np.minimum(away[rows] / time_s, 1.0)
        shares[rows] = (time_s / rise_s) ** 2 * t**3 * (10.0 - 15.0 * t + 6.0 * t**2)
    return shares
