"""One line of the panel Result beyond before and after; no bpy here."""

from typing import NamedTuple

from .levels import Level
from .lights import GREY, light_of

_OF_LIMP = Level(0.5, 1.0)


class Fact(NamedTuple):
    label: str
    text: str
    light: str
    meaning: str


def blow(label: str, size: float, limp: float | None, unit: str, meaning: str) -> Fact:
    """How hard something is hit, beside a body that falls limp; None where that is not known."""
    if limp is None:
        return Fact(label, f"{size:.0f} {unit}", GREY, meaning)
    light = light_of(size / max(limp, 1e-9), _OF_LIMP)
    return Fact(label, f"{size:.0f} {unit} (limp {limp:.0f} {unit})", light, meaning)
