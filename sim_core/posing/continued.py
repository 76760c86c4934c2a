"""Keys of an earlier bake up to a frame, bit for bit, and those of a later one from there on."""

from dataclasses import replace

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..motion.clip import Clip

_OVER_S = 0.2  # in which what filters make of the seam fades


def continued(clip: Clip, positions: Floats, turns: Floats, first: int) -> Clip:
    """The clip with the first frames, so many, from positions (T, J, 3) and turns (T, J, 4)."""
    if first == 0:
        return clip
    share = np.clip(1.0 - (np.arange(len(clip)) - first + 1) / max(_OVER_S * clip.fps, 1.0), 0.0, 1.0)
    share = share**2 * (3.0 - 2.0 * share)
    seam = first - 1
    off = rotations.log(rotations.multiply(turns[seam], rotations.inverse(clip.rotations[seam])))
    led_turns = rotations.multiply(rotations.exp(share[:, None, None] * off), clip.rotations)
    led_places = clip.positions + share[:, None, None] * (positions[seam] - clip.positions[seam])
    led_turns[:first], led_places[:first] = turns[:first], positions[:first]
    return replace(clip, positions=led_places, rotations=led_turns)
