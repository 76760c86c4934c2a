"""A mesh as heights over a level grid: the highest face above every sample, for any number of faces."""

import numpy as np

from ..arrays import Floats, Ints
from .mesh import Mesh
from .solids import HeightField

_FINEST_M, _COARSEST_M = 0.02, 0.1
_MOST_SAMPLES = 250_000
_AT_ONCE = 2_000_000  # pairs of a triangle and a sample that are looked at together
_ON_EDGE = 1e-9
_BELOW_M = 1.0  # where a mesh has a hole, the field lies this much below its lowest face


def rasterised(mesh: Mesh, low: Floats, high: Floats) -> HeightField | None:
    """Over the part of the mesh between two corners (2,) in the plane; None where that has no face."""
    corner = np.maximum(mesh.vertices[:, :2].min(axis=0), low)
    extent = np.minimum(mesh.vertices[:, :2].max(axis=0), high) - corner
    if (extent < 2.0 * _FINEST_M).any():
        return None
    cell = _cell(extent)
    shape = np.floor(extent / cell + 1e-6).astype(np.int64) + 1
    corner = corner + 0.5 * (extent - cell * (shape - 1))  # what does not fill a cell is left out on both sides
    heights = _highest(mesh, corner, cell, shape)
    there = np.isfinite(heights)
    if not there.any():
        return None
    heights[~there] = heights[there].min() - _BELOW_M
    return HeightField(corner=corner, cell=cell, heights=heights)


def _cell(extent: Floats) -> float:
    """As fine as the samples allow, and never so wide that there are fewer than two."""
    for_samples = float(np.sqrt(np.prod(extent) / _MOST_SAMPLES))
    return float(min(max(_FINEST_M, for_samples), max(_COARSEST_M, for_samples), extent.min()))


def _highest(mesh: Mesh, corner: Floats, cell: float, shape: Ints) -> Floats:
    heights = np.full(int(np.prod(shape)), -np.inf)
    flat = (mesh.corners[..., :2] - corner) / cell
    first = np.maximum(np.ceil(flat.min(axis=1) - _ON_EDGE), 0.0).astype(np.int64)
    last = np.minimum(np.floor(flat.max(axis=1) + _ON_EDGE), shape - 1).astype(np.int64)
    sizes = np.maximum(last - first + 1, 0)
    counts = np.prod(sizes, axis=1)
    triangles = np.flatnonzero(counts)
    ends = np.cumsum(counts[triangles])
    starts = np.searchsorted(ends, np.arange(0, int(ends[-1]) if len(ends) else 0, _AT_ONCE), side="left")
    for some in np.split(triangles, np.unique(starts)[1:]) if len(triangles) else []:
        who = np.repeat(some, counts[some])
        within = np.arange(len(who)) - np.repeat(np.cumsum(counts[some]) - counts[some], counts[some])
        i = first[who, 0] + within // sizes[who, 1]
        j = first[who, 1] + within % sizes[who, 1]
        z = _heights_at(flat[who], mesh.corners[who, :, 2], i, j)
        hit = np.isfinite(z)
        np.maximum.at(heights, (i * shape[1] + j)[hit], z[hit])
    return heights.reshape(shape)


def _heights_at(flat: Floats, z: Floats, i: Ints, j: Ints) -> Floats:
    """(M,) of triangles (M, 3, 2) with corner heights (M, 3) at the samples; NaN beside them, and on upright ones."""
    a, to_b, to_c = flat[:, 0], flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
    x, y = i - a[:, 0], j - a[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        twice = to_b[:, 0] * to_c[:, 1] - to_b[:, 1] * to_c[:, 0]
        v = (x * to_c[:, 1] - y * to_c[:, 0]) / twice
        w = (y * to_b[:, 0] - x * to_b[:, 1]) / twice
        heights = z[:, 0] + v * (z[:, 1] - z[:, 0]) + w * (z[:, 2] - z[:, 0])
        inside = (v >= -_ON_EDGE) & (w >= -_ON_EDGE) & (v + w <= 1.0 + _ON_EDGE) & (twice != 0.0)
    found: Floats = np.where(inside, heights, np.nan)
    return found
