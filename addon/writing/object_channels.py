"""Where an object should be, as the numbers in its own channels, with parents, deltas and rotation modes."""

from typing import TYPE_CHECKING

import numpy as np
from mathutils import Quaternion

from ...sim_core import rotations
from ...sim_core.arrays import Floats
from ..world.placements import rotations_onto
from .bone_channels import ROTATION_PATHS, rotation_channels

if TYPE_CHECKING:
    from bpy.types import Object


def object_channels(item: "Object", before: Floats, wanted: Floats) -> dict[str, Floats]:
    """Location and rotation (T, size) that put the object at `wanted` (T, 4, 4) in the world.

    `before` (T, 4, 4) is what Blender multiplies with the object's own transform: its parent. Scale stays as it is.
    """
    basis = np.linalg.inv(before) @ wanted
    scale = np.diag(np.array(item.scale) * np.array(item.delta_scale))
    turns = rotations_onto(scale, basis[:, :3, :3])
    turns = rotations.multiply(rotations.inverse(_delta_rotation(item)), turns)
    path = rotation_path(item)
    nearby = np.array(getattr(item, path), dtype=float)
    return {
        "location": basis[:, :3, 3] - np.array(item.delta_location),
        path: rotation_channels(item.rotation_mode, turns, nearby),
    }


def rotation_path(item: "Object") -> str:
    return ROTATION_PATHS.get(item.rotation_mode, "rotation_euler")


def _delta_rotation(item: "Object") -> Floats:
    if item.rotation_mode == "QUATERNION":
        turn = item.delta_rotation_quaternion
    elif item.rotation_mode == "AXIS_ANGLE":
        turn = Quaternion()  # Blender has no delta for it
    else:
        turn = item.delta_rotation_euler.to_quaternion()
    return np.array(turn, dtype=float)
