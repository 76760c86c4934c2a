"""The contacts that matter: of all that touch, those that can best give what is wanted (Brown 2012, section 4.3)."""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats, Ints
from ...dynamics.contact_fit import cone_edges
from ...engines.engine import GROUND, Contacts
from ...scene import Scene
from ..tracking.footing import FACETS
from .roll_frame import RollFrame

_FACETS_ON_SLOPES = 8  # of a friction cone
_SLOPES = np.cos(np.radians(10.0))  # the upward part of a normal: what has less is a slope
_LEAST_PRESS = 0.3  # of body weight: below this a centre of pressure says nothing


class Touching(NamedTuple):
    """Points at which the body touches ground and things."""

    links: Ints  # (K,)
    points: Floats  # (K, 3)
    normals: Floats  # (K, 3)
    frictions: Floats  # (K,)

    @property
    def number(self) -> int:
        return len(self.links)

    def only(self, rows: Ints) -> "Touching":
        return Touching(self.links[rows], self.points[rows], self.normals[rows], self.frictions[rows])

    def edges(self, share: float) -> Floats:
        """(K, F, 3) of their friction cones, with so much of their friction.

        Of four edges those between have 30 % less: too little for who is held on a slope by it, and pushes off too.
        """
        facets = _FACETS_ON_SLOPES if (self.normals[:, 2] < _SLOPES).any() else FACETS
        edges = np.zeros((self.number, facets, 3))
        for k, (normal, friction) in enumerate(zip(self.normals, self.frictions, strict=True)):
            edges[k] = cone_edges(normal, share * friction, facets)
        return edges


def touching(contacts: Contacts, scene: Scene, spared: Ints) -> Touching:
    """All but those of links that are not to bear."""
    rows = np.flatnonzero((contacts.others == GROUND) & ~np.isin(contacts.links, spared))
    frictions = np.array([scene.friction_of(int(thing)) for thing in contacts.things[rows]])
    return Touching(contacts.links[rows], contacts.positions[rows], contacts.normals[rows], frictions)


def centre_of_pressure(
    com: Floats, above_m: float, force: Floats, turning: Floats, frame: RollFrame, weight: float
) -> Floats:
    """(3,) on the ground, so far below the centre of mass: where a force (3,) would have to act to turn the body with
    a moment (3,) about that centre."""
    along, across, up = frame.rows @ force
    about_ahead, about_aside, _ = frame.rows @ turning
    press = max(float(up), _LEAST_PRESS * weight)
    # From r x f = moment with r = (x, y, -above), for the two moments that lie along the ground.
    x, y = (-about_aside - above_m * along) / press, (about_ahead - above_m * across) / press
    place: Floats = com + x * frame.ahead + y * frame.aside - above_m * frame.up
    return place


def nearest(found: Touching, place: Floats, up: Floats, most: int) -> Touching:
    """Those nearest to a place, seen along the ground."""
    away = found.points - place
    along = away - (away @ up)[:, None] * up
    return found.only(np.sort(np.argsort(np.linalg.norm(along, axis=1), kind="stable")[:most]))


def strongest(found: Touching, forces: Floats, most: int) -> Touching:
    """Those that bear most, with forces (K,)."""
    return found.only(np.sort(np.argsort(-forces, kind="stable")[:most]))
