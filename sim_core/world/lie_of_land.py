"""How the land lies under a body: the plane that a patch of a surface comes nearest to, laid on its highest point.

What falls away beside it, as the floor does beside a beam, is no land to roll on.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from .ground import Ground
from .surface import Surface

_SPOTS = np.linspace(-1.0, 1.0, 9)
_GRID = np.stack([axis.ravel() for axis in np.meshgrid(_SPOTS, _SPOTS)], axis=-1)  # (81, 2)
_ABOVE_M = 0.5  # from which a patch is looked at, so that what hangs over a body does not count
_FALLS_AWAY_M, _FALLS_AWAY = 0.15, 0.7  # below the highest spot, and the more for each metre away from it
_FEW = 1e-3  # spots that vary in a direction by less than this, in squares of the reach, tell no slope


class Lie(NamedTuple):
    heights: Floats  # (K,) straight under the points, of a body that rests on what is highest
    normals: Floats  # (K, 3)


def lie_under(surface: Surface, points: Floats, reach_m: float) -> Lie:
    """Of square patches of twice this reach around points (K, 3); that of a plane is the plane itself."""
    if isinstance(surface, Ground):
        return Lie(surface.height(points), np.array(surface.normals(points)))
    places = reach_m * _GRID
    spots = np.repeat(points[:, None], len(places), axis=1)
    spots[..., :2] += places
    heights = surface.height(spots)  # (K, 81)
    shares = _land(heights, places)
    means, middles = np.sum(shares * heights, axis=1), shares @ places
    apart = places - middles[:, None]  # (K, 81, 2)
    spread = np.einsum("ks,ksi,ksj->kij", shares, apart, apart)
    rises = np.einsum("ks,ksi,ks->ki", shares, apart, heights - means[:, None])
    slopes = np.linalg.solve(spread + _FEW * reach_m**2 * _thin(spread, reach_m), rises[..., None])[..., 0]
    normals = np.concatenate([-slopes, np.ones((len(points), 1))], axis=1)
    above = heights - means[:, None] - np.einsum("ksi,ki->ks", apart, slopes)
    highest = np.where(shares > 0.0, above, -np.inf).max(axis=1)
    under = means - np.sum(middles * slopes, axis=1) + highest
    return Lie(under, normals / np.linalg.norm(normals, axis=1, keepdims=True))


def _land(heights: Floats, places: Floats) -> Floats:
    """(K, S) by which share each spot counts: those that fall away do not."""
    top = np.argmax(heights, axis=1)
    away = np.linalg.norm(places - places[top][:, None], axis=-1)
    below = heights[np.arange(len(heights)), top][:, None] - heights
    land = (below <= _FALLS_AWAY_M + _FALLS_AWAY * away).astype(float)
    shares: Floats = land / land.sum(axis=1, keepdims=True)
    return shares


def _thin(spread: Floats, reach_m: float) -> Floats:
    """(K, 2, 2) one where spots are in a line, or there is one alone, and nothing can be told across."""
    narrow = np.linalg.det(spread) <= (_FEW * reach_m**2) * np.trace(spread, axis1=1, axis2=2)
    thin: Floats = narrow[:, None, None] * np.eye(2)
    return thin
