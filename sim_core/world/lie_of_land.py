"""How the land lies under a body: the plane that a patch of a surface comes nearest to, laid on its highest point."""

from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from .ground import Ground
from .surface import Surface

_SPOTS = np.linspace(-1.0, 1.0, 5)
_GRID = np.stack([axis.ravel() for axis in np.meshgrid(_SPOTS, _SPOTS)], axis=-1)  # (25, 2)
_ABOVE_M = 0.5  # from which a patch is looked at, so that what hangs over a body does not count


class Lie(NamedTuple):
    heights: Floats  # (K,) straight under the points, of a body that rests on what is highest
    normals: Floats  # (K, 3)


def lie_under(surface: Surface, points: Floats, reach_m: float) -> Lie:
    """Of square patches of twice this reach around points (K, 3); that of a plane is the plane itself."""
    if isinstance(surface, Ground):
        return Lie(surface.height(points), np.array(surface.normals(points)))
    spots = np.repeat(points[:, None], len(_GRID), axis=1)
    spots[..., :2] += reach_m * _GRID
    heights = surface.height(spots)  # (K, 25)
    slopes = heights @ _GRID / (reach_m * np.sum(_GRID[:, 0] ** 2))  # least squares on a symmetric grid
    normals = np.concatenate([-slopes, np.ones((len(points), 1))], axis=1)
    above = (heights - heights.mean(axis=1, keepdims=True) - slopes @ (reach_m * _GRID).T).max(axis=1)
    return Lie(heights.mean(axis=1) + above, normals / np.linalg.norm(normals, axis=1, keepdims=True))
