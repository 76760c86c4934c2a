"""The shapes that things are made of, each in the frame of its thing."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.spatial import ConvexHull

from .. import rotations
from ..arrays import Floats, frozen

_SAME_PLANE = 1e-6  # triangles of a hull whose planes differ by less are one face


class HalfSpaces(NamedTuple):
    """A convex solid as the points x with normals @ x <= offsets."""

    normals: Floats  # (H, 3) unit, outwards
    offsets: Floats  # (H,) [m]


@dataclass(frozen=True, kw_only=True, eq=False)
class Cuboid:
    half_extents: Floats  # (3,) [m]
    centre: Floats = field(default_factory=lambda: frozen([0.0, 0.0, 0.0]))  # (3,)
    turn: Floats = field(default_factory=lambda: frozen(rotations.IDENTITY))  # (4,)

    @cached_property
    def vertices(self) -> Floats:
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
        vertices: Floats = self.centre + rotations.rotate(self.turn, signs * self.half_extents)
        return vertices

    @cached_property
    def half_spaces(self) -> HalfSpaces:
        normals = rotations.rotate(self.turn, np.concatenate([np.eye(3), -np.eye(3)]))
        return HalfSpaces(normals, normals @ self.centre + np.tile(self.half_extents, 2))


@dataclass(frozen=True, kw_only=True, eq=False)
class Ball:
    radius: float  # [m]
    centre: Floats = field(default_factory=lambda: frozen([0.0, 0.0, 0.0]))  # (3,)


@dataclass(frozen=True, kw_only=True, eq=False)
class Convex:
    """The hull of some points, which are its corners."""

    vertices: Floats  # (V, 3) [m]

    @cached_property
    def half_spaces(self) -> HalfSpaces:
        equations = ConvexHull(self.vertices).equations
        _, rows = np.unique(np.round(equations / _SAME_PLANE), axis=0, return_index=True)
        faces = equations[np.sort(rows)]
        return HalfSpaces(faces[:, :3], -faces[:, 3])


@dataclass(frozen=True, kw_only=True, eq=False)
class HeightField:
    """Heights over a level grid; solid below, and nothing beyond its edges. Things made of it stay where they are."""

    corner: Floats  # (2,) where row 0, column 0 is, in the plane [m]
    cell: float  # distance of two samples [m]
    heights: Floats  # (NX, NY) [m]
    thickness: float = 0.5  # of solid ground below the lowest height [m]

    @property
    def extent(self) -> Floats:
        """(2,) length and width [m]."""
        extent: Floats = self.cell * (np.array(self.heights.shape) - 1.0)
        return extent


Solid: TypeAlias = Cuboid | Ball | Convex | HeightField
