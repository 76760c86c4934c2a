"""Working through long clips in pieces, so that intermediate arrays stay small however long the clip is."""

from collections.abc import Callable, Sequence

import numpy as np

from ..arrays import Floats

_FRAMES_AT_ONCE = 512  # some megabytes an array: little memory, and fastest among 64 to 5000


def in_pieces(function: Callable[..., Sequence[Floats]], *rows: Floats) -> list[Floats]:
    """The results of a function over rows (T, ...), joined along T; a single row (n,) is passed as it is."""
    if rows[0].ndim == 1:
        return list(function(*rows))
    starts = range(0, max(len(rows[0]), 1), _FRAMES_AT_ONCE)
    pieces = [function(*(row[start : start + _FRAMES_AT_ONCE] for row in rows)) for start in starts]
    return [np.concatenate(parts) for parts in zip(*pieces, strict=True)]
