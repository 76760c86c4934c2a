"""Where keys are to keep what is sudden: a body that is stopped within a hundredth of a second was in free fall before.

A filter that spreads such a blow over a tenth of a second lets the ground push a body that is still in the air. So
around hard blows, and around the take-off of a flight that ends in one, keys are filtered less.
"""

from itertools import pairwise

import numpy as np
from scipy.ndimage import maximum_filter1d, uniform_filter1d

from ..arrays import Bools, Floats
from .recording import Recording

_HARD = 8.0  # body weights: no landing on feet; over
_FELT_S = 0.01
_AROUND_S = 0.25
_EASED_S = 0.15
_BEARS = 0.02  # of the body's weight: who bears less is in the air
_FLIGHT_S = 0.1


def crispness(recording: Recording, weight: float) -> Floats:
    """(S,) from 0, as ever, to 1, at each step."""
    rate = recording.rate
    load = recording.ground_force.sum(axis=1) / weight
    felt = uniform_filter1d(load, max(1, round(_FELT_S * rate)))
    hard = felt > _HARD
    if not hard.any():
        return np.zeros(len(load))
    hard |= _take_offs(load > _BEARS, hard, rate)
    near = maximum_filter1d(hard.astype(float), 2 * round((_AROUND_S + _EASED_S) * rate) + 1)
    window = np.hanning(2 * round(_EASED_S * rate) + 3)
    eased = np.convolve(np.pad(near, len(window) // 2, mode="edge"), window / window.sum(), mode="valid")
    return np.where(maximum_filter1d(near, len(window)) > 0.0, np.clip(eased, 0.0, 1.0), 0.0)


def _take_offs(bears: Bools, hard: Bools, rate: float) -> Bools:
    """(S,) where flights begin that end in a hard blow."""
    begins = np.zeros(len(bears), dtype=bool)
    changes = np.flatnonzero(np.diff(bears.astype(int)))
    for leaves, lands in pairwise(changes):
        flies = bears[leaves] and lands - leaves > _FLIGHT_S * rate
        if flies and hard[lands : lands + round(_FLIGHT_S * rate)].any():
            begins[leaves] = True
    return begins
