"""A height field as engines need it."""

from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from ..world.solids import HeightField

# Engines touch a triangle at few points, and a foot rocks on few; with smaller cells it trembles, and MuJoCo is slow.
_CELL_M = 0.1  # at most
_MOST_SAMPLES = 1_000_000


class HeightGrid(NamedTuple):
    """The same surface on a finer grid, around its own middle."""

    middle: Floats  # (3,) half-way between its edges and between its lowest and highest, in the thing's frame
    half: Floats  # (3,) half of its length, width and rise
    cell: float  # [m]
    heights: Floats  # (NX, NY) over the lowest


def height_grid(field: HeightField) -> HeightGrid:
    parts = int(np.ceil(field.cell / _CELL_M - 1e-9))
    parts = max(min(parts, int(np.sqrt(_MOST_SAMPLES / field.heights.size))), 1)
    heights = _finer(_finer(field.heights, parts).T, parts).T
    low, rise = float(heights.min()), float(np.ptp(heights))
    half = 0.5 * np.array([*field.extent, rise])
    middle = np.array([*field.corner, low]) + half
    return HeightGrid(middle, half, field.cell / parts, heights - low)


def _finer(rows: Floats, parts: int) -> Floats:
    """So many rows in place of one, straight in between."""
    at = np.arange((len(rows) - 1) * parts + 1) / parts
    below = np.minimum(at.astype(np.int64), len(rows) - 2)
    share = (at - below)[:, None]
    finer: Floats = rows[below] * (1.0 - share) + rows[below + 1] * share
    return finer
