"""First keys: enough of them for each curve by itself, then more where bones together leave the tolerance."""

from collections.abc import Iterator, Sequence

import numpy as np

from ..arrays import Floats, Ints
from .curve import Curve
from .puppet import Puppet

FIRST_SHARE = 0.8  # of the tolerance: what each curve may spend; bones seldom err all in one direction
_NEARLY = 0.8  # of the allowed: such pieces are divided as well, while others have to be
_TIGHTER = 0.5  # what is left of that share where together they spend too much
_LEAST = 1e-4  # nothing is gained below; without an end to it rounding could keep the search going


def seek_keys(puppet: Puppet, curves: Sequence[Curve]) -> Iterator[None]:
    """Ends with every point within its tolerance: at worst, the curves above it have a key at every frame."""
    allowed = np.full((len(curves), puppet.rig.frames), FIRST_SHARE)
    blamed = np.ones(len(curves), dtype=bool)
    chains = _chains(puppet, curves)
    while blamed.any():
        for row in np.flatnonzero(blamed):
            yield from _seek_alone(curves[row], allowed[row])
            puppet.set_channels(curves[row].bone, curves[row].turns, curves[row].samples)
        yield from puppet.pose_afresh()
        strain = puppet.strain(slice(None), slice(None))
        blamed[:] = False
        for frame in np.flatnonzero(strain.max(axis=1) > 1.0):
            rows = chains[int(puppet.owner[strain[frame].argmax()])]
            rows = rows[allowed[rows, frame] > _LEAST]
            allowed[rows, frame] *= _TIGHTER
            blamed[rows] = True


def _seek_alone(curve: Curve, allowed: Floats) -> Iterator[None]:
    """Keys added at the worst frame of each piece until the curve alone is within what is allowed (T,)."""
    knots = curve.first_knots if curve.still else curve.knots
    while True:
        curve.fit_alone(knots)
        yield
        strain = curve.strain_alone() / allowed
        more = _more_frames(knots, strain)
        if strain.max() <= 1.0 or not len(more):
            return
        knots = np.union1d(knots, more)


def _more_frames(knots: Ints, strain: Floats) -> Ints:
    """Keys to add in pieces that strain too much: one at the worst frame, or as many as should do, evenly spaced."""
    found: list[int] = []
    for start, end in zip(knots[:-1].tolist(), knots[1:].tolist(), strict=True):
        worst = strain[start : end + 1].max()
        if end - start > 1 and worst > _NEARLY:
            parts = max(int(np.ceil(worst**0.25)), 2)  # a cubic is off by the fourth power of its length
            if parts == 2:
                found.append(start + 1 + int(strain[start + 1 : end].argmax()))
            else:
                found.extend(np.unique(np.linspace(start, end, parts + 1).round().astype(int))[1:-1].tolist())
    return np.array(found, dtype=np.int64)


def _chains(puppet: Puppet, curves: Sequence[Curve]) -> list[Ints]:
    """For each bone, the curves that move it."""
    chains: list[Ints] = []
    for bone, parent in enumerate(puppet.rig.parents):
        own = [row for row, curve in enumerate(curves) if curve.bone == bone]
        above = chains[parent] if parent >= 0 else []
        chains.append(np.array([*above, *own], dtype=np.int64))
    return chains
