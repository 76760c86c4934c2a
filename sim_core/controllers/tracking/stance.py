"""Where the ground may push: at soles that the reference AND the simulation put down, and at other links that touch.

Either alone fails: labels ask for force from feet that hover, and touching alone holds on to a foot that is to swing.
"""

from typing import NamedTuple

import numpy as np

from ...arrays import Bools, Floats, Ints
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...engines.engine import GROUND, Contacts
from ...posing.soles_on_edges import on_edges
from ...world.surface import Surface
from .row import Row

_RISES_M = 0.03  # a sole point that is this much above its foot's lowest in the reference rises, and is not held down
_MOST_OTHERS = 12  # contacts besides the soles


class Soles(NamedTuple):
    points: Floats  # (P, 3) in the world
    borne: Floats  # (P, 3) where the ground bears each: a corner that hangs over an edge is borne on the edge
    heights: Floats  # (P,) over the ground
    bearing: Bools  # (P,) down, in reference and simulation
    raised: Bools  # (P,) down in the reference, and not yet here
    stands: Bools  # (2,) feet of which some point bears


class Others(NamedTuple):
    """Points of links other than feet that touch the ground."""

    links: Ints  # (K,)
    points: Floats  # (K, 3)


def soles_of(
    body: Body, dynamics: DynamicsState, ground: Surface, row: Row, near_m: float, on_loose: Others | None = None
) -> Soles:
    """Feet that have come to stand on loose things are borne where these touch them, however high that is."""
    points = dynamics.points(body.soles.links, body.soles.local)
    borne = on_edges(body, points, ground, near_m)
    heights, meant = ground.distance(borne), ground.distance(on_edges(body, row.soles, ground, near_m))
    if on_loose is not None and len(on_loose.links):
        borne, heights = _borne_by(on_loose, body, borne, heights)
    foot = np.where(body.soles.left, 0, 1)
    lowest = np.array([meant[foot == 0].min(), meant[foot == 1].min()])[foot]
    down = row.down[foot]
    flat = meant < np.maximum(lowest, 0.0) + _RISES_M
    near = (heights < near_m) & down
    bearing = near & flat
    for mine in (body.soles.left, ~body.soles.left):
        if not (bearing & mine).any():  # on its heel where it was to be on its toes: better so than not at all
            bearing |= near & mine
    stands = np.array([bearing[foot == 0].any(), bearing[foot == 1].any()])
    return Soles(points, borne, heights, bearing, down & flat & ~near, stands)


def _borne_by(loose: Others, body: Body, borne: Floats, heights: Floats) -> tuple[Floats, Floats]:
    """Each point of a foot that touches something loose takes the place of the nearest of its sole's."""
    borne, heights = borne.copy(), heights.copy()
    for link, point in zip(loose.links, loose.points, strict=True):
        mine = np.flatnonzero(body.soles.links == link)
        nearest = mine[np.argmin(np.linalg.norm(borne[mine] - point, axis=1))]
        borne[nearest], heights[nearest] = point, min(heights[nearest], 0.0)
    return borne, heights


def feet_on_loose(body: Body, contacts: Contacts, loose: Bools) -> Others:
    """Where feet touch loose things, by number (T,) which are."""
    rows = np.flatnonzero((contacts.things >= 0) & np.isin(contacts.links, body.soles.links))
    rows = rows[loose[contacts.things[rows]]]
    return Others(contacts.links[rows], contacts.positions[rows])


def others_touching(body: Body, contacts: Contacts) -> Others:
    rows = np.flatnonzero((contacts.others == GROUND) & ~np.isin(contacts.links, body.soles.links))[:_MOST_OTHERS]
    return Others(contacts.links[rows], contacts.positions[rows])
