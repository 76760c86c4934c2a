"""An arrow beside a sentence that leads to the frame it is about."""

import bpy
from bpy.props import IntProperty
from bpy.types import Context, Operator


class HEFT_OT_go_to_frame(Operator):
    bl_idname = "heft.go_to_frame"
    bl_label = "Go to Frame"
    bl_description = "Go to the frame that this is about"
    bl_options = {"INTERNAL", "UNDO_GROUPED"}

    frame: IntProperty(name="Frame", options={"SKIP_SAVE"})

    @classmethod
    def description(cls, _context: Context, properties: "HEFT_OT_go_to_frame") -> str:
        return f"Go to frame {properties.frame}"

    def execute(self, context: Context) -> set[str]:
        context.scene.frame_set(self.frame)
        return {"FINISHED"}


def register() -> None:
    bpy.utils.register_class(HEFT_OT_go_to_frame)


def unregister() -> None:
    bpy.utils.unregister_class(HEFT_OT_go_to_frame)
