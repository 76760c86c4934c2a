"""The contacts that matter: of all that touch, those that can best give what is wanted (Brown 2012, section 4.3)."""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats, Ints
from ...dynamics.contact_fit import cone_edges
from ...engines.engine import GROUND, Contacts
from ..tracking.footing import FACETS

_LEAST_PRESS = 0.3  # of body weight: below this a centre of pressure says nothing


class Touching(NamedTuple):
    """Points at which the body touches ground and things."""

    links: Ints  # (K,)
    points: Floats  # (K, 3)
    normals: Floats  # (K, 3)

    def __len__(self) -> int:
        return len(self.links)

    def only(self, rows: Ints) -> "Touching":
        return Touching(self.links[rows], self.points[rows], self.normals[rows])

    def edges(self, friction: float) -> Floats:
        """(K, FACETS, 3) of their friction cones."""
        if not len(self):
            return np.zeros((0, FACETS, 3))
        return np.stack([cone_edges(normal, friction, FACETS) for normal in self.normals])


def touching(contacts: Contacts, spared: Ints) -> Touching:
    """All but those of links that are not to bear."""
    rows = np.flatnonzero((contacts.others == GROUND) & ~np.isin(contacts.links, spared))
    return Touching(contacts.links[rows], contacts.positions[rows], contacts.normals[rows])


def centre_of_pressure(com: Floats, height: float, force: Floats, turning: Floats, weight: float) -> Floats:
    """(3,) at which a force (3,) would have to act so that it turns the body with a moment (3,) about its centre of
    mass, which is so high: on level ground, in the axes ahead, aside, up."""
    press = max(float(force[2]), _LEAST_PRESS * weight)
    away = np.array([-turning[1] - height * force[0], turning[0] - height * force[1], 0.0]) / press
    result: Floats = com + away
    return result


def nearest(found: Touching, place: Floats, up: Floats, most: int) -> Touching:
    """Those nearest to a place, seen along the ground."""
    if len(found) <= most:
        return found
    away = found.points - place
    along = away - (away @ up)[:, None] * up
    return found.only(np.sort(np.argsort(np.linalg.norm(along, axis=1), kind="stable")[:most]))


def strongest(found: Touching, forces: Floats, most: int) -> Touching:
    """Those that bear most in a first solve, with forces (K,)."""
    if len(found) <= most:
        return found
    return found.only(np.sort(np.argsort(-forces, kind="stable")[:most]))
