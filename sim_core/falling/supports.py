"""Parts of a body that bear it while it gets up: shoulders, hands, hips, knees, whole feet, and the balls of feet."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..arrays import Floats, Ints
from ..body.body import Body
from ..posing.surface import surface_points
from ..rig.segments import SIDES

_BALL = 0.3  # of a sole's length, from its front


class Support(NamedTuple):
    """A part by points of its flesh; flat ones bear with all of these, others with the lowest."""

    links: Ints  # (K,)
    local: Floats  # (K, 3) in the frames of the links [m]
    radii: Floats  # (K,)
    flat: bool


@lru_cache(maxsize=16)
def supports_of(body: Body) -> dict[str, Support]:
    """By name: "hand_l", "knee_l", "foot_l", "ball_l", and so on the right."""
    return {
        part + side: make(body, side)
        for side in SIDES
        for part, make in (
            ("shoulder", _shoulder),
            ("hand", _hand),
            ("hip", _hip),
            ("knee", _knee),
            ("foot", _foot),
            ("ball", _ball),
        )
    }


def _hand(body: Body, side: str) -> Support:
    surface = surface_points(body)
    name = "hand" + side if "hand" + side in body.names else "forearm" + side
    own = np.flatnonzero(surface.links == body.index(name))
    return Support(surface.links[own], surface.local[own], surface.radii[own], flat=False)


def _shoulder(body: Body, side: str) -> Support:
    return _near_end(body, "upper_arm" + side)


def _hip(body: Body, side: str) -> Support:
    return _near_end(body, "thigh" + side)


def _knee(body: Body, side: str) -> Support:
    return _near_end(body, "shin" + side)


def _near_end(body: Body, link: str) -> Support:
    surface = surface_points(body)
    own = np.flatnonzero(surface.links == body.index(link))[:1]
    return Support(surface.links[own], surface.local[own], surface.radii[own], flat=False)


def _foot(body: Body, side: str) -> Support:
    own = np.flatnonzero(body.soles.left == (side == "_l"))
    return Support(body.soles.links[own], body.soles.local[own], np.zeros(len(own)), flat=True)


def _ball(body: Body, side: str) -> Support:
    sole = _foot(body, side)
    foot = body.index("foot" + side)
    if (sole.links != foot).any():  # toes are a link of their own
        own = np.flatnonzero(sole.links != foot)
    else:
        along = _along(sole.local)
        own = np.flatnonzero(along > along.max() - _BALL * np.ptp(along))
    return Support(sole.links[own], sole.local[own], sole.radii[own], flat=False)


def _along(points: Floats) -> Floats:
    """(K,) how far each lies towards the toes: along the longest extent, away from the ankle."""
    axis = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2][0]
    along: Floats = points @ axis
    return along if abs(along.max()) > abs(along.min()) else -along
