"""Matrices of objects as places and rotations, however they are scaled, sheared or mirrored; no bpy here."""

from typing import NamedTuple

import numpy as np

from ...sim_core import rotations
from ...sim_core.arrays import Floats

_STRETCHED = 0.01  # of an object's size: less is not worth a word


class Placement(NamedTuple):
    """A matrix taken apart: world = position + rotation @ stretch @ own point."""

    position: Floats  # (3,)
    rotation: Floats  # (4,)
    stretch: Floats  # (3, 3) scale, shear and mirroring


class Path(NamedTuple):
    """How a placement goes on."""

    positions: Floats  # (T, 3)
    rotations: Floats  # (T, 4) continuous
    is_stretched: bool  # its size changes on the way, which no rotation explains


def placement(matrix: Floats) -> Placement:
    """Of a matrix (4, 4) or (3, 4). A mirrored one is turned by what it is without the mirror in its middle."""
    linear = matrix[:3, :3]
    turn = _nearest_rotations(np.copysign(1.0, np.linalg.det(linear)) * linear[None])[0]
    return Placement(matrix[:3, 3].copy(), rotations.from_matrix(turn), turn.T @ linear)


def path_from(start: Placement, matrices: Floats) -> Path:
    """Of the same object in later frames, (T, 3 or 4, 4)."""
    turn = rotations.to_matrix(start.rotation)
    linear = turn @ start.stretch
    turned = _nearest_rotations(matrices[:, :3, :3] @ linear.T)
    away = np.abs(matrices[:, :3, :3] - turned @ linear).max(initial=0.0)
    return Path(
        matrices[:, :3, 3].copy(),
        rotations.continuous(rotations.from_matrix(turned @ turn)),
        bool(away > _STRETCHED * np.abs(linear).max()),
    )


def rotations_onto(stretches: Floats, matrices: Floats) -> Floats:
    """The rotations (T, 4) that bring one linear map (3, 3) closest to others (T, 3, 3)."""
    return rotations.continuous(rotations.from_matrix(_nearest_rotations(matrices @ stretches.T)))


def _nearest_rotations(linear: Floats) -> Floats:
    """(T, 3, 3) rotations, never mirrored ones; flat matrices have one too (Kabsch)."""
    u, _, vt = np.linalg.svd(linear)
    sign = np.ones((len(linear), 3))
    sign[:, 2] = np.copysign(1.0, np.linalg.det(u @ vt))
    result: Floats = (u * sign[:, None, :]) @ vt
    return result
