"""Piecewise cubic curves with a value and a slope at each knot, and the curve of given knots that fits best.

A curve of C channels is `knots` (K,) ascending frames and `nodes` (K, 2, C): the value and the slope per frame.
"""

from functools import cache

import numpy as np

from ..arrays import Bools, Floats, Ints


def segments_of(knots: Ints, frames: Ints) -> Ints:
    """The piece in which each frame lies; a knot belongs to the piece that starts there, the last to the last."""
    return np.minimum(np.searchsorted(knots, frames, side="right") - 1, len(knots) - 2)


def basis(knots: Ints, frames: Ints, segments: Ints) -> Floats:
    """What value and slope at the start, then value and slope at the end of its piece give to each frame: (N, 4)."""
    way = (knots[1:] - knots[:-1])[segments].astype(float)
    t = (frames - knots[segments]) / way
    t2, t3 = t * t, t * t * t
    rise = 3.0 * t2 - 2.0 * t3
    return np.stack([1.0 - rise, (t3 - 2.0 * t2 + t) * way, rise, (t3 - t2) * way], axis=-1)


def sample(knots: Ints, nodes: Floats, frames: Ints) -> Floats:
    """The curve at the frames: (N, C)."""
    if len(knots) == 1:
        return np.repeat(nodes[:, 0], len(frames), axis=0)
    segments = segments_of(knots, frames)
    weights = basis(knots, frames, segments)
    ends = np.concatenate([nodes[segments], nodes[segments + 1]], axis=1)  # (N, 4, C)
    samples: Floats = (weights[:, None] @ ends)[:, 0]
    return samples


def fit(knots: Ints, metric: Floats, pull: Floats, guess: Floats, loose: Bools, slope_weight: float) -> Floats:
    """Nodes that minimise sum over frames of s.metric.s / 2 - pull.s, for the samples s at all frames.

    metric (F, C, C) and pull (F, C) are given for every frame from the first knot to the last. Where `loose` (K, 2) is
    False, value or slope stay as in `guess` (K, 2, C). `slope_weight` draws slopes to those of the guess: between knots
    that are neighbouring frames nothing else says what they are.
    """
    count, channels = len(knots), guess.shape[-1]
    frames = np.arange(knots[0], knots[-1] + 1)
    segments = segments_of(knots, frames)
    weights = basis(knots, frames, segments)
    starts = knots[:-1] - knots[0]
    size = 2 * channels
    # Both factors are symmetric: summing only their upper halves over the frames of each piece saves more than half.
    (row, column), whole = _halves(4)
    (metric_row, metric_column), metric_whole = _halves(channels)
    products = (weights[:, row] * weights[:, column])[:, :, None] * metric[:, metric_row, metric_column][:, None]
    sums = np.add.reduceat(products, starts, axis=0)[:, whole[:, :, None, None], metric_whole]
    blocks = sums.reshape(count - 1, 2, 2, 2, 2, channels, channels).transpose(0, 1, 3, 2, 5, 4, 6)
    blocks = blocks.reshape(count - 1, 2, 2, size, size)  # piece, end, end, node, node
    pulls = np.add.reduceat(weights[:, :, None] * pull[:, None], starts, axis=0).reshape(count - 1, 2, size)
    diagonal = np.zeros((count, size, size))
    diagonal[:-1] += blocks[:, 0, 0]
    diagonal[1:] += blocks[:, 1, 1]
    right = np.zeros((count, size))
    right[:-1] += pulls[:, 0]
    right[1:] += pulls[:, 1]
    slope = np.arange(channels, size)
    diagonal[:, slope, slope] += slope_weight
    right[:, slope] += slope_weight * guess[:, 1]
    free = np.repeat(loose, channels, axis=1).astype(float)  # (K, size)
    held = np.where(free > 0.0, 0.0, guess.reshape(count, size))
    across = blocks[:, 0, 1]
    right -= (diagonal @ held[:, :, None])[..., 0]
    right[:-1] -= (across @ held[1:, :, None])[..., 0]
    right[1:] -= (held[:-1, None] @ across)[:, 0]
    diagonal *= free[:, :, None] * free[:, None]
    every = np.arange(size)
    diagonal[:, every, every] += 1.0 - free
    across = across * free[:-1, :, None] * free[1:, None]
    return _solve_chain(diagonal, across, right * free + held).reshape(count, 2, channels)


@cache
def _halves(size: int) -> tuple[tuple[Ints, Ints], Ints]:
    """Rows and columns of the upper half of a symmetric matrix, and where in that list each of its elements is."""
    row, column = np.triu_indices(size)
    whole = np.zeros((size, size), dtype=np.int64)
    whole[row, column] = whole[column, row] = np.arange(len(row))
    return (row, column), whole


def _solve_chain(diagonal: Floats, across: Floats, right: Floats) -> Floats:
    """Solves a symmetric block tridiagonal system: `across` (K-1, n, n) stands right of the diagonal (K, n, n).

    Cyclic reduction: every second unknown is eliminated at once, and what is left is again such a system of half the
    size; a loop over all blocks would cost Python more than the numbers.
    """
    count, size = right.shape
    if count == 1:
        return np.linalg.solve(diagonal, right[..., None])[..., 0]
    up, down = across[0::2], np.zeros((count // 2, size, size))  # from an even block to the odd one after it, and on
    down[: len(across[1::2])] = across[1::2]
    known = np.concatenate([up.transpose(0, 2, 1), down, right[1::2, :, None]], axis=2)
    solved = np.linalg.solve(diagonal[1::2], known)
    from_before, from_after = up @ solved, down.transpose(0, 2, 1) @ solved
    even, rest = diagonal[0::2].copy(), right[0::2].copy()
    pairs = len(up)
    even[:pairs] -= from_before[:, :, :size]
    rest[:pairs] -= from_before[:, :, -1]
    later = len(even) - 1
    even[1:] -= from_after[:later, :, size:-1]
    rest[1:] -= from_after[:later, :, -1]
    result = np.empty_like(right)
    result[0::2] = _solve_chain(even, -from_before[:later, :, size:-1], rest)
    after = np.zeros((pairs, size))
    after[:later] = result[2::2]
    ends = np.concatenate([result[0::2][:pairs], after], axis=1)
    result[1::2] = solved[:, :, -1] - (solved[:, :, :-1] @ ends[:, :, None])[..., 0]
    return result
