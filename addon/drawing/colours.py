"""The colours of everything Heft draws, in one place, so that overlay, ghost, strip and panel say the same thing."""

from typing import TypeAlias

Colour: TypeAlias = tuple[float, float, float, float]  # red, green, blue, opacity; as the screen shows them

GOOD: Colour = (0.30, 0.78, 0.40, 1.0)
WARNING: Colour = (0.96, 0.76, 0.22, 1.0)
BAD: Colour = (0.93, 0.33, 0.31, 1.0)
UNKNOWN: Colour = (0.42, 0.43, 0.46, 1.0)

BODY: Colour = (0.90, 0.93, 0.97, 1.0)
SOURCE: Colour = (0.48, 0.68, 0.95, 1.0)
FORCE: Colour = (0.78, 0.93, 0.24, 1.0)
SUPPORT: Colour = (0.62, 0.86, 0.26, 1.0)
ASSIST: Colour = (1.00, 0.20, 0.22, 1.0)
PUSH: Colour = (1.00, 0.55, 0.12, 1.0)

PAPER: Colour = (0.97, 0.97, 0.97, 1.0)
INK: Colour = (0.05, 0.05, 0.06, 1.0)
SHADE: Colour = (0.05, 0.05, 0.06, 0.6)  # a rim of it keeps a mark readable on any background


def faded(colour: Colour, opacity: float) -> Colour:
    return (*colour[:3], colour[3] * opacity)


def lightened(colour: Colour) -> Colour:
    """For words, whose thin strokes look darker than a patch of the same colour."""
    red, green, blue, opacity = colour
    return (0.5 + 0.5 * red, 0.5 + 0.5 * green, 0.5 + 0.5 * blue, opacity)
