"""Soles that hang over an edge: what bears them is the edge, and not the corner in the air."""

import numpy as np

from ..arrays import Bools, Floats
from ..body.body import Body
from ..world.ground import Ground
from ..world.surface import Surface

_INWARD = (0.1, 0.2, 0.3, 0.4, 0.55)  # of the way to the middle of the part of the foot


def on_edges(body: Body, soles: Floats, surface: Surface, near_m: float) -> Floats:
    """(..., P, 3) the sole points, those in the air drawn inward to where their own part of the foot meets something.

    Exactly as they are on the ground alone, and where no corner of that part of the foot is near anything.
    """
    if isinstance(surface, Ground):
        return soles
    near = surface.distance(soles) < near_m
    drawn = soles.copy()
    for link in np.unique(body.soles.links):
        mine = np.flatnonzero(body.soles.links == link)
        hangs = ~near[..., mine] & near[..., mine].any(axis=-1, keepdims=True)
        if hangs.any():
            drawn[..., mine, :] = _drawn_in(soles[..., mine, :], hangs, surface, near_m)
    return drawn


def _drawn_in(corners: Floats, hangs: Bools, surface: Surface, near_m: float) -> Floats:
    """The corners (..., P, 3) of a part of a foot, those that hang (..., P) at the first place inward that is near."""
    middle = corners.mean(axis=-2, keepdims=True)
    inner = np.stack([corners + share * (middle - corners) for share in (0.0, *_INWARD)], axis=-3)  # (..., I, P, 3)
    meets = surface.distance(inner) < near_m
    first = np.where(hangs & meets.any(axis=-2), np.argmax(meets, axis=-2), 0)
    picked: Floats = np.take_along_axis(inner, first[..., None, :, None], axis=-3)[..., 0, :, :]
    return picked
