"""Stairs as solids: one block a step, in a frame with Z up."""

import numpy as np

from .solids import Cuboid


def stair_solids(
    *, steps: int, rise: float, run: float, width: float, top: float = 0.0, down: int = 0
) -> tuple[Cuboid, ...]:
    """Up along X from the origin, which is the middle of the first edge; the highest step is as long as top or run."""
    levels = [*range(1, steps + 1), *range(steps - 1, steps - 1 - down, -1)]
    blocks, start = [], 0.0
    for k, level in enumerate(levels):
        length = max(top, run) if k == steps - 1 else run
        if level > 0:
            half = 0.5 * np.array([length, width, level * rise])
            blocks.append(Cuboid(half_extents=half, centre=np.array([start + half[0], 0.0, half[2]])))
        start += length
    return tuple(blocks)
