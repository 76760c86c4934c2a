"""What an object of the World collection has beside Blender's own rigid body, where Blender shows that one."""

import bpy
from bpy.types import Context, Panel


class HEFT_PT_object(Panel):
    bl_idname = "HEFT_PT_object"
    bl_label = "Heft"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        return context.object is not None and context.object.type == "MESH"

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(context.object.heft_world, "belt", text="Belt (m/s)")


def register() -> None:
    bpy.utils.register_class(HEFT_PT_object)


def unregister() -> None:
    bpy.utils.unregister_class(HEFT_PT_object)
