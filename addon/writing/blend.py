"""The clip that is written: the bake on the bones it may move, eased in and out of the source."""

from dataclasses import replace

import numpy as np

from ...sim_core import rotations
from ...sim_core.arrays import Bools, Floats
from ...sim_core.motion.clip import Clip


def blend_weights(frames: int, blend_in: int, blend_out: int) -> Floats:
    """(T,) how much of the bake each frame holds: 0 at the first frame of a blend in and the last of a blend out."""
    place = np.arange(frames, dtype=float)
    weights = np.ones(frames)
    for length, distance in ((blend_in, place), (blend_out, place[::-1])):
        if length > 0:
            weights = np.minimum(weights, _smoothstep(distance / length))
    return weights


def blended(source: Clip, result: Clip, bones: Bools, weights: Floats) -> Clip:
    """The source with these bones (J,) turned and moved towards the result, by weights (T,), on their parents."""
    share = weights[:, None] * bones
    partly = (share > 0.0) & (share < 1.0)
    turned = np.where(share[..., None] > 0.0, result.rotations, source.rotations)
    turned[partly] = rotations.slerp(source.rotations[partly], result.rotations[partly], share[partly])
    moved = source.positions + share[..., None] * (result.positions - source.positions)
    moved = np.where(share[..., None] == 1.0, result.positions, moved)
    return replace(source, rotations=turned, positions=moved)


def _smoothstep(way: Floats) -> Floats:
    t = np.clip(way, 0.0, 1.0)
    smooth: Floats = t * t * (3.0 - 2.0 * t)
    return smooth
