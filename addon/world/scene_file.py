"""The world as the worker's --scene reads it, and where its --objects say that loose things went; no bpy here."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...sim_core import rotations
from ...sim_core.arrays import Floats
from ...sim_core.errors import SimulationError
from .placements import Path as Moves
from .placements import Placement
from .world import World, WorldObject

_MESHES = "objects.npz"
_BALL = "ball {}"  # how the worker calls what is thrown, counted from 1


class LooseMoves(NamedTuple):
    objects: dict[str, Moves]  # by name
    balls: tuple[Moves, ...]  # in the order of the throws


def write_scene(path: Path, world: World) -> None:
    """The scene, and its meshes in a file beside it."""
    arrays: dict[str, Any] = {}
    mesh_names: dict[int, str] = {}  # of vertices that several objects share
    scene: dict[str, Any] = {}
    if world.ground is not None:
        scene["ground"] = {"point": world.ground.point.tolist(), "normal": world.ground.normal.tolist()}
    elif world.is_whole:
        scene["ground"] = None
    if world.objects:
        scene["objects"] = [_object(item, world.first_frame, arrays, mesh_names) for item in world.objects]
    if arrays:
        np.savez(path.with_name(_MESHES), **arrays)
    path.write_text(json.dumps(scene, allow_nan=False), encoding="utf-8")


def read_loose(path: Path, world: World | None, frames: int) -> LooseMoves:
    """Where each loose object of the world, and every ball that was thrown, was in every frame [m]."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))["objects"]
        loose = () if world is None else world.loose
        objects = {item.name: _moves(item.name, told[item.name], frames, item.shape.centre) for item in loose}
        names = [_BALL.format(number) for number in range(1, len(told) + 1)]
        balls = [_moves(name, told[name], frames) for name in names if name in told and name not in objects]
        return LooseMoves(objects, tuple(balls))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SimulationError(
            f"Where the loose objects went cannot be read ({type(error).__name__}: {error}); bake again."
        ) from error


def _object(item: WorldObject, first_frame: int, arrays: dict[str, Any], mesh_names: dict[int, str]) -> dict[str, Any]:
    told: dict[str, Any] = {"name": item.name, **_shape(item, arrays, mesh_names), "friction": item.friction}
    if item.path is None:
        told["position"] = _centre(item.placement.position, item.placement.rotation, item).tolist()
        told["rotation"] = item.placement.rotation.tolist()
    else:
        positions = _centre(item.path.positions, item.path.rotations, item)
        told["moves"] = {
            "frame": first_frame,
            "positions": positions.tolist(),
            "rotations": item.path.rotations.tolist(),
        }
    if item.belt is not None:
        told["belt"] = list(item.belt)
    if item.loose is not None:
        told["mass"] = item.loose.mass
        told["velocity"], told["spin"] = item.loose.velocity.tolist(), item.loose.spin.tolist()
    return told


def _shape(item: WorldObject, arrays: dict[str, Any], mesh_names: dict[int, str]) -> dict[str, Any]:
    shape = item.shape
    if shape.kind == "BOX":
        return {"box": {"size": shape.size.tolist()}}
    if shape.kind == "BALL":
        return {"ball": {"radius": shape.radius}}
    if id(shape) not in mesh_names:
        name = mesh_names[id(shape)] = str(len(mesh_names))
        arrays[f"{name}_vertices"], arrays[f"{name}_triangles"] = shape.vertices, shape.triangles
    return {"mesh": _MESHES, "mesh_name": mesh_names[id(shape)]}


def _centre(positions: Floats, turns: Floats, item: WorldObject) -> Floats:
    """Where the middle of its shape is when its origin is there."""
    return positions + rotations.rotate(turns, item.shape.centre)


def _moves(name: str, told: dict[str, Any], frames: int, centre: Floats | None = None) -> Moves:
    """Of the origin, where the worker tells of the centre."""
    positions, turns = np.array(told["positions"], dtype=float), np.array(told["rotations"], dtype=float)
    if positions.shape != (frames, 3) or turns.shape != (frames, 4):
        raise ValueError(f"'{name}' has {len(positions)} places in {frames} frames")
    if not (np.isfinite(positions).all() and np.isfinite(turns).all()):
        raise ValueError(f"'{name}' left the realm of numbers")
    turns = rotations.continuous(rotations.normalise(turns))
    if centre is not None:
        positions = positions - rotations.rotate(turns, centre)
    return Moves(positions, turns, False)


def world_matrices(moves: Moves, start: Placement, units_per_metre: float) -> Floats:
    """(T, 4, 4) of the object in Blender's units, scaled and sheared as it was in the first frame."""
    result = np.tile(np.eye(4), (len(moves.positions), 1, 1))
    result[:, :3, :3] = units_per_metre * (rotations.to_matrix(moves.rotations) @ start.stretch)
    result[:, :3, 3] = units_per_metre * moves.positions
    return result
