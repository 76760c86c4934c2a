"""What a handle makes of a disturbance, once it is known where handle and body are; no bpy here."""

from dataclasses import replace

import numpy as np

from ...sim_core.arrays import Floats
from .disturbance import Disturbance, Triple

_AT_THE_BONE_M = 0.1  # nearer than this a handle has no side: its arrow tells the way
_STILL_M = 1e-3


def aimed(item: Disturbance, handles: Floats, bone: Floats) -> Disturbance:
    """With places of the handle (T, 4, 4) in its frames, and the bone's place (3,) in the first of them [m].

    A push goes where the arrow points. A throw comes from where the handle stands. A pull leads to the handle, wherever
    it goes.
    """
    arrow = handles[0, :3, 2] / max(float(np.linalg.norm(handles[0, :3, 2])), 1e-12)
    if item.kind == "PUSH":
        return replace(item, force=_triple(item.strength * arrow), space="WORLD", handle=None)
    if item.kind == "THROW":
        away = handles[0, :3, 3] - bone
        direction = away / np.linalg.norm(away) if np.linalg.norm(away) > _AT_THE_BONE_M else -arrow
        return replace(item, side="DIRECTION", direction=_triple(direction), handle=None)
    points = handles[:, :3, 3]
    if np.ptp(points, axis=0).max() < _STILL_M:
        points = points[:1]
    return replace(item, points=tuple(map(_triple, points)), handle=None)


def _triple(values: Floats) -> Triple:
    x, y, z = (float(value) for value in values)
    return x, y, z
