"""Objects as a scene file, ready to be read again."""

import json
from collections.abc import Sequence
from typing import Any

from .scene_objects import BoxShape, MeshShape, SceneObject


def scene_bytes(objects: Sequence[SceneObject], notes: Sequence[str]) -> bytes:
    content = {"notes": list(notes), "objects": [_object(each) for each in objects]}
    return (json.dumps(content, indent=1, allow_nan=False) + "\n").encode()


def _object(each: SceneObject) -> dict[str, Any]:
    """Of an object that stays where its position is, as a proposal's do."""
    return {"name": each.name} | _shape(each) | {"position": each.position, "heading": each.heading_deg}


def _shape(each: SceneObject) -> dict[str, Any]:
    if isinstance(each.shape, BoxShape):
        return {"box": {"size": each.shape.size}}
    assert isinstance(each.shape, MeshShape)
    return {"mesh": {"vertices": each.shape.vertices.tolist(), "faces": each.shape.triangles.tolist()}}
