"""The flat faces of a mesh as convex polygons: adjacent triangles of one plane go together as far as that allows."""

from collections.abc import Sequence

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from ..arrays import Bools, Floats, Ints
from .mesh import Mesh

_FLAT_M = 3e-4  # how far from a facet's plane its corners may be
_PARALLEL = 1.0 - 1e-5
_SAME_AREA = 1e-6


def convex_facets(mesh: Mesh, chosen: Bools) -> list[Floats]:
    """(K, 3) corners of each; of the chosen triangles, none of which may be upright."""
    return [_outline(mesh, piece) for facet in _flat_groups(mesh, chosen) for piece in _convex_pieces(mesh, facet)]


def _flat_groups(mesh: Mesh, chosen: Bools) -> list[list[int]]:
    """Triangles that hang together by edges and lie in the plane of the first of them."""
    beside = _neighbours(mesh, chosen)
    left = {int(k) for k in np.flatnonzero(chosen)}
    groups = []
    while left:
        seed = min(left)
        left.discard(seed)
        group, open_ends = [seed], [seed]
        while open_ends:
            for other in beside[open_ends.pop()]:
                if other in left and _in_plane(mesh, seed, other):
                    left.discard(other)
                    group.append(other)
                    open_ends.append(other)
        groups.append(group)
    return groups


def _in_plane(mesh: Mesh, seed: int, other: int) -> bool:
    normal = mesh.normals[seed]
    away = np.abs((mesh.corners[other] - mesh.corners[seed, 0]) @ normal).max()
    return bool(mesh.normals[other] @ normal > _PARALLEL and away < _FLAT_M)


def _neighbours(mesh: Mesh, chosen: Bools) -> dict[int, list[int]]:
    by_edge: dict[tuple[int, int], list[int]] = {}
    beside: dict[int, list[int]] = {int(k): [] for k in np.flatnonzero(chosen)}
    for k in beside:
        a, b, c = (int(v) for v in mesh.triangles[k])
        for edge in ((a, b), (b, c), (c, a)):
            by_edge.setdefault((min(edge), max(edge)), []).append(k)
    for sharing in by_edge.values():
        for k in sharing:
            beside[k] += [other for other in sharing if other != k]
    return beside


def _convex_pieces(mesh: Mesh, facet: list[int]) -> list[list[int]]:
    """The facet as it is, or its triangles joined one by one while they stay convex."""
    if _is_convex(mesh, facet):
        return [facet]
    beside = _neighbours(mesh, np.isin(np.arange(len(mesh.triangles)), facet))
    left, pieces = sorted(facet), []
    while left:
        piece, grown = [left.pop(0)], True
        while grown:
            edge = {other for k in piece for other in beside[k]} & set(left)
            fitting = next((other for other in sorted(edge) if _is_convex(mesh, [*piece, other])), None)
            grown = fitting is not None
            if fitting is not None:
                piece.append(fitting)
                left.remove(fitting)
        pieces.append(piece)
    return pieces


def _is_convex(mesh: Mesh, piece: Sequence[int]) -> bool:
    """Whether their outline is as large as its hull, seen from above."""
    if len(piece) == 1:
        return True
    own = float(np.abs(mesh.areas[list(piece), 2]).sum())
    try:
        around = float(ConvexHull(mesh.corners[list(piece)].reshape(-1, 3)[:, :2]).volume)
    except QhullError:
        return False
    return around - own <= _SAME_AREA * around


def _outline(mesh: Mesh, piece: Sequence[int]) -> Floats:
    points: Floats = mesh.vertices[np.unique(mesh.triangles[list(piece)])]
    if len(points) == 3:
        return points
    corners: Ints = ConvexHull(points[:, :2]).vertices
    outline: Floats = points[corners]
    return outline
