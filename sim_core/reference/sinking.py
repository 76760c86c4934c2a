"""Hips that sink for feet to reach: how far a leg is too short, and the pelvis lowered softly by as much."""

import numpy as np
from scipy.ndimage import maximum_filter1d

from ..arrays import Floats
from ..body.body import Body
from ..filters import low_pass

LONGEST = 0.985  # of a leg's length, while it stands: a straighter knee snaps, and cannot push the body about
_EASE_HZ = 2.0
_AHEAD_S = 0.2  # the pelvis begins to sink this much before it has to


def leg_length(body: Body, side: str) -> float:
    """From hip to ankle, of a straight leg [m]; sides are "l" and "r"."""
    return float(sum(np.linalg.norm(body.links[body.index(f"{name}_{side}")].offset) for name in ("shin", "foot")))


def too_high(hip: Floats, ankle: Floats, longest: float, normal: Floats) -> Floats:
    """(T,) how far hips (T, 3) would have to sink for legs no longer than this to reach; negative where they do [m]."""
    apart = hip - ankle
    up = apart @ normal
    across = np.sum(apart**2, axis=-1) - up**2
    excess: Floats = up - np.sqrt(np.maximum(longest**2 - across, 0.0))
    return excess


def eased_sinking(needed: Floats, rate: float, most_m: float) -> Floats:
    """(T,) a soft way down that is hardly ever less than what is needed (T,) [m]."""
    held = maximum_filter1d(np.clip(needed, 0.0, most_m), max(1, int(2.0 * _AHEAD_S * rate)))
    return np.maximum(low_pass(held, rate, _EASE_HZ), 0.0)
