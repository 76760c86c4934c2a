"""Keys taken away, the least needed first, and keys moved to better frames; every point stays in its tolerance."""

from collections.abc import Iterator, Sequence

import numpy as np

from ..arrays import Bools, Floats, Ints
from .curve import Curve, Proposal
from .puppet import Puppet

NEIGHBOURS = 2  # knots on either side of a key that goes; all but the outermost adapt
_HOPELESS = 30.0  # tolerances that a key holds the curve by: without such a key no neighbours help
_STRETCH = 400  # most frames worked on at once,
_AT_ONCE = 40_000  # and most points times frames, so that a slice of work stays short in long clips and big rigs
_BETTER = 0.95  # a key moves if that leaves no more than this of the strain


def thin(puppet: Puppet, curves: Sequence[Curve], allowed: float) -> Iterator[float]:
    """Tries to do without every key once. `allowed` is a part of the tolerance, squared."""
    tried = [np.copy(curve.pinned) for curve in curves]
    every = left = sum(len(curve.knots) for curve in curves)
    busy = True
    while busy:
        busy = False
        for curve, done in zip(curves, tried, strict=True):
            need = _need(curve)
            rows = _apart(np.where(done[curve.knots] | (need > _HOPELESS), np.inf, need))
            done[curve.knots[rows]] = True
            for some in _stretches(puppet, curve, rows):
                yield 1.0 - left / every
                _without(puppet, curve, some, allowed)
                busy = True
                left -= len(some)
            yield 1.0 - left / every


def slide(puppet: Puppet, curves: Sequence[Curve], allowed: float) -> Iterator[float]:
    """Tries every key one frame later and one frame earlier."""
    for number, curve in enumerate(curves):
        for step in (1, -1):
            done = np.copy(curve.pinned)
            while True:
                ahead = curve.knots[1:-1] + step
                taken = np.isin(ahead, curve.knots) | done[curve.knots[1:-1]]
                rows = _apart(np.concatenate([[np.inf], np.where(taken, np.inf, 0.0), [np.inf]]))
                done[curve.knots[rows]] = done[curve.knots[rows] + step] = True
                yield number / len(curves)
                if not len(rows):
                    break
                for some in _stretches(puppet, curve, rows):
                    _elsewhere(puppet, curve, some, step, allowed)
                    yield number / len(curves)


def _without(puppet: Puppet, curve: Curve, gone: Ints, allowed: float) -> None:
    """Takes those of the keys at frames `gone` away without which the rest can do."""
    proposal, windows = _propose(puppet, curve, gone, None)
    for start, end in windows:
        if proposal.strain[start - proposal.window.start : end + 1 - proposal.window.start].max() <= allowed:
            proposal.accept(puppet, start, end)


def _elsewhere(puppet: Puppet, curve: Curve, moving: Ints, step: int, allowed: float) -> None:
    """Moves those of the keys that leave less strain where they go."""
    proposal, windows = _propose(puppet, curve, moving, step)
    points = puppet.subtree(curve.bone)
    for start, end in windows:
        after = proposal.strain[start - proposal.window.start : end + 1 - proposal.window.start]
        before = puppet.strain(slice(start, end + 1), points).max(axis=1)
        if after.max() <= max(allowed, before.max()) and np.sum(after**2) < _BETTER * np.sum(before**2):
            proposal.accept(puppet, start, end)


def _propose(puppet: Puppet, curve: Curve, frames: Ints, step: int | None) -> tuple[Proposal, list[tuple[int, int]]]:
    """The curve without the keys at these frames, or with them `step` frames later, and the stretch that each bends."""
    last = len(curve.knots) - 1
    rows = np.searchsorted(curve.knots, frames)
    starts, ends = np.maximum(rows - NEIGHBOURS, 0), np.minimum(rows + NEIGHBOURS, last)
    loose = np.zeros((last + 1, 2), dtype=bool)
    for start, end in zip(starts, ends, strict=True):
        loose[start + (start > 0) : end + (end == last)] = True
    loose &= curve.loose(curve.knots)
    near = np.arange(starts[0], ends[-1] + 1)
    knots = curve.knots.copy()
    if step is None:
        near = near[~np.isin(near, rows)]
    else:
        knots[rows] += step
    guess = np.where(loose[near, :, None], curve.guess(knots[near]), curve.nodes[near])
    windows = list(zip(curve.knots[starts].tolist(), curve.knots[ends].tolist(), strict=True))
    return Proposal(puppet, curve, knots[near], guess, loose[near]), windows


def _need(curve: Curve) -> Floats:
    """(K,) how many tolerances the curve would leave itself at each knot if that went and nothing else adapted."""
    knots, nodes = curve.knots, curve.nodes
    need = np.full(len(knots), np.inf)
    if len(knots) > 2:
        way = (knots[2:] - knots[:-2]).astype(float)
        t = (knots[1:-1] - knots[:-2]) / way
        rise = (3.0 - 2.0 * t) * t * t
        weights = np.stack([1.0 - rise, t * (1.0 - t) ** 2 * way, rise, -t * t * (1.0 - t) * way], axis=-1)
        ends = np.concatenate([nodes[:-2], nodes[2:]], axis=1)
        moved = (weights[:, None] @ ends)[:, 0] - nodes[1:-1, 0]
        inner = knots[1:-1]
        off = (curve.effect[inner] @ moved[:, :, None])[..., 0]
        need[1:-1] = np.where(curve.pinned[inner], np.inf, np.linalg.norm(off, axis=-1) * curve.reach[inner])
    return need


def _apart(need: Floats) -> Ints:
    """Rows of keys to try at once: the least needed, so far apart that each has its own neighbours."""
    free: Bools = np.isfinite(need)
    chosen = []
    for row in np.argsort(need, kind="stable"):
        if free[row]:
            chosen.append(int(row))
            free[max(row - 2 * NEIGHBOURS + 1, 0) : row + 2 * NEIGHBOURS] = False
    return np.array(sorted(chosen), dtype=np.int64)


def _stretches(puppet: Puppet, curve: Curve, rows: Ints) -> list[Ints]:
    """The frames of these keys, in groups that are not too long."""
    below = puppet.subtree(curve.bone)
    length = max(min(_STRETCH, _AT_ONCE // (below.stop - below.start)), 1)
    frames = curve.knots[rows]
    return [frames[frames // length == part] for part in np.unique(frames // length)]
