"""A pose that is held: the same at every step, with its centre of mass over what it stands on.

A plan over time, as motions have it, would begin and end with a drift; standing still, the place is all there is.
"""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..scene import Scene
from .com_plan import stance_of
from .contacts import ContactLabels
from .shift_body import shift_pelvis, sinking, standing
from .sinking import LONGEST
from .support import ground_axes

_ROWS = 8  # enough for what differentiates
_PASSES = 4  # legs stay behind where the pelvis goes, so that the centre of mass goes less far
_FARTHEST_M = 0.12  # a pose that would have to go farther is another one, and may fall
_DEEPEST_M = 0.06


def stayed(pose: Floats, rows: int) -> Floats:
    """(S, nq) of a pose (nq,)."""
    return np.tile(pose, (rows, 1))


def over_its_feet(q: Floats, body: Body, contacts: ContactLabels, scene: Scene, rate: float) -> Floats:
    """The first pose of q (S, nq), held, with the pelvis moved by as little as brings it over its support."""
    labels = ContactLabels(*(np.repeat(part[:1], _ROWS, axis=0) for part in contacts))
    ground, axes = scene.ground, ground_axes(scene.ground)
    still = standing(stayed(q[0], _ROWS), body, labels.feet, rate)
    moved, shift = still.q, np.zeros((_ROWS, 3))
    for _ in range(_PASSES):
        stance = stance_of(body, moved, labels, scene, rate)
        points = stance.zero_moment_points(np.zeros_like(stance.com))
        off = np.where(stance.support.exists[:, None], stance.support.nearest(points) - points, 0.0)
        shift = _no_farther(shift + off @ axes[:, :2].T)
        sunk = sinking(still, shift, body, ground, straight=LONGEST, most_m=_DEEPEST_M)
        moved = shift_pelvis(still, shift - sunk[:, None] * ground.normal, body, ground)
    return stayed(moved[0], len(q))


def _no_farther(shift: Floats) -> Floats:
    length = np.maximum(np.linalg.norm(shift, axis=1, keepdims=True), _FARTHEST_M)
    no_farther: Floats = shift * (_FARTHEST_M / length)
    return no_farther
