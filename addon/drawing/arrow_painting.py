"""Arrows between points of the world, painted over the viewport, and words at their ends."""

import numpy as np

from . import colours
from .colours import Colour, faded
from .flat_geometry import Floats, arrows, joined, patches
from .paint import paint_flat, text_size, write
from .view_projection import View

_SHAFT, _SHORTEST, _RIM = 3.5, 28.0, 1.4  # width, least length, dark edge [pixels]
_TEXT = 12.0  # [points]


def paint_arrows(
    view: View,
    pixel: float,
    tails: Floats,
    tips: Floats,
    colour: Colour,
    *,
    held: str = "tail",
    clear_of: float = 0.0,
) -> tuple[Floats, Floats]:
    """Between points of the world (N, 3); gives their ends in pixels. `pixel` is one of the interface's on this screen.

    A short one is lengthened at its free end; all are pushed along by some pixels, clear of the mark at their tail.
    """
    tails, tips = view.pixels(tails), view.pixels(tips)
    seen = np.isfinite(tails).all(axis=-1) & np.isfinite(tips).all(axis=-1)
    tails, tips = tails[seen], tips[seen]
    length = np.linalg.norm(tips - tails, axis=-1, keepdims=True)
    along = (tips - tails) / np.maximum(length, 1e-6)
    longer = along * np.maximum(length, _SHORTEST * pixel)
    if held == "tail":
        tails = tails + along * clear_of * pixel
        tips = tails + longer
    else:
        tails = tips - longer
    if len(tails):
        shapes = arrows(tails, tips, _SHAFT * pixel)
        rim = faded(colours.SHADE, colour[3])
        paint_flat(joined([patches(shapes, rim, _RIM * pixel), patches(shapes, colour)]))
    return tails, tips


def write_beside(letter: float, places: Floats, other_ends: Floats, text: str, colour: Colour) -> None:
    """At one end of an arrow, on the side where the arrow is not. `letter` is one of the interface's pixels."""
    size, gap = _TEXT * letter, 16.0 * letter
    width = text_size(text, size)[0]
    for (x, y), (other_x, _) in zip(places, other_ends, strict=True):
        left = x + gap if x >= other_x else x - gap - width
        paint_flat(patches(np.array([[[left, y], [left + width, y]]]), faded(colours.INK, 0.8), 0.75 * size))
        write(text, left, y - 0.36 * size, size, colour)
