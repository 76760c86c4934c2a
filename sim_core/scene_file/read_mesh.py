"""The mesh of an object: in the scene file itself, or in an .npz file beside it."""

import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import Ints
from .json_part import JsonPart
from .scene_objects import MeshShape

_LARGEST_M = 1e5


def mesh_inside(part: JsonPart) -> MeshShape:
    part.check_keys(("vertices", "faces"))
    vertices = part.part("vertices").rows(3, fewest=3)
    return _checked(part, vertices, _triangles(part.part("faces")))


def mesh_beside(part: JsonPart, name: JsonPart, folder: Path) -> MeshShape:
    """Arrays NAME_vertices (V, 3) and NAME_triangles (F, 3)."""
    path = folder / part.text()
    prefix = name.text()
    try:
        with np.load(path, allow_pickle=False) as arrays:
            vertices, triangles = arrays[f"{prefix}_vertices"], arrays[f"{prefix}_triangles"]
    except KeyError:
        name.refuse(f"is '{prefix}', and '{path.name}' has no '{prefix}_vertices' and '{prefix}_triangles'")
    except OSError as error:
        part.refuse(f"cannot be read ({error.strerror or 'no .npz file'}); check the file's name")
    except (ValueError, EOFError, zipfile.BadZipFile, AttributeError, TypeError):
        part.refuse(f"is '{path.name}', which is broken or no .npz file; write it again")
    return _checked(part, vertices, triangles)


def _triangles(part: JsonPart) -> Ints:
    """Faces with more corners become fans."""
    triangles = []
    for face in part.items():
        corners = face.value
        if not (isinstance(corners, list) and len(corners) >= 3 and all(type(corner) is int for corner in corners)):
            face.refuse("needs the whole numbers of three vertices or more, counted from 0")
        triangles += [[corners[0], a, b] for a, b in pairwise(corners[1:])]
    return np.array(triangles, dtype=np.int64).reshape(-1, 3)


def _checked(part: JsonPart, vertices: Any, triangles: Any) -> MeshShape:
    if not (vertices.ndim == 2 and vertices.shape[1:] == (3,) and vertices.dtype.kind in "fiu"):
        part.refuse("needs vertices as rows of three numbers")
    if not (triangles.ndim == 2 and triangles.shape[1:] == (3,) and triangles.dtype.kind in "iu"):
        part.refuse("needs triangles as rows of three whole numbers")
    if len(triangles) == 0:
        part.refuse("has no faces; give it some, or leave the object out")
    if not (np.isfinite(vertices).all() and np.abs(vertices).max(initial=0.0) < _LARGEST_M):
        part.refuse("has vertices that are not finite, or farther away than 100 km; give metres")
    outside = (triangles < 0) | (triangles >= len(vertices))
    if outside.any():
        part.refuse(
            f"names vertex {int(triangles[outside][0])} in a face, and has vertices 0 to {len(vertices) - 1}; "
            "correct the face"
        )
    return MeshShape(vertices=vertices.astype(np.float64), triangles=triangles.astype(np.int64))
