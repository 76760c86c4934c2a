"""The box under Motion that says how the character falls."""

from typing import Any

from bpy.types import Context, Object, UILayout

from ..falls.kinds import STYLE_ITEMS
from .aim_fields import draw_begin, draw_direction, draw_handle
from .wrapped_text import sentence

_MEANINGS = {identifier: meaning for identifier, _, meaning in STYLE_ITEMS}


def draw_fall(layout: UILayout, context: Context, armature: Object) -> None:
    fall = armature.heft.fall
    box = layout.box()
    head = box.row()
    head.label(text="Fall", icon="FORCE_FORCE")
    head.operator_menu_enum("heft.fall_preset", "preset", text="Fall Preset")
    column = box.column()
    column.prop(fall, "style")
    sentence(column, context, f"{_MEANINGS[fall.style]}.", icon="INFO")
    draw_begin(column, fall, "Fall at Frame", "heft.fall_at_current_frame")
    if not fall.use_frame:
        sentence(column, context, "It falls as it loses its balance.", icon="INFO")
    column.prop(fall, "where")
    if fall.where == "DIRECTION":
        draw_direction(column, context, fall, "heft.add_fall_handle")
    draw_handle(column, context, fall, "landing", "heft.add_landing", "MESH_CIRCLE")
    _draw_protected(column, armature, fall)
    column.prop(fall, "strength", slider=True)
    column.prop(fall, "reaction", text="Reaction (s)", slider=True)
    column.prop(fall, "then")
    column.prop(armature.heft, "seed")


def _draw_protected(layout: UILayout, armature: Object, fall: Any) -> None:
    column = layout.column(align=True)
    for number, item in enumerate(fall.protect):
        row = column.row(align=True)
        row.prop_search(item, "bone", armature.data, "bones", text="Protect" if number == 0 else " ")
        row.operator("heft.remove_protected", text="", icon="REMOVE").place = number
    column.operator("heft.add_protected", icon="ADD")
