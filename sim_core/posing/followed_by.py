"""A clip that ends before its source does, and goes over into it."""

from dataclasses import replace

import numpy as np

from .. import rotations
from ..motion.clip import Clip

_OVER_S = 0.3


def followed_by(clip: Clip, source: Clip, last: int) -> Clip:
    """The clip up to its frame `last`, from 0, then softly the source; both have the same frames and bones."""
    share = np.clip((np.arange(len(clip)) - last) / (_OVER_S * clip.fps), 0.0, 1.0)
    share = share**2 * (3.0 - 2.0 * share)
    held = np.minimum(np.arange(len(clip)), last)
    positions, turns = clip.positions[held], clip.rotations[held]
    return replace(
        clip,
        positions=positions + share[:, None, None] * (source.positions - positions),
        rotations=rotations.slerp(turns, source.rotations, np.broadcast_to(share[:, None], turns.shape[:2])),
    )
