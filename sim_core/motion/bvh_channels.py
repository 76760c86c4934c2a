"""What the columns of a BVH file mean: which joint, which axis, in which order."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..arrays import Ints
from .bvh import BvhDocument


class RotationGroup(NamedTuple):
    """Joints that turn about the same axes in the same order, so that one call serves them all."""

    axes: tuple[int, ...]  # 0 x, 1 y, 2 z, outermost first; one to three
    joints: Ints  # (G,)
    columns: Ints  # (G, len(axes)) in the rows of motion


class PositionColumn(NamedTuple):
    joint: int
    axis: int
    column: int


def rotation_groups(document: BvhDocument) -> list[RotationGroup]:
    joints: dict[tuple[int, ...], list[int]] = defaultdict(list)
    columns: dict[tuple[int, ...], list[list[int]]] = defaultdict(list)
    for joint in range(len(document.names)):
        found = list(_columns_of(document, joint, "rotation"))
        axes = tuple(axis for axis, _ in found)
        if axes:
            joints[axes].append(joint)
            columns[axes].append([column for _, column in found])
    return [RotationGroup(axes, np.array(joints[axes]), np.array(columns[axes])) for axes in joints]


def position_columns(document: BvhDocument) -> list[PositionColumn]:
    return [
        PositionColumn(joint, axis, column)
        for joint in range(len(document.names))
        for axis, column in _columns_of(document, joint, "position")
    ]


def _columns_of(document: BvhDocument, joint: int, kind: str) -> Iterator[tuple[int, int]]:
    for column, name in enumerate(document.channels[joint], document.first_columns[joint]):
        if name[1:].lower() == kind:
            yield "xyz".index(name[0].lower()), column
