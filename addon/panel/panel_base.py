"""What all panels share: their place, and what they show while a bake is running."""

from bpy.types import Context, UILayout

from ..active_rig import rig_of


class HeftPanel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Heft"


class RigPanel(HeftPanel):
    """A panel about the settings of a rig; they stay as they are while it is baked."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        return rig_of(context) is not None

    def settings_layout(self, context: Context) -> UILayout:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.enabled = not context.window_manager.heft.running and rig_of(context).is_editable
        return layout


class ClosedPanel(RigPanel):
    """Under Motion, behind a header."""

    bl_parent_id = "HEFT_PT_motion"
    bl_options = {"DEFAULT_CLOSED"}


def summary(layout: UILayout, text: str) -> None:
    """What a closed panel holds, greyed at the right of its header."""
    row = layout.row()
    row.active = False
    row.alignment = "RIGHT"
    row.label(text=text)
