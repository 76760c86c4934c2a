"""The scene that a person gives as a JSON file: the ground in the clip's own axes, in metres, and its friction."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .errors import SettingsError
from .scene import GroundPlane

_SCENE_KEYS = ("ground", "friction")
_GROUND_KEYS = ("point", "normal")


class SceneFile(NamedTuple):
    """What the file leaves open is None."""

    ground: GroundPlane | None
    friction: float | None


def read_scene(path: Path) -> SceneFile:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"The scene '{path}' cannot be read ({error.strerror}); check its name.") from error
    except ValueError as error:
        raise SettingsError(f"The scene '{path.name}' is no JSON ({error}); write it again.") from error
    _check_keys(path, "", content, _SCENE_KEYS)
    ground, friction = content.get("ground"), content.get("friction")
    if ground is not None:
        _check_keys(path, "ground.", ground, _GROUND_KEYS)
    if friction is not None and not _is_number(friction):
        raise SettingsError(f"In the scene '{path.name}', 'friction' needs a number, not {json.dumps(friction)}.")
    return SceneFile(
        ground=None
        if ground is None
        else GroundPlane(point_m=_triple(path, ground, "point"), normal=_normal(path, ground)),
        friction=None if friction is None else float(friction),
    )


def _check_keys(path: Path, where: str, content: Any, known: tuple[str, ...]) -> None:
    expected = " and ".join(f"'{where}{key}'" for key in known)
    if not isinstance(content, dict):
        raise SettingsError(
            f"The scene '{path.name}' needs {expected} as an object in braces, not {json.dumps(content)}."
        )
    for key in content:
        if key not in known:
            raise SettingsError(
                f"The scene '{path.name}' holds '{where}{key}', which Heft does not know; it takes {expected}."
            )


def _normal(path: Path, ground: dict[str, Any]) -> tuple[float, float, float]:
    normal = _triple(path, ground, "normal")
    if not 0.0 < np.linalg.norm(normal) < np.inf:
        raise SettingsError(
            f"In the scene '{path.name}', 'ground.normal' has no direction; give one out of the ground."
        )
    return normal


def _triple(path: Path, ground: dict[str, Any], key: str) -> tuple[float, float, float]:
    value = ground.get(key)
    if not (isinstance(value, list) and len(value) == 3 and all(_is_number(part) for part in value)):
        raise SettingsError(
            f"In the scene '{path.name}', 'ground.{key}' needs three numbers, as [0, 0, 1], not {json.dumps(value)}."
        )
    x, y, z = (float(part) for part in value)
    return x, y, z


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and bool(np.isfinite(float(value)))
