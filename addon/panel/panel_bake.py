"""The button, or in its place how the bake is getting on; under it how the last one ended."""

from bpy.types import Context, Panel, UILayout

from ..active_rig import rig_of, why_not
from ..view_properties import HeftStatus
from .body_check import check_body
from .panel_base import HeftPanel
from .wrapped_text import sentence

_BIG = 1.6
_ICONS = {"INFO": "CHECKMARK", "WARNING": "ERROR", "ERROR": "CANCEL"}


class HEFT_PT_bake(HeftPanel, Panel):
    bl_idname = "HEFT_PT_bake"
    bl_label = "Bake"
    bl_order = 2

    def draw(self, context: Context) -> None:
        layout = self.layout
        status = context.window_manager.heft
        if status.running:
            _draw_progress(layout, context, status)
            return
        reason = why_not_in_this_panel(context)
        row = layout.row()
        row.scale_y = _BIG
        row.enabled = not reason
        row.operator("heft.bake", icon="PHYSICS")
        if rig_of(context) is not None and rig_of(context).heft.motion == "FALL":
            row = layout.row()
            row.enabled = not reason
            row.operator("heft.six_takes", icon="IMGDISPLAY")
        if reason:
            sentence(layout, context, reason, icon="INFO")
        elif status.sentence:
            sentence(layout, context, status.sentence, icon=_ICONS[status.sentence_kind])


def why_not_in_this_panel(context: Context) -> str:
    armature = rig_of(context)
    reason = why_not(armature, context.scene)
    if not reason and check_body(armature, context.scene).trouble:
        return "Heft must see a body in the rig first; see Character."
    return reason


def _draw_progress(layout: UILayout, context: Context, status: HeftStatus) -> None:
    column = layout.column(align=True)
    left = time_in_words(status.time_left_s)
    bar = column.row()
    bar.scale_y = _BIG
    bar.progress(factor=status.fraction, type="BAR", text=f"{100 * status.fraction:.0f} %{left and ', '}{left}")
    buttons = column.row(align=True)
    buttons.operator("heft.stop", icon="SNAP_FACE")
    buttons.operator("heft.cancel", icon="X")
    sentence(layout, context, status.stage)


def time_in_words(seconds: float) -> str:
    if seconds < 0.0:
        return ""
    if seconds < 5.0:
        return "nearly done"
    if seconds < 90.0:
        return f"{5 * round(seconds / 5)} s left"
    return f"{round(seconds / 60)} min left"


CLASSES = (HEFT_PT_bake,)
