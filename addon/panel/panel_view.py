"""What is drawn over the viewport and the timeline."""

from bpy.types import Context, Panel

from ..active_rig import rig_of
from .panel_base import HeftPanel


class HEFT_PT_view(HeftPanel, Panel):
    bl_idname = "HEFT_PT_view"
    bl_label = "Show Physics"
    bl_order = 5
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        armature = rig_of(context)
        return armature is not None and len(armature.heft.takes) > 0

    def draw_header(self, context: Context) -> None:
        self.layout.prop(context.scene.heft_view, "show_overlay", text="")

    def draw(self, context: Context) -> None:
        layout = self.layout
        view = context.scene.heft_view
        grid = layout.grid_flow(columns=2, row_major=True, even_columns=True, align=True)
        grid.active = view.show_overlay
        for name in ("show_com", "show_support", "show_forces", "show_assist", "show_shapes"):
            grid.prop(view, name, toggle=True)
        layout.prop(view, "show_disturbances")
        layout.prop(view, "show_strip")


CLASSES = (HEFT_PT_view,)
