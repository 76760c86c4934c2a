"""The pose that a rig has now, kept as an action of one frame."""

from typing import TYPE_CHECKING

import bpy

from ..compat import new_curve
from .bone_channels import rotation_path
from .curve_keys import held_keys, write_keys

if TYPE_CHECKING:
    from bpy.types import Action, Object, PoseBone

_FRAME = 1.0


def store_pose(armature: "Object", name: str) -> "Action":
    """A new action that nothing plays, and that files keep; the rig stays as it is."""
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    for bone in armature.pose.bones:
        for path, values in _channels(bone).items():
            for index, value in enumerate(values):
                write_keys(new_curve(action, armature, path, index, bone.name), held_keys([_FRAME], [value]))
    return action


def _channels(bone: "PoseBone") -> dict[str, list[float]]:
    """Also what switches a control rig between FK and IK."""
    channels = {
        bone.path_from_id(name): list(getattr(bone, name)) for name in ("location", rotation_path(bone), "scale")
    }
    for name, value in bone.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            channels[f'{bone.path_from_id()}["{bpy.utils.escape_identifier(name)}"]'] = [float(value)]
    return channels
