"""What happens to the character: a list, and a few fields for each kind, in the words of the command line."""

from typing import Any

from bpy.types import Context, Panel, UILayout, UIList

from ...sim_core.rig.segments import in_words
from ..active_rig import rig_of
from ..disturbances.kinds import ICONS, WITH_BONE, WITH_HANDLE
from ..disturbances.read_disturbances import handle_of
from .body_check import bones_of
from .panel_base import ClosedPanel, summary
from .wrapped_text import sentence


class HEFT_UL_disturbances(UIList):
    bl_idname = "HEFT_UL_disturbances"

    def draw_item(self, _context, layout, _data, item, _icon, _active_data, _active_property, _index) -> None:
        row = layout.row(align=True)
        row.prop(item, "name", text="", emboss=False, icon=ICONS[item.kind])
        when = row.row()
        when.alignment, when.active = "RIGHT", False
        when.label(text=_when(item))


class HEFT_PT_disturbances(ClosedPanel, Panel):
    bl_idname = "HEFT_PT_disturbances"
    bl_label = "Disturbances"

    def draw_header_preset(self, context: Context) -> None:
        count = len(rig_of(context).heft.pushes)
        summary(self.layout, str(count) if count else "none")

    def draw(self, context: Context) -> None:
        layout = self.settings_layout(context)
        rig = rig_of(context).heft
        row = layout.row()
        row.template_list(HEFT_UL_disturbances.bl_idname, "", rig, "pushes", rig, "active_push", rows=3, maxrows=6)
        buttons = row.column(align=True)
        buttons.operator_menu_enum("heft.add_disturbance", "kind", text="", icon="ADD")
        buttons.operator("heft.remove_disturbance", text="", icon="REMOVE")
        if 0 <= rig.active_push < len(rig.pushes):
            item = rig.pushes[rig.active_push]
            bones = bones_of(rig_of(context), context.scene)
            if item.kind in WITH_BONE and bones and item.segment not in bones:
                sentence(
                    layout, context, f"This rig has no {in_words(item.segment)}; choose another part.", icon="ERROR"
                )
            _draw_fields(layout.column(), item)


def _draw_fields(layout: UILayout, item: Any) -> None:
    layout.prop(item, "kind")
    if item.kind in WITH_BONE:
        layout.prop(item, "segment", text="Target" if item.kind == "THROW" else "Bone")
    handle = handle_of(item)
    _FIELDS[item.kind](layout, item, handle is not None)
    if item.kind in WITH_HANDLE:
        row = layout.row(align=True)
        row.prop(item, "handle")
        if handle is None:
            row.operator("heft.add_handle", text="", icon="EMPTY_SINGLE_ARROW")


def _draw_push(layout: UILayout, item: Any, has_handle: bool) -> None:
    _draw_when(layout, item)
    if has_handle:
        layout.prop(item, "strength", text="Force (N)")
        return
    layout.prop(item, "force", text="Force (N)")
    layout.prop(item, "space")


def _draw_throw(layout: UILayout, item: Any, has_handle: bool) -> None:
    layout.prop(item, "frame")
    column = layout.column(align=True)
    column.prop(item, "mass", text="Mass (kg)")
    column.prop(item, "speed", text="Speed (m/s)")
    if has_handle:
        return
    layout.prop(item, "side")
    if item.side == "DIRECTION":
        layout.prop(item, "direction")


def _draw_pull(layout: UILayout, item: Any, has_handle: bool) -> None:
    _draw_when(layout, item)
    layout.prop(item, "strength", text="At Most (N)")
    if not has_handle:
        layout.prop(item, "to")


def _draw_keep_level(layout: UILayout, item: Any, has_handle: bool) -> None:
    layout.prop(item, "whole_clip")
    if not item.whole_clip:
        _draw_when(layout, item)


def _draw_turn(layout: UILayout, item: Any, has_handle: bool) -> None:
    layout.prop(item, "frame")
    layout.prop(item, "angle")


def _draw_stance(layout: UILayout, item: Any, has_handle: bool) -> None:
    layout.prop(item, "foot")
    layout.prop(item, "foot_does")
    _draw_when(layout, item)


_FIELDS = {
    "PUSH": _draw_push,
    "THROW": _draw_throw,
    "PULL": _draw_pull,
    "KEEP_LEVEL": _draw_keep_level,
    "TURN": _draw_turn,
    "STANCE": _draw_stance,
}


def _draw_when(layout: UILayout, item: Any) -> None:
    column = layout.column(align=True)
    column.prop(item, "frame")
    column.prop(item, "frames")


def _when(item: Any) -> str:
    if item.kind == "KEEP_LEVEL" and item.whole_clip:
        return "all"
    return str(item.frame)


CLASSES = (HEFT_UL_disturbances, HEFT_PT_disturbances)
