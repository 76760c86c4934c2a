"""How much help the character may get: a dial with three named places under Motion, and under Advanced the numbers."""

from bpy.types import Context, PropertyGroup, UILayout

from ..controller_choice import has_foot_torque
from ..realism_choice import PLACES, place_at, realism_in_words
from .wrapped_text import sentence

_GAP = 0.5  # around the dial


def draw_dial(layout: UILayout, context: Context, rig: PropertyGroup) -> None:
    """Over the whole width: beside a label its names would be cut off."""
    layout.separator(factor=_GAP)
    dial = layout.column(align=True)
    dial.use_property_split = False
    dial.enabled = not rig.own_limits
    buttons = dial.row(align=True)
    here = place_at(rig.realism)
    for identifier, place in PLACES.items():
        pressed = identifier == here and not rig.own_limits
        buttons.operator("heft.set_realism", text=place.name, depress=pressed).place = identifier
    dial.prop(rig, "realism", slider=True)
    words = "Advanced > Own Limits is on." if rig.own_limits else realism_in_words(rig.realism)
    sentence(layout, context, words, icon="INFO")
    layout.separator(factor=_GAP)


def draw_own_limits(layout: UILayout, context: Context, rig: PropertyGroup) -> None:
    column = layout.column()
    column.prop(rig, "own_limits")
    if not rig.own_limits:
        return
    column.prop(rig, "assist")
    if rig.assist == "LIMIT":
        column.prop(rig, "assist_limit")
    if has_foot_torque(rig.controller):
        torque = column.column(align=True)
        torque.prop(rig, "foot_torque_from", text="Foot Torque")
        torque.prop(rig, "foot_torque_to")
        sentence(column, context, "In N m. Up To 0 has no limit.", icon="INFO")
