"""Feet that slide: too fast to stand and too slow to swing, while they are too low for either to be told by height.

Captured swings pass as low over the ground as dragged feet do, and as long: it is by their speed that they differ.
"""

import numpy as np

from ..arrays import Bools, Floats
from ..filters import without_blinks
from ..settings import ReferenceSettings

_SHORTEST_GAP_S = 0.045
_SHORTEST_S = 0.12  # feet that leave and land are low and fast for up to 0.11 s (measured on walks)
_FASTEST_M_S = (
    2.0  # on average: dragged legs and dancers' slides reach 1.9, swings that pass low 2.6 and more (measured)
)


def sliding(heights: Floats, speeds: Floats, down: Bools, rate: float, settings: ReferenceSettings) -> Bools:
    """(T, 2) left, right, by the heights [m] and speeds [m/s] of their lowest points, and whether they are down."""
    low = (heights < settings.contact_height_m) & (speeds >= settings.contact_speed_m_s) & ~down
    steady = without_blinks(low, rate, gap_s=_SHORTEST_GAP_S, touch_s=_SHORTEST_S) & ~down
    slides = np.zeros_like(down)
    for foot in range(2):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], steady[:, foot], [False]]).astype(int)))
        for first, stop in zip(edges[::2], edges[1::2], strict=True):
            lasts = stop - first >= _SHORTEST_S * rate
            slides[first:stop, foot] = lasts and speeds[first:stop, foot].mean() < _FASTEST_M_S
    return slides
