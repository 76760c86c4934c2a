"""A mesh as the solids of a thing: itself where it is convex, else exact from above."""

from typing import Literal, NamedTuple, TypeAlias

from ..arrays import Floats
from .convex_parts import hull_of, is_hull
from .mesh import Mesh
from .rasterise import rasterised
from .slabs import slabs_of
from .solids import Solid

_MOST_SLABS = 400
_MOST_CONVEX = 5000  # triangles of a mesh that is asked whether it is convex

MadeOf: TypeAlias = Literal["itself", "pieces", "heights", "hull"]


class MeshSolids(NamedTuple):
    solids: tuple[Solid, ...]  # in the mesh's frame; none where it has no volume, or nothing to stand on
    made_of: MadeOf


def fixed_solids(mesh: Mesh, low: Floats, high: Floats) -> MeshSolids:
    """Of a mesh in a frame with Z up that stays where it is; only what lies between two corners (2,) is needed."""
    pieces = _pieces(mesh)
    if pieces is not None:
        return pieces
    field = rasterised(mesh, low, high)
    return MeshSolids(() if field is None else (field,), "heights")


def moving_solids(mesh: Mesh) -> MeshSolids:
    return _pieces(mesh) or loose_solids(mesh)


def loose_solids(mesh: Mesh) -> MeshSolids:
    """One convex solid."""
    hull = hull_of(mesh.vertices)
    itself = mesh.is_closed and is_hull(mesh.vertices, mesh.volume)
    return MeshSolids(() if hull is None else (hull,), "itself" if itself else "hull")


def _pieces(mesh: Mesh) -> MeshSolids | None:
    """None where it takes too many."""
    solids: list[Solid] = []
    made_of: MadeOf = "itself"
    if len(mesh.triangles) > 50 * _MOST_SLABS:
        return None
    for part in mesh.parts():
        if part.is_closed and len(part.triangles) <= _MOST_CONVEX and is_hull(part.vertices, part.volume):
            hull = hull_of(part.vertices)
            solids += [] if hull is None else [hull]
            continue
        made_of = "pieces"
        slabs = slabs_of(part, _MOST_SLABS - len(solids))
        if slabs is None:
            return None
        solids += slabs
    return MeshSolids(tuple(solids), made_of)
