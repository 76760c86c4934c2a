"""Points as one convex solid: a block where they are the corners of one."""

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from .. import rotations
from ..arrays import Floats
from .solids import Convex, Cuboid

_SAME_VOLUME = 1e-5  # of a mesh and its hull, as a share: then the mesh is convex
_SQUARE = 1e-6


def hull_of(points: Floats) -> Convex | Cuboid | None:
    """None where all points lie in a plane."""
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        return None
    corners = points[hull.vertices]
    return _block(corners) or Convex(vertices=corners)


def is_hull(points: Floats, volume: float) -> bool:
    """Whether a closed surface over these points, with this volume inside, is convex."""
    try:
        around = float(ConvexHull(points).volume)
    except (QhullError, ValueError):
        return False
    return around - volume <= _SAME_VOLUME * around


def _block(corners: Floats) -> Cuboid | None:
    """The corners as a block, or None where they are not those of one."""
    if len(corners) != 8:
        return None
    from_first = corners[1:] - corners[0]
    edges = from_first[np.argsort(np.linalg.norm(from_first, axis=1))]
    x = edges[0]
    for i in range(1, 7):
        for j in range(i + 1, 7):
            frame = np.stack([x, edges[i], edges[j]])
            lengths = np.linalg.norm(frame, axis=1)
            axes = frame / lengths[:, None]
            if np.abs(axes @ axes.T - np.eye(3)).max() < _SQUARE:
                return _block_along(corners, axes, lengths)
    return None


def _block_along(corners: Floats, axes: Floats, lengths: Floats) -> Cuboid | None:
    order = np.argmax(np.abs(axes), axis=1)  # the axes nearest to X, Y and Z, so that an upright block is not turned
    if len(set(order.tolist())) == 3:
        axes, lengths = axes[np.argsort(order)], lengths[np.argsort(order)]
    axes = axes * np.where(axes[np.arange(3), np.arange(3)] < 0.0, -1.0, 1.0)[:, None]
    if np.linalg.det(axes) < 0.0:
        axes[2] = -axes[2]
    centre = corners.mean(axis=0)
    reach = np.abs((corners - centre) @ axes.T)
    if np.abs(reach - 0.5 * lengths).max() > _SQUARE:
        return None
    return Cuboid(half_extents=0.5 * lengths, centre=centre, turn=rotations.from_matrix(axes.T))
