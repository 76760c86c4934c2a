"""Which way a handle sends a roll or a fall, once it is known where handle and body are; no bpy here."""

import numpy as np

from ...sim_core.arrays import Floats
from ...sim_core.errors import SettingsError

_AT_THE_BODY_M = 0.3  # nearer than this to the hips a handle has no side: its arrow tells the way
_UPRIGHT = 0.1  # of an arrow's length: the level part of one that points nowhere
_UP = np.array([0.0, 0.0, 1.0])


def direction_of(what: str, name: str, handle: Floats, left_hip: Floats, right_hip: Floats) -> float:
    """From where the character faces, to the left where positive [deg]; `what` is "roll" or "fall".

    With the place of the handle (4, 4), and of both hips (3,) [m]. One that was moved away from the body is gone to.
    """
    ahead = np.cross(left_hip - right_hip, _UP)
    if not np.any(np.abs(ahead) > 1e-6):
        raise SettingsError(
            f"The character faces no direction where the {what} begins; clear the field Handle, or let it begin at "
            "another frame."
        )
    way = _level(handle[:3, 3] - (left_hip + right_hip) / 2.0)
    if np.linalg.norm(way) < _AT_THE_BODY_M:
        way = _level(handle[:3, 2] / max(float(np.linalg.norm(handle[:3, 2])), 1e-12))
        if np.linalg.norm(way) < _UPRIGHT:
            raise SettingsError(f"The handle '{name}' of the {what} points straight up or down; turn it to a side.")
    return float(np.degrees(np.arctan2(np.cross(ahead, way)[2], ahead @ way)))


def _level(vector: Floats) -> Floats:
    return vector * (1.0 - _UP)
