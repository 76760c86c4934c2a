"""What the boxes of a roll and of a fall both show: the frame at which it begins, and handles."""

from typing import Any

from bpy.types import Context, UILayout

from ..aiming.chosen_handle import is_deleted
from .wrapped_text import sentence


def draw_begin(layout: UILayout, item: Any, heading: str, at_current_frame: str) -> None:
    """`at_current_frame` is the operator of the button beside it."""
    row = layout.row(heading=heading, align=True)
    row.prop(item, "use_frame", text="")
    number = row.row(align=True)
    number.enabled = item.use_frame
    number.prop(item, "frame", text="")
    row.operator(at_current_frame, text="", icon="TIME")


def draw_direction(layout: UILayout, context: Context, item: Any, add_handle: str) -> None:
    column = layout.column(align=True)
    if item.handle is None:
        column.prop(item, "direction")
    draw_handle(column, context, item, "handle", add_handle, "EMPTY_SINGLE_ARROW")


def draw_handle(layout: UILayout, context: Context, item: Any, pointer: str, add_handle: str, icon: str) -> None:
    handle = getattr(item, pointer)
    deleted = handle is not None and is_deleted(handle)
    row = layout.row(align=True)
    row.prop(item, pointer)
    if handle is None or deleted:
        row.operator(add_handle, text="", icon=icon)
    if deleted:
        sentence(layout, context, "This handle was deleted; add another, or clear the field.", icon="ERROR")
