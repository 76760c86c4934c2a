"""Telling Heft which bone is which part of the body."""

import bpy
from bpy.props import EnumProperty, StringProperty
from bpy.types import Context, Event, Object, Operator

from ...sim_core.rig.segments import in_words
from ..active_rig import rig_of, why_locked
from .body_check import check_body

_choices: list[tuple[str, str, str]] = []  # Blender reads the strings of a menu after they were handed over


def set_bone(armature: Object, segment: str, bone: str) -> None:
    """Remember a choice; an empty bone forgets it. A bone can only be one part of the body."""
    bones = armature.heft.bones
    for index in range(len(bones) - 1, -1, -1):
        if bones[index].name == segment or bones[index].bone == bone:
            bones.remove(index)
    if bone:
        choice = bones.add()
        choice.name = segment
        choice.bone = bone


class _BoneOperator:
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}
    segment: StringProperty(name="Body Part", options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: Context) -> bool:
        if locked := why_locked(context):
            cls.poll_message_set(locked)
        return not locked

    @classmethod
    def description(cls, _context: Context, properties: "_BoneOperator") -> str:
        return cls.bl_description.format(part=in_words(properties.segment))


def _bone_items(_operator: Operator, context: Context) -> list[tuple[str, str, str]]:
    armature = rig_of(context)
    _choices[:] = [] if armature is None else [(bone.name, bone.name, "") for bone in armature.data.bones]
    return _choices


class HEFT_OT_choose_bone(_BoneOperator, Operator):
    bl_idname = "heft.choose_bone"
    bl_label = "Choose Bone"
    bl_description = "Choose the bone of the {part} from a list"
    bl_property = "bone"

    bone: EnumProperty(name="Bone", items=_bone_items, options={"SKIP_SAVE"})

    @classmethod
    def description(cls, context: Context, properties: "HEFT_OT_choose_bone") -> str:
        parts = check_body(rig_of(context), context.scene).parts
        bone = next((part.bone for part in parts if part.segment == properties.segment), "")
        return super().description(context, properties) + (f". Now it is '{bone}'" if bone else "")

    def invoke(self, context: Context, _event: Event) -> set[str]:
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: Context) -> set[str]:
        set_bone(rig_of(context), self.segment, self.bone)
        if context.area is not None:  # a search popup leaves the panel as it was
            context.area.tag_redraw()
        return {"FINISHED"}


class HEFT_OT_pick_bone(_BoneOperator, Operator):
    bl_idname = "heft.pick_bone"
    bl_label = "Pick Bone"
    bl_description = "Take the selected bone as the {part}"

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not super().poll(context):
            return False
        if rig_of(context).data.bones.active is None:
            cls.poll_message_set("Select a bone in Pose Mode first.")
            return False
        return True

    def execute(self, context: Context) -> set[str]:
        armature = rig_of(context)
        set_bone(armature, self.segment, armature.data.bones.active.name)
        return {"FINISHED"}


class HEFT_OT_clear_bone(_BoneOperator, Operator):
    bl_idname = "heft.clear_bone"
    bl_label = "Find It Again"
    bl_description = "Forget the bone you chose for the {part} and let Heft find it"

    def execute(self, context: Context) -> set[str]:
        set_bone(rig_of(context), self.segment, "")
        return {"FINISHED"}


_CLASSES = (HEFT_OT_choose_bone, HEFT_OT_pick_bone, HEFT_OT_clear_bone)


def register() -> None:
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
    _choices.clear()
