"""What the box of a fall does: presets, when it begins, its handles, and the bones that it spares."""

from math import pi
from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty
from bpy.types import Context, Object, Operator
from mathutils import Matrix

from ..active_rig import rig_of
from ..disturbances.shown_body import ShownBody
from ..falls.kinds import MOST_PROTECTED, PRESETS
from .aim_operators import AddHandle, AtCurrentFrame, RigOperator

_AHEAD_M = 1.0  # of where it stands, the place to land at first
_PRESET_ITEMS = [(identifier, preset.name, preset.meaning) for identifier, preset in PRESETS.items()]


class HEFT_OT_fall_preset(RigOperator, Operator):
    bl_idname = "heft.fall_preset"
    bl_label = "Fall Preset"
    bl_description = "Set style, strength and reaction of the fall. Frame, direction and protected bones stay"

    preset: EnumProperty(name="Preset", description="Which fall", items=_PRESET_ITEMS)

    def execute(self, context: Context) -> set[str]:
        rig, preset = rig_of(context).heft, PRESETS[self.preset]
        rig.motion = "FALL"
        fall = rig.fall
        fall.style, fall.strength, fall.reaction = preset.style, preset.strength, preset.reaction_s
        return {"FINISHED"}


class HEFT_OT_fall_at_current_frame(AtCurrentFrame, Operator):
    bl_idname = "heft.fall_at_current_frame"
    bl_label = "Current Frame"
    bl_description = "Let it fall at the current frame"
    motion = "fall"


class HEFT_OT_add_fall_handle(AddHandle, Operator):
    bl_idname = "heft.add_fall_handle"
    bl_label = "Add Handle"
    bl_description = "An arrow at the character that shows where it falls: turn it, or move it to where the fall goes"
    motion = "fall"


class HEFT_OT_add_landing(AddHandle, Operator):
    bl_idname = "heft.add_landing"
    bl_label = "Add Landing Place"
    bl_description = "A ring on the ground to move to where it should land"
    motion = "fall"
    pointer, shape, size_m = "landing", "CIRCLE", 0.3

    def handle_name(self, armature: Object) -> str:
        return f"Landing of {armature.name}"

    def put(self, handle: Object, body: ShownBody, item: Any, armature: Object, units: float) -> None:
        way = body.forward
        if item.where == "DIRECTION":
            way = Matrix.Rotation(item.direction, 3, "Z") @ way
        handle.location = body.place + _AHEAD_M * units * way
        handle.location.z = armature.matrix_world.translation.z
        handle.rotation_euler.x = pi / 2.0  # an empty's circle stands upright


class HEFT_OT_add_protected(RigOperator, Operator):
    bl_idname = "heft.add_protected"
    bl_label = "Protect a Bone"
    bl_description = "Add a bone that is spared as much as the head: the selected one, or one to choose"

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not super().poll(context):
            return False
        if len(rig_of(context).heft.fall.protect) >= MOST_PROTECTED:
            cls.poll_message_set(f"{MOST_PROTECTED} bones are the most; who spares everything spares nothing.")
            return False
        return True

    def execute(self, context: Context) -> set[str]:
        armature = rig_of(context)
        protect, active = armature.heft.fall.protect, armature.data.bones.active
        named = {item.bone for item in protect}
        item = protect.add()
        if armature.mode == "POSE" and active is not None and active.name not in named:
            item.bone = active.name
        return {"FINISHED"}


class HEFT_OT_remove_protected(RigOperator, Operator):
    bl_idname = "heft.remove_protected"
    bl_label = "Remove Bone"
    bl_description = "Spare this bone no more than others"

    place: IntProperty(name="Place", description="In the list, from 0", min=0)

    def execute(self, context: Context) -> set[str]:
        rig_of(context).heft.fall.protect.remove(self.place)
        return {"FINISHED"}


_CLASSES = (
    HEFT_OT_fall_preset,
    HEFT_OT_fall_at_current_frame,
    HEFT_OT_add_fall_handle,
    HEFT_OT_add_landing,
    HEFT_OT_add_protected,
    HEFT_OT_remove_protected,
)


def register() -> None:
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
