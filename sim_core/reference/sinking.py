"""Hips that sink for feet to reach: how far a leg is too short, and the pelvis lowered softly by as much."""

import numpy as np
from scipy.ndimage import maximum_filter1d

from ..arrays import Floats
from ..body.body import Body
from ..filters import low_pass

LONGEST = 0.985  # of a leg's length, while it stands: a straighter knee snaps, and cannot push the body about
_FLAT, _STEEP = 0.25, 0.5  # rise of a leg over its length: one that is flatter lies, and a steeper one stands
_EASE_HZ = 2.0
_AHEAD_S = 0.2  # the pelvis begins to sink this much before it has to


def leg_length(body: Body, side: str) -> float:
    """From hip to ankle, of a straight leg [m]; sides are "l" and "r"."""
    return float(sum(np.linalg.norm(body.links[body.index(f"{name}_{side}")].offset) for name in ("shin", "foot")))


def steepness(hip: Floats, ankle: Floats, normal: Floats) -> Floats:
    """(T,) from 0 to 1: whether legs stand below their hips, or lie."""
    apart = hip - ankle
    length = np.sqrt(np.maximum(np.sum(apart**2, axis=-1), 1e-12))
    share: Floats = np.clip((apart @ normal / length - _FLAT) / (_STEEP - _FLAT), 0.0, 1.0)
    return share


def too_high(hip: Floats, ankle: Floats, longest: float, normal: Floats) -> Floats:
    """(T,) how far hips (T, 3) would have to sink for legs no longer than this to reach; negative where they do [m].

    A leg that lies is not made shorter by that.
    """
    apart = hip - ankle
    up = apart @ normal
    across = np.sum(apart**2, axis=-1) - up**2
    excess = up - np.sqrt(np.maximum(longest**2 - across, 0.0))
    lacking: Floats = np.where(excess > 0.0, steepness(hip, ankle, normal) * excess, excess)
    return lacking


def eased_sinking(needed: Floats, rate: float, most_m: float) -> Floats:
    """(T,) a soft way down that is hardly ever less than what is needed (T,) [m]."""
    held = maximum_filter1d(np.clip(needed, 0.0, most_m), max(1, int(2.0 * _AHEAD_S * rate)))
    return np.maximum(low_pass(held, rate, _EASE_HZ), 0.0)
