"""How deep points are in a surface that has steps: what lies a finger's breadth inside a riser is beside it."""

import numpy as np

from ..arrays import Floats
from .surface import Surface

BESIDE_M = 0.03  # nearer to a riser's face than this, a point is beside it, not in it
_STANDS_M = 0.01  # a point no deeper than this stands on the edge
_AROUND = np.stack([np.cos(angles := np.arange(8) * np.pi / 4.0), np.sin(angles), np.zeros(8)], axis=1)  # (8, 3)


def clearance(surface: Surface, points: Floats) -> Floats:
    """(...,) distance of points (..., 3) from the surface; near an edge, from the lower side of it [m]."""
    distances = surface.distance(points)
    deep = distances < -_STANDS_M
    if not deep.any():
        return distances
    here, normals = surface.height(points), surface.normals(points)
    clear = distances.copy()
    for step in BESIDE_M * _AROUND:
        beside = points + step
        lower = surface.height(beside)
        # What a slope loses on the way is no edge.
        expected = here - (normals[..., :2] @ step[:2]) / normals[..., 2]
        edge = (lower < expected - BESIDE_M) & deep
        clear = np.where(edge, np.maximum(clear, points[..., 2] - lower), clear)
    return clear
