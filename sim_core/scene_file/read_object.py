"""One object of a scene file."""

from pathlib import Path

import numpy as np

from .json_part import JsonPart
from .read_moves import read_moves
from .read_shape import SHAPES, read_shape
from .scene_objects import OnPath, Quaternion, SceneObject

FRICTION = (0.01, 10.0)
_PLACE_KEYS = ("position", "rotation", "heading", "on_path")
_KEYS = ("name", *SHAPES, "mesh_name", *_PLACE_KEYS, "friction", "moves", "belt", "mass", "velocity", "spin")
_ON_PATH_KEYS = ("ahead", "aside", "up")


def read_object(part: JsonPart, number: int, folder: Path) -> SceneObject:
    if not isinstance(part.value, dict):
        part.check_keys(_KEYS)
    name = JsonPart(file=part.file, value=part.value.get("name", f"Object {number}"), where=f"{part.where}.name").text()
    part = JsonPart(file=part.file, value=part.value, owner=name)
    part.check_keys(_KEYS)
    _check_contradictions(part)
    return SceneObject(
        name=name,
        shape=read_shape(part, folder),
        position=part.part("position").triple() if part.has("position") else (0.0, 0.0, 0.0),
        rotation=_rotation(part.part("rotation")) if part.has("rotation") else (1.0, 0.0, 0.0, 0.0),
        heading_deg=part.part("heading").number(-3600.0, 3600.0) if part.has("heading") else 0.0,
        on_path=_on_path(part.part("on_path")) if part.has("on_path") else None,
        friction=part.part("friction").number(*FRICTION) if part.has("friction") else None,
        moves=read_moves(part.part("moves")) if part.has("moves") else (),
        belt=part.part("belt").triple() if part.has("belt") else (0.0, 0.0, 0.0),
        mass=part.part("mass").size(1e5) if part.has("mass") else None,
        velocity=part.part("velocity").triple() if part.has("velocity") else (0.0, 0.0, 0.0),
        spin=part.part("spin").triple() if part.has("spin") else (0.0, 0.0, 0.0),
    )


def _check_contradictions(part: JsonPart) -> None:
    if part.has("mass") and part.has("moves"):
        part.refuse("has both 'mass' and 'moves'; a loose object falls, a moving one is carried: leave one of them out")
    if part.has("mass") and part.has("belt"):
        part.refuse("has both 'mass' and 'belt'; only what is fixed can carry a belt: leave one of them out")
    if part.has("mass") and part.has("heights"):
        part.refuse("is made of 'heights' and cannot be loose; leave out 'mass'")
    if part.has("moves") and part.has("heights"):
        part.refuse("is made of 'heights' and cannot move; leave out 'moves'")
    if part.has("on_path") and part.has("position"):
        part.refuse("has both 'position' and 'on_path'; give one of them")
    if part.has("heading") and part.has("rotation"):
        part.refuse("has both 'rotation' and 'heading'; give one of them")
    if part.has("mesh_name") and not isinstance(part.value.get("mesh"), str):
        part.refuse("has a 'mesh_name' and no file in 'mesh' to find it in; name the .npz file, or leave it out")
    if not part.has("mass"):
        for key in ("velocity", "spin"):
            if part.has(key):
                part.refuse(f"has a '{key}' and no 'mass'; give it a mass in kilograms, or 'moves' instead")
    moves = part.value.get("moves")
    if part.has("on_path") and isinstance(moves, dict) and "positions" in moves:
        part.refuse("has both 'on_path' and 'moves.positions'; give one of them")


def _rotation(part: JsonPart) -> Quaternion:
    numbers = part.numbers(4)
    length = float(np.linalg.norm(numbers))
    if length < 1e-9:
        part.refuse("has four zeros; give a quaternion as [w, x, y, z]")
    w, x, y, z = (float(number) / length for number in numbers)
    return w, x, y, z


def _on_path(part: JsonPart) -> OnPath:
    part.check_keys(_ON_PATH_KEYS)
    return OnPath(**{key: part.part(key).number(-1e4, 1e4) for key in _ON_PATH_KEYS if part.has(key)})
