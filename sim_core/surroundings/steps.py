"""Steps, blocks and platforms: level patches at other heights than the floor, as boxes."""

from collections.abc import Sequence

import numpy as np

from ..arrays import Floats
from .found import FoundBox
from .stances import Feet, Stance

_SAME_LEVEL_M = 0.045
_NEIGHBOURS_M = 0.5
_GROWN_M = 0.08
_NARROWEST_M = 0.8
_THROUGH_M = 0.03  # a sole this much below the top of a box shows that it is not there
_CORE_M = 0.02  # soles may stand out over an edge by this much
_GAP_M = 0.3  # between two treads there is none


def find_steps(raised: Sequence[Stance], feet: Feet) -> list[FoundBox]:
    """Along the path."""
    groups = _levels(raised)
    boxes = [_box(group, groups, feet) for group in groups]
    return sorted((_without_gaps(box, boxes) for box in boxes), key=lambda box: (box.low[0], box.top))


def _levels(raised: Sequence[Stance]) -> list[list[Stance]]:
    """Stances side by side at one height; in each group at least one bears."""
    left = sorted(raised, key=lambda stance: stance.height)
    groups: list[list[Stance]] = []
    while left:
        group, grown = [left.pop(0)], True
        while grown:
            joining = [stance for stance in left if any(_on_one_level(stance, other) for other in group)]
            left = [stance for stance in left if not any(stance is other for other in joining)]
            group += joining
            grown = bool(joining)
        if any(stance.bears for stance in group):
            groups.append(group)
    return groups


def _on_one_level(a: Stance, b: Stance) -> bool:
    apart = np.maximum(_low(a) - _high(b), _low(b) - _high(a))
    return abs(a.height - b.height) < _SAME_LEVEL_M and bool(apart.max() < _NEIGHBOURS_M)


def _low(stance: Stance) -> Floats:
    low: Floats = stance.points[:, :2].min(axis=0)
    return low


def _high(stance: Stance) -> Floats:
    high: Floats = stance.points[:, :2].max(axis=0)
    return high


def _box(group: Sequence[Stance], groups: Sequence[Sequence[Stance]], feet: Feet) -> FoundBox:
    top = float(np.median([stance.height for stance in group if stance.bears]))
    low, high = np.min([_low(s) for s in group], axis=0), np.max([_high(s) for s in group], axis=0)
    core = FoundBox(low + _CORE_M, high - _CORE_M, top)
    sides = np.concatenate([stance.points[:, 1] for others in groups for stance in others])
    middle, width = 0.5 * (sides.min() + sides.max()), max(_NARROWEST_M, np.ptp(sides) + 2.0 * _GROWN_M)
    grown = FoundBox(
        np.array([low[0] - _GROWN_M, middle - 0.5 * width]), np.array([high[0] + _GROWN_M, middle + 0.5 * width]), top
    )
    points = feet.soles.reshape(-1, 3)
    return _out_of_the_way(grown, core, points[points[:, 2] < top - _THROUGH_M, :2])


def _out_of_the_way(box: FoundBox, core: FoundBox, passed: Floats) -> FoundBox:
    """The box without the places (N, 2) that soles have passed below its top, as far as its own soles allow."""
    low, high = box.low.copy(), box.high.copy()
    passed = passed[((passed < core.low) | (passed > core.high)).any(axis=1)]
    while len(passed := passed[((passed > low) & (passed < high)).all(axis=1)]):
        deepest = passed[np.argmax(np.minimum(passed - low, high - passed).min(axis=1))]
        sizes = high - low
        # What each of four cuts would cost of the area, for those that leave the box's own soles on it.
        costs = np.concatenate([(deepest - low) / sizes, (high - deepest) / sizes])
        costs[np.concatenate([deepest > core.low, deepest < core.high])] = np.inf
        side = int(np.argmin(costs))
        if side < 2:
            low[side] = deepest[side]
        else:
            high[side - 2] = deepest[side - 2]
    return FoundBox(low, high, box.top)


def _without_gaps(box: FoundBox, boxes: Sequence[FoundBox]) -> FoundBox:
    """The lower of two treads goes on to the higher one."""
    low, high = box.low.copy(), box.high.copy()
    for other in boxes:
        beside = min(box.high[1], other.high[1]) - max(box.low[1], other.low[1]) > 0.0
        if not (other.top > box.top and beside):
            continue
        if 0.0 < other.low[0] - box.high[0] < _GAP_M:
            high[0] = max(high[0], other.low[0])
        if 0.0 < box.low[0] - other.high[0] < _GAP_M:
            low[0] = min(low[0], other.high[0])
    return FoundBox(low, high, box.top)
