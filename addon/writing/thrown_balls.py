"""Balls that were thrown become objects of the take: without one, a character would be hit by nothing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import bmesh
import bpy
import numpy as np

from ...sim_core.arrays import Ints
from ..compat import assign_action, new_curve
from ..takes.take_objects import BakedObject
from ..world.placements import Path as Moves
from .curve_keys import baked_keys, held_keys, write_keys

if TYPE_CHECKING:
    from bpy.types import Mesh, Scene

_GROUP = "Object Transforms"
_HIDDEN = ("hide_viewport", "hide_render")


class ThrownBall(NamedTuple):
    radius: float  # [m]
    moves: Moves  # [m]; until it is thrown it waits where it begins


def add_balls(
    scene: "Scene", balls: Sequence[ThrownBall], frames: Ints, units_per_metre: float, take_name: str
) -> tuple[BakedObject, ...]:
    """New objects in the scene, seen from the moment they are thrown on, and only while their take is in use."""
    return tuple(_add(scene, ball, frames, units_per_metre, take_name) for ball in balls)


def _add(scene: "Scene", ball: ThrownBall, frames: Ints, units: float, take_name: str) -> BakedObject:
    item = bpy.data.objects.new(f"Ball of {take_name}", _mesh(units * ball.radius))
    scene.collection.objects.link(item)
    item.rotation_mode = "QUATERNION"
    action = bpy.data.actions.new(f"{item.name} moves")
    for path, values in (("location", units * ball.moves.positions), ("rotation_quaternion", ball.moves.rotations)):
        for index in range(values.shape[1]):
            write_keys(new_curve(action, item, path, index, _GROUP), baked_keys(frames, values[:, index]))
    thrown = _first_row_in_flight(ball.moves)
    for path in _HIDDEN:
        keys = held_keys([float(frames[0]) - 1.0, float(frames[thrown])], [1.0, 0.0])
        write_keys(new_curve(action, item, path, 0, _GROUP), keys)
    assign_action(item, action)
    return BakedObject(object=item, action=action, source=None, switched=dict.fromkeys(_HIDDEN, True), made=True)


def _first_row_in_flight(moves: Moves) -> int:
    away = np.abs(moves.positions - moves.positions[0]).max(axis=1)
    moving = np.flatnonzero(away > 1e-6)
    return max(int(moving[0]) - 1, 0) if len(moving) else 0


def _mesh(radius: float) -> "Mesh":
    shell = bmesh.new()
    bmesh.ops.create_icosphere(shell, subdivisions=3, radius=radius)
    mesh = bpy.data.meshes.new("Ball")
    shell.to_mesh(mesh)
    shell.free()
    for face in mesh.polygons:
        face.use_smooth = True
    return mesh
