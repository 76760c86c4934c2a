"""Mass, centre of mass and inertia of a loose thing: of one density all over, exact for every solid.

Where solids of one thing overlap, what they share counts twice.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull

from .. import rotations
from ..arrays import Floats
from .solids import Ball, Convex, Cuboid, HeightField, Solid
from .thing import Thing


class MassProperties(NamedTuple):
    mass: float  # [kg]
    com: Floats  # (3,) in the thing's frame
    inertia: Floats  # (3, 3) about the centre of mass, along the thing's axes


class _Moments(NamedTuple):
    """Of a solid of density 1."""

    volume: float
    centre: Floats  # (3,)
    second: Floats  # (3, 3) integral of x x^T about the centre


def mass_properties(thing: Thing) -> MassProperties:
    assert thing.loose is not None
    parts = [_moments(solid) for solid in thing.solids]
    volume = sum(part.volume for part in parts)
    com: Floats = np.sum([part.volume * part.centre for part in parts], axis=0) / volume
    second = np.sum([part.second + part.volume * _square(part.centre - com) for part in parts], axis=0)
    density = thing.loose.mass / volume
    return MassProperties(thing.loose.mass, com, density * (np.trace(second) * np.eye(3) - second))


def _square(vector: Floats) -> Floats:
    """(3, 3)"""
    square: Floats = np.outer(vector, vector)
    return square


def _moments(solid: Solid) -> _Moments:
    match solid:
        case Cuboid():
            R = rotations.to_matrix(solid.turn)
            volume = float(8.0 * np.prod(solid.half_extents))
            return _Moments(volume, solid.centre, R @ np.diag(volume * solid.half_extents**2 / 3.0) @ R.T)
        case Ball():
            volume = 4.0 / 3.0 * np.pi * solid.radius**3
            return _Moments(volume, solid.centre, np.eye(3) * volume * solid.radius**2 / 5.0)
        case Convex():
            return _of_hull(solid.vertices)
        case HeightField():
            raise TypeError("A height field has no mass.")  # no loose thing is made of one


def _of_hull(vertices: Floats) -> _Moments:
    """By the tetrahedra between a point inside and the triangles of the hull."""
    hull = ConvexHull(vertices)
    inside: Floats = vertices[hull.vertices].mean(axis=0)
    corners = vertices[hull.simplices] - inside  # (F, 3, 3)
    volumes = np.abs(np.linalg.det(corners)) / 6.0
    sums = corners.sum(axis=1)
    volume = float(volumes.sum())
    centre = volumes @ sums / 4.0 / volume
    # Integral of x x^T over a tetrahedron with a corner at 0: V/20 (sum of c c^T + s s^T), s the sum of its corners c.
    about_inside = np.einsum("f,fki,fkj->ij", volumes, corners, corners) + np.einsum("f,fi,fj->ij", volumes, sums, sums)
    return _Moments(volume, inside + centre, about_inside / 20.0 - volume * _square(centre))
