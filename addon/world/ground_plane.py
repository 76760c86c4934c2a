"""Which of the triangles around a character are its floor; no bpy here."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...sim_core.arrays import Bools, Floats, Ints

_STEEPEST = 0.5  # upward part of a face's normal: steeper than 60 degrees is a wall
_OUT_OF_PLANE_M = 0.03  # less than a kerb
_MOST_POINTS = 64  # of the character's path, at which the ground is looked for
_MOST_PAIRS = 4_000_000  # points times faces at once
_WHOLE = 0.9  # of the path: a floor lies under this much of it
_BEYOND_M = 0.75  # and reaches this far beyond: a table under somebody who stands on it is none
_BY_FAR = 4.0  # times as large as the next flat thing under the path


@dataclass(frozen=True, kw_only=True, eq=False)
class Plane:
    point: Floats  # (3,) [m]
    normal: Floats  # (3,)


class Top(NamedTuple):
    """What of an object lies under a path."""

    covers: Bools  # (P,) the spots of the path
    plane: Plane | None  # where all of it is as flat as a floor, and as large
    area: float


class Floor(NamedTuple):
    index: int | None  # of the object whose plane stands for it
    plane: Plane | None
    is_whole: bool  # something lies under all of the path


def find_floor(still: Sequence[Top], others: Sequence[Top]) -> Floor:
    """Among objects that stand still; others may be walked on, but are never endless."""
    flat = sorted(
        (index for index, top in enumerate(still) if top.plane is not None and top.covers.mean() >= _WHOLE),
        key=lambda index: -still[index].area,
    )
    if flat and (len(flat) == 1 or still[flat[0]].area >= _BY_FAR * still[flat[1]].area):
        return Floor(flat[0], still[flat[0]].plane, True)
    covers = [top.covers for top in (*still, *others)]
    return Floor(None, None, bool(covers) and bool(np.any(covers, axis=0).mean() >= _WHOLE))


def spots_of(path: Floats) -> Floats:
    """(P, 2) where ground is looked for, of a path (T, 3)."""
    rows = np.unique(np.linspace(0, len(path) - 1, _MOST_POINTS).round().astype(int))
    spots: Floats = path[rows, :2]
    return spots


def top_of(corners: Floats, spots: Floats) -> Top:
    """What triangles (F, 3, 3) offer to stand on."""
    crosses = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    doubled = np.linalg.norm(crosses, axis=1)
    faces_up = np.flatnonzero(crosses[:, 2] > _STEEPEST * doubled)
    covers, under = _spots_in(corners[faces_up][..., :2], spots)
    area = 0.5 * float(doubled[faces_up].sum())
    if not len(under):
        return Top(covers, None, area)
    rows = faces_up[under]
    weights = doubled[rows] / doubled[rows].sum()
    normal = weights @ (crosses[rows] / doubled[rows, None])
    plane = Plane(point=weights @ corners[rows].mean(axis=1), normal=normal / np.linalg.norm(normal))
    uneven = float(np.abs((corners[rows] - plane.point) @ plane.normal).max())
    highest = float(((corners - plane.point) @ plane.normal).max())
    is_floor = max(uneven, highest) <= _OUT_OF_PLANE_M and _reach(corners[faces_up], spots) >= _BEYOND_M
    return Top(covers, plane if is_floor else None, area)


def _reach(corners: Floats, spots: Floats) -> float:
    """How far triangles go on beyond the spots on every side."""
    low, high = corners[..., :2].min(axis=(0, 1)), corners[..., :2].max(axis=(0, 1))
    return float(np.min([spots.min(axis=0) - low, high - spots.max(axis=0)]))


def _spots_in(triangles: Floats, spots: Floats) -> tuple[Bools, Ints]:
    """Which of the spots (P, 2) lie in any triangle (N, 3, 2), seen from above, and which triangles hold one."""
    covers, holds = np.zeros(len(spots), dtype=bool), np.zeros(len(triangles), dtype=bool)
    if len(triangles):
        reach = (triangles.min(axis=1) <= spots.max(axis=0)) & (triangles.max(axis=1) >= spots.min(axis=0))
        near = np.flatnonzero(reach.all(axis=1))
        for rows in np.array_split(near, 1 + len(near) * len(spots) // _MOST_PAIRS):
            sides = [_side(triangles[rows, corner], triangles[rows, (corner + 1) % 3], spots) for corner in range(3)]
            inside = np.all([side >= 0 for side in sides], axis=0) | np.all([side <= 0 for side in sides], axis=0)
            holds[rows] = inside.any(axis=1)
            covers |= inside.any(axis=0)
    return covers, np.flatnonzero(holds)


def _side(start: Floats, end: Floats, spots: Floats) -> Floats:
    along, to_spot = end - start, spots[None] - start[:, None]
    result: Floats = along[:, None, 0] * to_spot[..., 1] - along[:, None, 1] * to_spot[..., 0]
    return result
