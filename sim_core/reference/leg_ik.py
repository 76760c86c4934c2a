"""Legs that reach: thigh and shin turned so that the ankle comes to a given place, the knee kept in its plane."""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats

_STRAIGHT = 0.2  # of the thigh: a knee bent out by less than this is steered forward, for noise not to snap it round
_ALMOST_STRAIGHT = 0.9995  # of the leg's length: a fully straight knee has no way to bend back


class LegTurns(NamedTuple):
    thigh: Floats  # (T, 4) rotation in the world to put before the thigh's own
    shin: Floats  # (T, 4)
    ankle: Floats  # (T, 3) where the ankle comes to, which is the target unless that is out of reach


def reach(hip: Floats, knee: Floats, ankle: Floats, target: Floats, forward: Floats | None = None) -> LegTurns:
    """World turns of thigh and shin that move the ankle to the target, all (T, 3).

    The knee stays on the side where it is; where the leg is so straight that there is hardly one, it bends `forward`.
    """
    thigh, shin = knee - hip, ankle - knee
    upper, lower = _length(thigh), _length(shin)
    towards = target - hip
    distance = np.clip(_length(towards), np.abs(upper - lower) + 1e-6, _ALMOST_STRAIGHT * (upper + lower))
    direction = towards / np.maximum(_length(towards), 1e-9)
    side = thigh
    if forward is not None:
        out = _across(thigh, ankle - hip) / upper
        bent_out = _length(out)
        # One that is bent back a little is brought round to the front: halfway it would have no side at all.
        bent_back = np.maximum(-np.sum(out * forward, axis=-1, keepdims=True), 0.0)
        comes_round = np.clip(3.0 - 2.0 * bent_out / _STRAIGHT, 0.0, 1.0)
        steered = np.maximum(_STRAIGHT - bent_out, 0.0) + 2.0 * comes_round * bent_back
        side = thigh + steered * upper * forward
    # The knee goes round with the leg: a long swing would else pass it, and turn it to the back.
    pole = _across(rotations.rotate(rotations.between_vectors(ankle - hip, towards), side), direction)
    pole = pole / np.maximum(_length(pole), 1e-9)
    along = (distance**2 + upper**2 - lower**2) / (2.0 * distance)  # law of cosines
    out = np.sqrt(np.maximum(upper**2 - along**2, 0.0))
    new_knee = hip + along * direction + out * pole
    new_ankle = hip + distance * direction
    return LegTurns(
        rotations.between_vectors(thigh, new_knee - hip),
        rotations.between_vectors(shin, new_ankle - new_knee),
        new_ankle,
    )


def _across(vector: Floats, direction: Floats) -> Floats:
    """The part of a vector across a direction."""
    along = np.sum(vector * direction, axis=-1, keepdims=True) / np.sum(direction**2, axis=-1, keepdims=True)
    across: Floats = vector - along * direction
    return across


def _length(vector: Floats) -> Floats:
    length: Floats = np.linalg.norm(vector, axis=-1, keepdims=True)
    return length
