"""A mesh as convex slabs, exact from above: every facet that can be stood on, and what is solid below it."""

import numpy as np

from ..arrays import Floats
from .convex_parts import hull_of
from .facets import convex_facets
from .mesh import Mesh
from .ray_cast import first_below
from .solids import Convex, Cuboid

_UPWARD = 0.05  # upward part of a normal: with less a face is a wall
_OPEN_DEPTH_M = 0.3  # below a face that nothing closes
_THINNEST_M = 1e-3
_LEAST_AREA_M2 = 1e-6
_INWARDS = 1e-3  # of the way to the middle: where a facet is asked what is below it
_HOLLOW_M = 0.01  # what ends this much higher than its corners say hangs free in between


def slabs_of(mesh: Mesh, most: int) -> tuple[Convex | Cuboid, ...] | None:
    """With Z up; None where it takes more than so many."""
    closed = mesh.is_closed
    upward = mesh.normals[:, 2] if closed else np.abs(mesh.normals[:, 2])
    chosen = (upward > _UPWARD) & (np.abs(mesh.areas[:, 2]) > 0.5 * _LEAST_AREA_M2)
    if chosen.sum() > 8 * most:
        return None
    facets = convex_facets(mesh, chosen)
    if len(facets) > most:
        return None
    slabs = [hull_of(np.concatenate([facet, facet - _depths(mesh, facet, closed)])) for facet in facets]
    return tuple(slab for slab in slabs if slab is not None)


def _depths(mesh: Mesh, facet: Floats, closed: bool) -> Floats:
    """(K, 3) how far it is straight down from each corner to the end of what is solid."""
    down = np.zeros_like(facet)
    if not closed:
        down[:, 2] = _OPEN_DEPTH_M
        return down
    middle = facet.mean(axis=0)
    corners = facet + _INWARDS * (middle - facet)
    between = 0.5 * (corners + np.roll(corners, -1, axis=0))
    asked = np.concatenate([corners, between, 0.5 * (corners + middle), middle[None]])
    depths = asked[:, 2] - first_below(mesh, asked)
    count = len(facet)
    at_corners = depths[:count]
    expected = np.concatenate(
        [
            at_corners,
            0.5 * (at_corners + np.roll(at_corners, -1)),
            0.5 * (at_corners + at_corners.mean()),
            [at_corners.mean()],
        ]
    )
    hollow = (depths < expected - _HOLLOW_M).any()
    down[:, 2] = np.maximum(depths.min() if hollow else at_corners, _THINNEST_M)
    return down
