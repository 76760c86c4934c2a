"""A copy of a rig or another object for a moment, so that an action can be played without touching the original."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import bpy

from ..compat import assign_action
from ..leftovers import mark

if TYPE_CHECKING:
    from bpy.types import Action, Object


@contextmanager
def copy_with_action(armature: "Object", action: "Action") -> Iterator["Object"]:
    """A copy, in no scene, that plays the action. Constraints and drivers of a rig point to the copy."""
    copy = armature.copy()
    try:
        mark(copy)
        copy.is_runtime_data = True  # a file saved meanwhile is saved without it
        assign_action(copy, action)
        for bone in copy.pose.bones if copy.pose is not None else ():
            bone.custom_shape = None  # Blender would look up and evaluate these objects too
        yield copy
    finally:
        with suppress(ReferenceError):
            bpy.data.objects.remove(copy)
