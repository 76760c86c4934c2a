"""The fall that is set on a rig, as it was when it was asked for."""

from typing import Any

import numpy as np
from bpy.types import Object, Scene

from ...sim_core.errors import SettingsError
from ..aiming.chosen_handle import handle_of
from ..panel.body_check import bones_of
from .fall import Fall


def fall_of(armature: Object, scene: Scene) -> Fall | None:
    """None where the rig is to do something else; raises where it cannot be."""
    if armature.heft.motion != "FALL":
        return None
    item = armature.heft.fall
    directed = item.where == "DIRECTION"
    handle = handle_of(item.handle, "fall") if directed else None
    return Fall(
        style=item.style,
        strength=item.strength,
        reaction_s=item.reaction,
        then=item.then,
        at=item.frame if item.use_frame else None,
        direction_deg=float(np.degrees(item.direction)) if directed and handle is None else None,
        handle=handle,
        landing=handle_of(item.landing, "fall"),
        protect=_protected(item, armature, scene),
    )


def _protected(item: Any, armature: Object, scene: Scene) -> tuple[str, ...]:
    """The parts of the body that the bones belong to, each once."""
    segments = {bone: segment for segment, bone in bones_of(armature, scene).items()}
    found = (_segment_of(each.bone, segments, armature) for each in item.protect if each.bone)
    return tuple(dict.fromkeys(found))


def _segment_of(name: str, segments: dict[str, str], armature: Object) -> str:
    """Of a bone that is simulated, or of the nearest above it that is: a finger belongs to its hand."""
    bone = armature.data.bones.get(name)
    if bone is None:
        raise SettingsError(f"The rig has no bone '{name}' to protect any more; choose another, or remove it.")
    while bone is not None:
        if bone.name in segments:
            return segments[bone.name]
        bone = bone.parent
    raise SettingsError(f"The bone '{name}' belongs to no part of the body that falls; protect another, or remove it.")
