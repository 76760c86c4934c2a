"""The scene that a person gives as a JSON file: ground, friction, gravity and objects, in the clip's own axes, metres.

The format is told in docs/scenes.md.
"""

import json
from pathlib import Path
from typing import NamedTuple

from ..errors import SettingsError
from ..scene import GroundPlane
from .json_part import JsonPart
from .read_object import FRICTION, read_object
from .scene_objects import SceneObject

_SCENE_KEYS = ("ground", "friction", "gravity", "objects", "notes")  # notes are for people
_GRAVITY = (0.1, 100.0)


class SceneFile(NamedTuple):
    """What the file leaves open is None."""

    ground: GroundPlane | None = None
    bottomless: bool = False  # the file says that there is no ground
    friction: float | None = None
    gravity: float | None = None
    objects: tuple[SceneObject, ...] = ()


def read_scene(path: Path) -> SceneFile:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"The scene '{path}' cannot be read ({error.strerror}); check its name.") from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"The scene '{path.name}' is no JSON ({error}); write it again.") from error
    whole = JsonPart(file=path.name, value=content)
    whole.check_keys(_SCENE_KEYS)
    return SceneFile(
        ground=_ground(whole.part("ground")) if whole.has("ground") else None,
        bottomless="ground" in content and content["ground"] is None,
        friction=whole.part("friction").number(*FRICTION) if whole.has("friction") else None,
        gravity=whole.part("gravity").number(*_GRAVITY) if whole.has("gravity") else None,
        objects=_objects(whole.part("objects"), path.parent) if whole.has("objects") else (),
    )


def _ground(part: JsonPart) -> GroundPlane:
    part.check_keys(("point", "normal"))
    return GroundPlane(point_m=part.part("point").triple(), normal=part.part("normal").direction("out of the ground"))


def _objects(part: JsonPart, folder: Path) -> tuple[SceneObject, ...]:
    objects = tuple(read_object(item, k + 1, folder) for k, item in enumerate(part.items()))
    names = [each.name for each in objects]
    for name in names:
        if names.count(name) > 1:
            part.refuse(f"has the name '{name}' twice; give every object its own")
    return objects
