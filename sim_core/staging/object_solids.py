"""The solids of an object, each in the object's frame with Z up, and what had to be made simpler."""

from typing import NamedTuple, assert_never

import numpy as np

from .. import rotations
from ..arrays import Floats, Ints
from ..errors import SettingsError
from ..scene_file.scene_objects import BallShape, BoxShape, HeightsShape, MeshShape, SceneObject, StairsShape
from ..world.mesh import Mesh, clean_mesh
from ..world.mesh_solids import MeshSolids, fixed_solids, loose_solids, moving_solids
from ..world.solids import Ball, Convex, Cuboid, HeightField, Solid
from ..world.stairs import stair_solids
from ..world.track import Poses
from .placement import Stage

_NEAR_PATH_M = 3.0  # of a large terrain, what is farther from the clip's path is not needed
_LEVEL_RAD = 1e-6


class ObjectSolids(NamedTuple):
    solids: tuple[Solid, ...]
    turned: bool = False  # they have the object's rotation in them already
    warnings: tuple[str, ...] = ()


def object_solids(each: SceneObject, stage: Stage, place: Poses) -> ObjectSolids:
    """For an object that is at this place at first."""
    shape = each.shape
    if isinstance(shape, BoxShape):
        half = 0.5 * np.abs(stage.source.from_own_axes(np.array(shape.size)))
        return ObjectSolids((Cuboid(half_extents=half),))
    if isinstance(shape, BallShape):
        return ObjectSolids((Ball(radius=shape.radius),))
    if isinstance(shape, StairsShape):
        return ObjectSolids(
            stair_solids(
                steps=shape.steps,
                rise=shape.rise,
                run=shape.run,
                width=shape.width,
                top=shape.top,
                down=shape.down,
            )
        )
    if isinstance(shape, HeightsShape):
        if rotations.angle_between(place.turns, rotations.IDENTITY) < _LEVEL_RAD:
            return ObjectSolids((HeightField(corner=np.array(shape.corner), cell=shape.cell, heights=shape.heights),))
        return _of_mesh(each, _grid_mesh(shape), stage, place)
    if isinstance(shape, MeshShape):
        mesh = clean_mesh(stage.source.from_own_axes(shape.vertices), shape.triangles)
        found = _of_mesh(each, mesh, stage, place)
        if each.mass is not None or mesh.is_closed:
            return found
        return found._replace(
            warnings=(f"'{each.name}' is open; it is taken as solid below its faces.", *found.warnings)
        )
    assert_never(shape)


def _of_mesh(each: SceneObject, mesh: Mesh, stage: Stage, place: Poses) -> ObjectSolids:
    if len(mesh.triangles) == 0 or (mesh.is_closed and mesh.volume <= 0.0):
        _refuse_flat(each)
    if each.mass is not None:
        made = loose_solids(mesh)
        return _checked(each, made, ObjectSolids(made.solids, False, _simpler(each, made, "loose")))
    # Which faces can be stood on depends on how it lies in the world.
    lying = Mesh(vertices=rotations.rotate(place.turns, mesh.vertices), triangles=mesh.triangles)
    if each.moves:
        made = moving_solids(lying)
        warnings = _simpler(each, made, "moving")
    else:
        path = stage.path[:, :2] - place.positions[:2]
        made = fixed_solids(lying, path.min(axis=0) - _NEAR_PATH_M, path.max(axis=0) + _NEAR_PATH_M)
        warnings = ()
    if any(isinstance(solid, HeightField) for solid in made.solids):
        return ObjectSolids(made.solids, True, warnings)
    back = rotations.inverse(place.turns)
    return _checked(each, made, ObjectSolids(tuple(_turned(solid, back) for solid in made.solids), False, warnings))


def _checked(each: SceneObject, made: MeshSolids, solids: ObjectSolids) -> ObjectSolids:
    if not made.solids and made.made_of != "heights":
        _refuse_flat(each)
    return solids


def _refuse_flat(each: SceneObject) -> None:
    raise SettingsError(f"'{each.name}' is a mesh without volume; give it faces around something, or leave it out.")


def _simpler(each: SceneObject, made: MeshSolids, state: str) -> tuple[str, ...]:
    if made.made_of == "itself":
        return ()
    instead = "its convex hull is" if made.made_of == "hull" else f"{len(made.solids)} convex pieces are"
    return (f"'{each.name}' is {state} and not convex; {instead} used in its place.",)


def _turned(solid: Solid, turn: Floats) -> Solid:
    if isinstance(solid, Cuboid):
        return Cuboid(
            half_extents=solid.half_extents,
            centre=rotations.rotate(turn, solid.centre),
            turn=rotations.multiply(turn, solid.turn),
        )
    if isinstance(solid, Convex):
        return Convex(vertices=rotations.rotate(turn, solid.vertices))
    return solid


def _grid_mesh(shape: HeightsShape) -> Mesh:
    """Two triangles a cell."""
    rows, columns = shape.heights.shape
    x, y = np.meshgrid(
        shape.corner[0] + shape.cell * np.arange(rows), shape.corner[1] + shape.cell * np.arange(columns), indexing="ij"
    )
    number: Ints = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    triangles = np.concatenate([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)]).reshape(-1, 3)
    return Mesh(vertices=np.stack([x, y, shape.heights], axis=-1).reshape(-1, 3), triangles=triangles)
