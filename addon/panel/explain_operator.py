"""A word in a panel that says what it means when the mouse rests on it."""

import bpy
from bpy.props import StringProperty
from bpy.types import Context, Operator


class HEFT_OT_explain(Operator):
    bl_idname = "heft.explain"
    bl_label = "What This Means"
    bl_description = "What this means"
    bl_options = {"INTERNAL"}

    meaning: StringProperty(options={"SKIP_SAVE"})

    @classmethod
    def description(cls, _context: Context, properties: "HEFT_OT_explain") -> str:
        return properties.meaning

    def execute(self, context: Context) -> set[str]:
        self.report({"INFO"}, self.meaning)
        return {"FINISHED"}


def register() -> None:
    bpy.utils.register_class(HEFT_OT_explain)


def unregister() -> None:
    bpy.utils.unregister_class(HEFT_OT_explain)
