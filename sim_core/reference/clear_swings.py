"""Feet that swing keep clear of the ground: they leave it and come to it steeply, as feet do that nothing holds.

What glides a finger's breadth above the ground looks like skating, and in a simulation it scrapes: a captured toe that
swings at 3 m/s passes the ground at a height that is smaller than the error with which it can be followed.
"""

import numpy as np

from ..arrays import Bools, Floats
from ..filters import low_pass

_EASE_HZ = 8.0
_FAST_M_S = 1.0  # from this speed on a foot has all its clearance


def swing_lift(
    lowest: Floats, speeds: Floats, down: Bools, rate: float, *, clearance_m: float, rise_s: Floats
) -> Floats:
    """(S,) how far to lift a foot whose lowest sole point is at a height (S,) [m] and moves along the ground with a
    speed (S,) [m/s]; nothing while the foot is down (S,), and little where it rises without going anywhere.

    Rising takes the time (S,) that is given where a swing begins, and sinking the one where it ends.
    """
    share = _shares(down, rate, rise_s)
    clearance = clearance_m * np.minimum(speeds / _FAST_M_S, 1.0)
    needed = np.maximum(clearance - np.maximum(lowest, 0.0), 0.0)
    lift: Floats = share * np.maximum(low_pass(needed, rate, _EASE_HZ), 0.0)
    return lift


def _shares(down: Bools, rate: float, rise_s: Floats) -> Floats:
    """(S,) 0 while a foot is down, 1 while it swings; a swing too short to rise rises less, by the square of its time,
    as anything does that is thrown up for a while."""
    shares = np.zeros(len(down))
    edges = np.flatnonzero(np.diff(np.concatenate([[True], down, [True]]).astype(int)))
    for first, stop in zip(edges[::2], edges[1::2], strict=True):
        begins, ends = first > 0, stop < len(down)  # others are cut by an end of the clip
        up_s, down_s = rise_s[first] if begins else 0.0, rise_s[stop - 1] if ends else 0.0
        enough = min(1.0, (stop - first + 1) / rate / max(up_s + down_s, 1e-9))
        steps = np.arange(first, stop)
        t = np.ones(stop - first)
        if begins:
            t = np.minimum(t, (steps - first + 1) / rate / (enough * up_s))
        if ends:
            t = np.minimum(t, (stop - steps) / rate / (enough * down_s))
        shares[first:stop] = enough**2 * t**3 * (10.0 - 15.0 * t + 6.0 * t**2)
    return shares
