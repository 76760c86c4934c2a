"""Blender's matrices of many bones at once, as arrays; and the rotation in a matrix that may be scaled or sheared."""

from typing import Any

import numpy as np

from ...sim_core import rotations
from ...sim_core.arrays import Bools, Floats

_NO_LENGTH = 1e-9  # of a column of a matrix, beside the longest: a bone scaled to nothing


def matrices_of(bones: Any, attribute: str) -> Floats:
    """That 4 x 4 matrix of each bone, (B, 4, 4), rows and columns as on paper."""
    # Blender stores 32 bits; a buffer of the same type is filled without a detour through Python's floats.
    stored = np.empty(16 * len(bones), dtype=np.float32)
    bones.foreach_get(attribute, stored)
    return stored.reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64)


def rotations_of(matrices: Floats) -> Floats:
    """The rotations (..., 4) in matrices (..., 3 or 4, 3 or 4) that are scaled, sheared or mirrored as well.

    A bone's direction, its Y axis, stays exactly as it is; X follows as far as it can. Flat matrices give nonsense,
    but never something other than a rotation: see `is_flat`.
    """
    x, y = matrices[..., :3, 0], matrices[..., :3, 1]
    y = _unit(y, np.array([0.0, 1.0, 0.0]))
    across = x - np.sum(x * y, axis=-1, keepdims=True) * y
    helper = np.where(np.abs(y[..., :1]) < 0.9, np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]))
    x = _unit(across, _unit(helper - np.sum(helper * y, axis=-1, keepdims=True) * y, helper))
    return rotations.from_matrix(np.stack([x, y, rotations.cross(x, y)], axis=-1))


def is_flat(matrices: Floats) -> Bools:
    """Where a matrix has no rotation to tell, as that of a prop hidden by a scale of zero."""
    lengths = np.linalg.norm(matrices[..., :3, :3], axis=-2)
    volume = np.abs(np.linalg.det(matrices[..., :3, :3]))
    flat: Bools = volume <= _NO_LENGTH * np.maximum(np.max(lengths, axis=-1), 1e-12) ** 3
    return flat


def _unit(vectors: Floats, otherwise: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    known = length > 1e-12
    result: Floats = np.where(known, vectors / np.where(known, length, 1.0), otherwise)
    return result
