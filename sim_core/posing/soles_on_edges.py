"""Soles that hang over an edge: what bears them is the edge, and not the corner in the air."""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..world.ground import Ground
from ..world.surface import Surface

_INWARD = (0.1, 0.2, 0.3, 0.4, 0.55)  # of the way to the middle of the part of the foot


def on_edges(body: Body, soles: Floats, surface: Surface, near_m: float) -> Floats:
    """(..., P, 3) the sole points, those in the air drawn inward to where their own part of the foot meets something.

    Exactly as they are on the ground alone, and where nothing below the foot is near.
    """
    if isinstance(surface, Ground):
        return soles
    drawn = soles.copy()
    links = body.soles.links
    for link in np.unique(links):
        mine = np.flatnonzero(links == link)
        corners = soles[..., mine, :]
        middle = corners.mean(axis=-2, keepdims=True)
        there, found = corners, surface.distance(corners) < near_m
        for share in _INWARD:
            inner = corners + share * (middle - corners)
            meets = ~found & (surface.distance(inner) < near_m)
            there = np.where(meets[..., None], inner, there)
            found = found | meets
        drawn[..., mine, :] = there
    return drawn
