"""The shape of an object in a scene file."""

from pathlib import Path

import numpy as np

from .json_part import JsonPart
from .read_mesh import mesh_beside, mesh_inside
from .scene_objects import BallShape, BoxShape, HeightsShape, ObjectShape, StairsShape

SHAPES = ("box", "ball", "stairs", "heights", "mesh")
_STAIRS_KEYS = ("steps", "rise", "run", "width", "top", "down")
_HEIGHTS_KEYS = ("cell", "rows", "corner")
_MOST_STEPS = 1000


def read_shape(part: JsonPart, folder: Path) -> ObjectShape:
    given = [key for key in SHAPES if part.has(key)]
    if len(given) != 1:
        found = " and ".join(f"'{key}'" for key in given) or "none of them"
        part.refuse(f"needs one of {', '.join(repr(key) for key in SHAPES)}, and has {found}")
    kind = given[0]
    shape = part.part(kind)
    if kind == "box":
        return _box(shape)
    if kind == "ball":
        shape.check_keys(("radius",))
        return BallShape(radius=shape.part("radius").size())
    if kind == "stairs":
        return _stairs(shape)
    if kind == "heights":
        return _heights(shape)
    if isinstance(shape.value, str):
        return mesh_beside(shape, part.part("mesh_name"), folder)
    return mesh_inside(shape)


def _box(part: JsonPart) -> BoxShape:
    part.check_keys(("size",))
    size = part.part("size").triple()
    if not all(0.0 < length <= 1e4 for length in size):
        part.part("size").refuse(f"takes three lengths above 0, not {list(size)}")
    return BoxShape(size=size)


def _stairs(part: JsonPart) -> StairsShape:
    part.check_keys(_STAIRS_KEYS)
    return StairsShape(
        steps=part.part("steps").whole(1, _MOST_STEPS),
        rise=part.part("rise").size(),
        run=part.part("run").size(),
        width=part.part("width").size(),
        top=part.part("top").number(0.0, 1e4) if part.has("top") else 0.0,
        down=part.part("down").whole(0, _MOST_STEPS) if part.has("down") else 0,
    )


def _heights(part: JsonPart) -> HeightsShape:
    part.check_keys(_HEIGHTS_KEYS)
    rows = part.part("rows")
    width = len(rows.value[0]) if isinstance(rows.value, list) and rows.value and isinstance(rows.value[0], list) else 2
    if width < 2:
        rows.refuse("needs two heights or more in every row")
    corner = part.part("corner").numbers(2) if part.has("corner") else np.zeros(2)
    return HeightsShape(
        cell=part.part("cell").size(),
        corner=(float(corner[0]), float(corner[1])),
        heights=rows.rows(width, fewest=2),
    )
