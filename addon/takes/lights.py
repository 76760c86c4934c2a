"""The lights of the panel, and when which is shown; no bpy here."""

from .levels import Level

GREEN, YELLOW, RED, GREY = "GREEN", "YELLOW", "RED", "GREY"


def light_of(value: float, level: Level) -> str:
    return GREEN if value <= level.fine else YELLOW if value < level.bad else RED
