"""Something to step over: both feet in turn are lifted much higher than usual over one place, and never stand there."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .found import FoundBox
from .stances import Feet, Stance

_HIGH_M = 0.2  # over a place: lower swings are ordinary
_UNUSUAL = 2.0  # times the usual height of the clip's other swings
_DOWN_M = 0.1  # a foot that bears, heel raised or not, is lower
_MOSTLY = 0.8  # of the higher half of the other foot's swing
_SHORTEST_M = 0.3  # from where a foot was to where it goes: with less it steps over nothing
_BIN_M = 0.04
_KEPT = 0.8  # of the greatest clearance: where both feet have this, the obstacle may be
_CLEARANCE_M = 0.05  # that people keep
_WIDTH_M = 0.8
_SHALLOWEST_M = 0.04


class _Swing(NamedTuple):
    side: int
    first: int
    stop: int
    height: float  # of the lowest sole point, at most


def find_obstacles(stances: Sequence[Stance], feet: Feet) -> list[FoundBox]:
    swings = sorted((s for side in (0, 1) for s in _swings(stances, feet, side)), key=lambda swing: swing.first)
    found = []
    for one, other in pairwise(swings):
        usual = [swing.height for swing in swings if swing not in (one, other)]
        high = max(_HIGH_M, _UNUSUAL * float(np.median(usual)) if usual else _HIGH_M)
        if one.side != other.side and min(one.height, other.height) > high:
            box = _between(one, other, feet)
            found += [] if box is None else [box]
    return found


def _swings(stances: Sequence[Stance], feet: Feet, side: int) -> list[_Swing]:
    """Between stances of one foot, while the other one is down: who leaps goes over nothing in particular."""
    mine = [stance for stance in stances if stance.side == side]
    swings = []
    for before, after in pairwise(mine):
        rows = slice(before.stop, after.first)
        if before.stop == after.first or abs(after.place[0] - before.place[0]) < _SHORTEST_M:
            continue
        own, other = (feet.of(foot)[rows, :, 2].min(axis=1) for foot in (side, 1 - side))
        if np.mean(other[own >= np.median(own)] < _DOWN_M) > _MOSTLY:
            swings.append(_Swing(side, before.stop, after.first, float(own.max())))
    return swings


def _between(one: _Swing, other: _Swing, feet: Feet) -> FoundBox | None:
    """Where the lowest sole of both passed highest."""
    points = np.concatenate([feet.of(swing.side)[swing.first : swing.stop].reshape(-1, 3) for swing in (one, other)])
    all_x = feet.soles[..., 0].ravel()
    rows = np.floor((points[:, 0] - all_x.min()) / _BIN_M).astype(np.int64)
    lowest = np.full(int(np.floor(np.ptp(all_x) / _BIN_M)) + 1, np.inf)
    everywhere = np.floor((all_x - all_x.min()) / _BIN_M).astype(np.int64)
    np.minimum.at(lowest, everywhere, feet.soles[..., 2].ravel())
    passed = np.unique(rows)
    best = passed[np.argmax(lowest[passed])]
    if lowest[best] < _HIGH_M:
        return None
    first = last = int(best)
    while first - 1 in passed and lowest[first - 1] >= _KEPT * lowest[best]:
        first -= 1
    while last + 1 in passed and lowest[last + 1] >= _KEPT * lowest[best]:
        last += 1
    top = float(lowest[first : last + 1].min()) - _CLEARANCE_M
    across = float(np.median(points[:, 1]))
    along = all_x.min() + 0.5 * (first + last + 1) * _BIN_M
    depth = max((last - 1 - first) * _BIN_M, _SHALLOWEST_M)  # a heel may come down right behind it
    half = 0.5 * np.array([depth, _WIDTH_M])
    return FoundBox(np.array([along, across]) - half, np.array([along, across]) + half, top)
