"""The ground that a person modelled, as a plane for the worker."""

from dataclasses import dataclass

import numpy as np
from bpy.types import Collection, Depsgraph, Object

from ...sim_core.arrays import Bools, Floats
from ...sim_core.errors import SettingsError

_STEEPEST = 0.5  # upward part of a face's normal: steeper than 60 degrees is a wall
_OUT_OF_PLANE_M = 0.03  # less than a kerb
_MOST_POINTS = 64  # of the character's path, at which the ground is looked for
_MOST_PAIRS = 4_000_000  # points times faces at once


@dataclass(frozen=True, kw_only=True, eq=False)
class SceneGround:
    point: Floats  # (3,) [m]
    normal: Floats  # (3,)
    warnings: tuple[str, ...]

    def as_scene(self) -> dict[str, object]:
        """As the worker's --scene reads it."""
        return {"ground": {"point": self.point.tolist(), "normal": self.normal.tolist()}}


@dataclass(frozen=True, kw_only=True, eq=False)
class _Faces:
    """Triangles that face up and lie below or above the path, in the world."""

    corners: Floats  # (N, 3, 3)
    normals: Floats  # (N, 3) unit
    areas: Floats  # (N,)


def read_ground(collection: Collection, depsgraph: Depsgraph, path: Floats, *, metres_per_unit: float) -> SceneGround:
    """The plane under a character's path (T, 3) [m], from the mesh that offers most of the ground there."""
    tops = {}
    spots = _spread(path[:, :2] / metres_per_unit)
    meshes = [item for item in collection.all_objects if item.type == "MESH"]
    for item in meshes:
        faces = _faces_under(item, depsgraph, spots)
        if len(faces.areas):
            tops[item.name] = faces
    if not tops:
        what = "lies below the character" if meshes else "is a mesh"
        raise SettingsError(
            f"Nothing in the collection '{collection.name}' {what}; put the ground into it, or leave Ground empty."
        )
    best = max(tops, key=lambda name: float(tops[name].areas.sum()))
    point, normal = _plane(tops[best])
    tolerance = _OUT_OF_PLANE_M / metres_per_unit
    rough = [name for name, faces in tops.items() if _distance(faces, point, normal) > tolerance]
    return SceneGround(point=point * metres_per_unit, normal=normal, warnings=_warnings(best, rough))


def _warnings(best: str, rough: list[str]) -> tuple[str, ...]:
    if not rough:
        return ()
    names = ", ".join(f"'{name}'" for name in sorted(rough))
    return (f"Steps and obstacles are not simulated yet: the plane of '{best}' stood for {names}.",)


def _faces_under(item: Object, depsgraph: Depsgraph, spots: Floats) -> _Faces:
    evaluated = item.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", points)
        mesh.calc_loop_triangles()
        rows = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", rows)
    finally:
        evaluated.to_mesh_clear()
    world = np.array(evaluated.matrix_world)
    corners = (points.reshape(-1, 3).astype(float) @ world[:3, :3].T + world[:3, 3])[rows.reshape(-1, 3)]
    crosses = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    if np.linalg.det(world[:3, :3]) < 0:  # mirrored
        crosses = -crosses
    doubled = np.linalg.norm(crosses, axis=1)
    faces_up = np.flatnonzero(crosses[:, 2] > _STEEPEST * doubled)
    under = faces_up[_holds_a_spot(corners[faces_up][..., :2], spots)]
    return _Faces(corners=corners[under], normals=crosses[under] / doubled[under, None], areas=0.5 * doubled[under])


def _holds_a_spot(triangles: Floats, spots: Floats) -> Bools:
    """(N,) whether any of the spots (P, 2) lies in a triangle (N, 3, 2), seen from above."""
    result = np.zeros(len(triangles), dtype=bool)
    reach = (triangles.min(axis=1) <= spots.max(axis=0)) & (triangles.max(axis=1) >= spots.min(axis=0))
    near = np.flatnonzero(reach.all(axis=1))
    for rows in np.array_split(near, 1 + len(near) * len(spots) // _MOST_PAIRS):
        sides = [
            _side(triangles[rows, corner], triangles[rows, (corner + 1) % 3], spots) for corner in range(3)
        ]  # (N, P) each
        result[rows] = (np.all([side >= 0 for side in sides], axis=0) | np.all([s <= 0 for s in sides], axis=0)).any(1)
    return result


def _side(start: Floats, end: Floats, spots: Floats) -> Floats:
    along, to_spot = end - start, spots[None] - start[:, None]
    result: Floats = along[:, None, 0] * to_spot[..., 1] - along[:, None, 1] * to_spot[..., 0]
    return result


def _plane(faces: _Faces) -> tuple[Floats, Floats]:
    weights = faces.areas / faces.areas.sum()
    normal = weights @ faces.normals
    return weights @ faces.corners.mean(axis=1), normal / np.linalg.norm(normal)


def _distance(faces: _Faces, point: Floats, normal: Floats) -> float:
    return float(np.abs((faces.corners - point) @ normal).max())


def _spread(spots: Floats) -> Floats:
    return spots[np.unique(np.linspace(0, len(spots) - 1, _MOST_POINTS).round().astype(int))]
