"""Sentences in a panel: Blender cuts a long label off, so it is broken into lines that fit."""

from collections.abc import Callable

import blf
from bpy.types import Context, UILayout

_MARGIN = 60  # of the region at scale 1: borders, tabs and the scroll bar [pixels]
_ICON = 20  # what an icon takes from its line [pixels]
_FONT = 0  # Blender's own
_LINE_HEIGHT = 0.72  # of a label's: lines of one sentence stand closer together


def sentence(
    layout: UILayout, context: Context, text: str, *, icon: str = "NONE", light: int = 0, indent: int = 0
) -> None:
    """The text in as many labels as the panel's width asks for; an icon stands on the first line only."""
    has_icon = bool(light) or icon != "NONE"
    column = layout.column(align=True)
    column.scale_y = _LINE_HEIGHT
    for number, line in enumerate(_lines(context, text, indent + (_ICON if has_icon else 0))):
        if not has_icon:
            column.label(text=line)
        elif number:
            column.label(text=line, icon="BLANK1")
        elif light:
            column.label(text=line, icon_value=light)
        else:
            column.label(text=line, icon=icon)


def wrap(text: str, room: float, width_of: Callable[[str], float]) -> list[str]:
    """Lines no wider than the room; only a word that is wider by itself is broken."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer) <= room:
            lines[-1] = longer
            continue
        while len(word) > 1 and width_of(word) > room:
            fitting = next(n for n in range(len(word) - 1, 0, -1) if n == 1 or width_of(word[:n]) <= room)
            lines.append(word[:fitting])
            word = word[fitting:]
        lines.append(word)
    return lines


def _lines(context: Context, text: str, taken: int) -> list[str]:
    preferences = context.preferences
    scale = preferences.system.ui_scale
    blf.size(_FONT, preferences.ui_styles[0].widget.points * scale)
    room = context.region.width - (_MARGIN + taken) * scale
    return wrap(text, room, lambda line: blf.dimensions(_FONT, line)[0])
