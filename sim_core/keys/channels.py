"""From a bone's rotation channels to rotations, as Blender reads them."""

import numpy as np

from .. import rotations
from ..arrays import Floats
from .track import RotationKind

_STEP = 1e-6  # rad, or part of a unit quaternion: well above the rounding of rotations, well below what bends


def channel_rotations(kind: RotationKind, channels: Floats) -> Floats:
    """Unit quaternions (..., 4) of channels (..., C)."""
    if kind == "QUATERNION":
        return _unit(channels)
    if kind == "AXIS_ANGLE":
        axis, length = channels[..., 1:], np.linalg.norm(channels[..., 1:], axis=-1, keepdims=True)
        return rotations.exp(axis / np.where(length > 0.0, length, 1.0) * channels[..., :1])
    axes = ["XYZ".index(letter) for letter in reversed(kind)]  # XYZ turns about X first: Rz Ry Rx
    return rotations.from_euler(channels[..., axes], axes)


def turn_per_channel(kind: RotationKind, channels: Floats) -> Floats:
    """How the bone turns, in its own frame, as each channel changes [rad per unit]: (..., 3, C)."""
    back = rotations.inverse(channel_rotations(kind, channels))
    turns = []
    for step in np.eye(channels.shape[-1]) * _STEP:
        ahead = rotations.multiply(back, channel_rotations(kind, channels + step))
        turns.append(rotations.log(ahead) / _STEP)
    return np.stack(turns, axis=-1)


def _unit(quaternions: Floats) -> Floats:
    length = np.linalg.norm(quaternions, axis=-1, keepdims=True)
    unit: Floats = np.where(length > 0.0, quaternions / np.where(length > 0.0, length, 1.0), rotations.IDENTITY)
    return unit
