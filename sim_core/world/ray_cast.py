"""Where upright lines meet a mesh."""

import numpy as np

from ..arrays import Floats
from .mesh import Mesh

_ON_EDGE = 1e-9
_APART_M = 1e-6  # a face nearer below a point than this is the one that it lies on


def first_below(mesh: Mesh, points: Floats) -> Floats:
    """(N,) height of the highest face below each point; where there is none, of the mesh's lowest vertex."""
    heights = heights_of_hits(mesh, points)
    heights[~(heights < points[:, 2, None] - _APART_M)] = -np.inf
    highest = heights.max(axis=1, initial=-np.inf)
    found: Floats = np.where(np.isfinite(highest), highest, mesh.vertices[:, 2].min())
    return found


def heights_of_hits(mesh: Mesh, points: Floats) -> Floats:
    """(N, F) where an upright line through each point meets each triangle; NaN where it does not."""
    a, b, c = mesh.corners.transpose(1, 0, 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        twice = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
        x, y = points[:, 0, None] - a[:, 0], points[:, 1, None] - a[:, 1]
        v = (x * (c[:, 1] - a[:, 1]) - y * (c[:, 0] - a[:, 0])) / twice
        w = (y * (b[:, 0] - a[:, 0]) - x * (b[:, 1] - a[:, 1])) / twice
        heights = a[:, 2] + v * (b[:, 2] - a[:, 2]) + w * (c[:, 2] - a[:, 2])
        inside = (v >= -_ON_EDGE) & (w >= -_ON_EDGE) & (v + w <= 1.0 + _ON_EDGE)
    hits: Floats = np.where(inside & (twice != 0.0), heights, np.nan)
    return hits
