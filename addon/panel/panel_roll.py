"""The box under Motion that says how the character rolls."""

from typing import Any

from bpy.types import Context, UILayout, UIList

from ..rolls.kinds import is_made
from ..rolls.roll import FEWEST_POSES
from .aim_fields import draw_begin, draw_direction
from .wrapped_text import sentence


class HEFT_UL_roll_poses(UIList):
    bl_idname = "HEFT_UL_roll_poses"

    def draw_item(self, _context, layout, _data, item, _icon, _active_data, _active_property, index) -> None:
        row = layout.row(align=True)
        number = row.row()
        number.active = False
        number.alignment = "LEFT"
        number.label(text=f"{index + 1}", translate=False)
        row.prop(item, "action", text="")


def draw_roll(layout: UILayout, context: Context, roll: Any) -> None:
    box = layout.box()
    head = box.row()
    head.label(text="Roll", icon="FORCE_VORTEX")
    head.operator_menu_enum("heft.roll_preset", "preset", text="Roll Preset")
    column = box.column()
    column.prop(roll, "kind")
    if not is_made(roll.kind):
        column.prop(roll, "rolls")
        column.prop(roll, "speed", slider=True)
        return
    repeat = column.column(align=True)
    repeat.row().prop(roll, "repeat", expand=True)
    if roll.repeat == "NUMBER":
        repeat.prop(roll, "rolls")
    else:
        repeat.prop(roll, "distance", text="Distance (m)")
    column.prop(roll, "speed", slider=True)
    draw_begin(column, roll, "Begin at Frame", "heft.roll_at_current_frame")
    draw_direction(column, context, roll, "heft.add_roll_handle")
    column.prop(roll, "then")
    _draw_poses(box, context, roll)


def _draw_poses(layout: UILayout, context: Context, roll: Any) -> None:
    column = layout.column()
    column.label(text="Pose Keys")
    row = column.row()
    row.template_list(HEFT_UL_roll_poses.bl_idname, "", roll, "poses", roll, "active_pose", rows=2, maxrows=6)
    buttons = row.column(align=True)
    buttons.operator("heft.add_roll_pose", text="", icon="ADD")
    buttons.operator("heft.remove_roll_pose", text="", icon="REMOVE")
    if len(roll.poses) > 1:
        buttons.operator("heft.move_roll_pose", text="", icon="TRIA_UP").up = True
        buttons.operator("heft.move_roll_pose", text="", icon="TRIA_DOWN").up = False
    column.operator("heft.add_current_pose", icon="ARMATURE_DATA")
    if not roll.poses:
        sentence(column, context, "None: it rolls through Heft's own poses.", icon="INFO")
    elif len(roll.poses) < FEWEST_POSES:
        sentence(column, context, "One pose is not enough; add another.", icon="ERROR")


CLASSES = (HEFT_UL_roll_poses,)
