"""The area that a body stands on: the outline of its contact points on the ground."""

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..scene import Ground

_UP = np.array([0.0, 0.0, 1.0])
_DIGITS = 3  # corners nearer than a millimetre are one


def outline(points: Floats, ground: Ground) -> Floats:
    """(K, 3) corners around points (N, 3) laid onto the ground, counter-clockwise seen from above it."""
    turn = rotations.between_vectors(ground.normal, _UP)
    flat = rotations.rotate(turn, points - ground.point)
    corners = _hull(sorted({(float(x), float(y)) for x, y in np.round(flat[:, :2], _DIGITS)}))
    level = np.column_stack([corners, np.zeros(len(corners))])
    return ground.point + rotations.rotate(rotations.inverse(turn), level)


def _hull(ordered: list[tuple[float, float]]) -> Floats:
    """(K, 2) corners of the convex hull of points in the order of x and y (Andrew 1979, monotone chain)."""
    if len(ordered) < 3:
        return np.array(ordered).reshape(-1, 2)
    sides = []
    for walk in (ordered, ordered[::-1]):
        side: list[tuple[float, float]] = []
        for point in walk:
            while len(side) >= 2 and _turns_right(side[-2], side[-1], point):
                side.pop()
            side.append(point)
        sides.append(side[:-1])
    return np.array(sides[0] + sides[1])


def _turns_right(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Or goes straight on."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0.0
