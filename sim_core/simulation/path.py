"""A way through the whole clip, or its beginning: windows one after another, and what they cost."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from .trial import Leg

Path: TypeAlias = tuple[Leg, ...]
_UNSOUND = 25.0  # what a body that is about to fall costs, beside others that are


class Region(NamedTuple):
    """Windows, counted from 0, in which something was given up; the last is included."""

    first: int
    last: int


class Rank(NamedTuple):
    """Smaller is better, in this order: how much is lost, how much help it takes, how well it plays."""

    lost_steps: int
    assist: float  # [N s], coarse enough not to trade the performance for a breath of help
    cost: float


def reached(path: Sequence[Leg]) -> int:
    """The step up to which nothing is lost."""
    if not path:
        return 0
    for leg in path:
        if leg.stretch.failure is not None and leg.stretch.failed_step is not None:
            return leg.stretch.failed_step
    return path[-1].stretch.end.step


def sound_part(path: Path) -> Path:
    """The windows before the one in which something is lost."""
    fell = next((k for k, leg in enumerate(path) if leg.stretch.failure is not None), len(path))
    return path[:fell]


def assist_of(path: Sequence[Leg], rate: float) -> float:
    """[N s]"""
    return sum(leg.health.assist_n * len(leg.stretch) / rate for leg in path)


def rank(path: Sequence[Leg], until: int, rate: float) -> Rank:
    """Of the way to a step."""
    if not path:
        return Rank(until, 0.0, 0.0)
    end = path[-1].health
    cost = float(np.mean([leg.health.playing_cost for leg in path])) + end.cost
    return Rank(max(until - reached(path), 0), round(assist_of(path, rate), 1), cost + _UNSOUND * (not end.is_sound))


def given_up(path: Sequence[Leg]) -> list[Region]:
    """Where help was used or, last, from where on the performance is lost."""
    regions: list[Region] = []
    for k, leg in enumerate(path):
        if leg.stretch.failure is not None:
            return [*regions, Region(k, len(path) - 1)]
        if leg.window.assist_limit > 0.0:
            if regions and regions[-1].last == k - 1:
                regions[-1] = Region(regions[-1].first, k)
            else:
                regions.append(Region(k, k))
    return regions
