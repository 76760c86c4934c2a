"""Soles that bear in the reference are counted on a little before they touch: who counts on one foot alone topples over
beside it, and the other one never comes down."""

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...reference.reference import Reference
from ...scene import Scene
from ...world.surface import Surface
from .contact_choice import Touching

NEAR_M = 0.02  # above the ground: what is farther away bears nothing


class BearingSoles:
    def __init__(self, body: Body, reference: Reference, scene: Scene) -> None:
        self._soles, self._scene = body.soles, scene
        self._bear = reference.contacts.feet[:, np.where(body.soles.left, 0, 1)]

    def and_others(self, row: int, found: Touching, dynamics: DynamicsState, surface: Surface) -> Touching:
        """The corners of soles that are to bear, in place of what touches of their links, and all else that touches."""
        points = dynamics.points(self._soles.links, self._soles.local)
        counted = self._bear[row] & (surface.distance(points) < NEAR_M)
        if not counted.any():
            return found
        links, points = self._soles.links[counted], points[counted]
        others = found.only(np.flatnonzero(~np.isin(found.links, links)))
        return Touching(
            np.concatenate([others.links, links]),
            np.concatenate([others.points, points]),
            np.concatenate([others.normals, surface.normals(points)]),
            np.concatenate([others.frictions, self._frictions(points, surface)]),
        )

    def _frictions(self, points: Floats, surface: Surface) -> Floats:
        return np.array([self._scene.friction_of(int(thing)) for thing in surface.things(points)])
