"""The list of pushes of a rig."""

import bpy
from bpy.types import Context, Operator

from ..active_rig import range_to_bake, rig_of, why_locked


class _PushOperator:
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        if locked := why_locked(context):
            cls.poll_message_set(locked)
        return not locked


class HEFT_OT_add_push(_PushOperator, Operator):
    bl_idname = "heft.add_push"
    bl_label = "Add Push"
    bl_description = "Push the character at the current frame"

    def execute(self, context: Context) -> set[str]:
        armature = rig_of(context)
        rig = armature.heft
        push = rig.pushes.add()
        push.name = f"Push {len(rig.pushes)}"
        frames = range_to_bake(armature)
        push.frame = context.scene.frame_current
        if frames is not None:
            push.frame = min(max(push.frame, frames.start), frames.end)
        rig.active_push = len(rig.pushes) - 1
        return {"FINISHED"}


class HEFT_OT_remove_push(_PushOperator, Operator):
    bl_idname = "heft.remove_push"
    bl_label = "Remove Push"
    bl_description = "Remove the selected push"

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not super().poll(context):
            return False
        rig = rig_of(context).heft
        if not 0 <= rig.active_push < len(rig.pushes):
            cls.poll_message_set("There is no push to remove.")
            return False
        return True

    def execute(self, context: Context) -> set[str]:
        rig = rig_of(context).heft
        rig.pushes.remove(rig.active_push)
        rig.active_push = max(0, min(rig.active_push, len(rig.pushes) - 1))
        return {"FINISHED"}


_CLASSES = (HEFT_OT_add_push, HEFT_OT_remove_push)


def register() -> None:
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
