"""Outlines of a body as triangles in pixels that have a depth of their own, -1 the nearest; no bpy here.

Drawn where nothing nearer is, a translucent body does not show its far limbs through its near ones.
"""

import numpy as np

from .colours import SHADE, Colour, faded
from .flat_geometry import FEATHER, Floats, Triangles, bands, clear, fills

_RIM = 1.3  # a dark edge around lines, which a light character would swallow [widths of the line]


def solid(outlines: Floats, fill: Floats, line: Floats, width: float, depths: tuple[float, float]) -> Triangles:
    """Outlines (V, M, 2), the nearest first, with a colour each (V, 4): each hides what is behind it."""
    if not len(outlines):
        return Triangles(np.empty((0, 3, 3)), np.empty((0, 3, 4)))
    half, rim, count = 0.5 * width, np.array(faded(SHADE, 0.7)), len(outlines)
    layers = [
        fills(outlines, fill, -half - FEATHER),
        bands(outlines, -half - FEATHER, -half + FEATHER, fill, line),
        bands(outlines, -half + FEATHER, half - FEATHER, line, line),
        bands(outlines, half - FEATHER, half + FEATHER, line, rim),
        bands(outlines, half + FEATHER, half + _RIM * width, rim, clear(rim)),
    ]
    points = np.concatenate([layer.points.reshape(count, -1, 3, 2) for layer in layers], axis=1)
    colours = np.concatenate([layer.colours.reshape(count, -1, 3, 4) for layer in layers], axis=1)
    depth = np.linspace(*depths, count)[:, None, None, None]
    return Triangles(_with_depth(points, depth).reshape(-1, 3, 3), colours.reshape(-1, 3, 4))


def silhouette(outlines: Floats, fill: Colour, line: Colour, width: float, depths: tuple[float, float]) -> Triangles:
    """All outlines (V, M, 2) as one flat shape with one line around it."""
    half = 0.5 * width
    layers = [
        fills(outlines, fill, -half),
        bands(outlines, -half, half - FEATHER, line, line),
        bands(outlines, half - FEATHER, half + FEATHER, line, clear(line)),
    ]
    # The inside lies before the line, and the line before its soft edge: each covers those of the other outlines.
    points = [
        _with_depth(layer.points, np.full((1, 1, 1), depth))
        for layer, depth in zip(layers, np.linspace(*depths, len(layers)), strict=True)
    ]
    return Triangles(np.concatenate(points), np.concatenate([layer.colours for layer in layers]))


def _with_depth(points: Floats, depth: Floats) -> Floats:
    return np.concatenate([points, np.broadcast_to(depth, (*points.shape[:-1], 1))], axis=-1)
