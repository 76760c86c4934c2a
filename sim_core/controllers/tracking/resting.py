"""Hands, knees and whatever else is to bear: where it touches it stays, and a hand that does not yet is put down.

Touching alone would hold on to a hand that is to leave; and a hand that has lost the ground, while the other one bears
in its place, does not come back by itself: the degree that its elbow is off is nothing to the elbow. Knees and backs
come down by their own weight.
"""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats, Ints
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.kinematics import pose
from ...posing.surface import surface_points, touch
from ...reference.reference import Reference
from ...rig.segments import ARM, kind
from ...scene import Scene
from ...world.surface import Surface
from .stance import Others


class Raised(NamedTuple):
    """Points of hands that are to bear and do not touch."""

    links: Ints  # (K,)
    points: Floats  # (K, 3)
    lacking: Floats  # (K,) how much higher each is to be, by the reference [m]
    rising: Floats  # (K,) how fast it rises in the reference [m/s]


class Resting:
    """By the lowest point of each hand, or forearm where there is none, at every step of a reference."""

    def __init__(self, body: Body, reference: Reference, scene: Scene) -> None:
        self._labels, self._surface = reference.contacts.links, surface_points(body)
        ground = scene.surface(np.arange(len(reference)) / reference.rate)
        self._heights = touch(body, pose(body, reference.q), ground).distances  # (S, P)
        self._rates = np.gradient(self._heights, 1.0 / reference.rate, axis=0)
        ends = [i for i, name in enumerate(body.names) if kind(name) in ARM and i not in body.parents]
        self._points_of = {link: np.flatnonzero(self._surface.links == link) for link in ends}

    def held(self, step: int, others: Others) -> Others:
        """Those that touch and are to bear."""
        meant = self._labels[step, others.links]
        return Others(others.links[meant], others.points[meant])

    def raised(self, step: int, others: Others, dynamics: DynamicsState, ground: Surface) -> Raised:
        heights = self._heights[step]
        lost = [
            mine[np.argmin(heights[mine])]
            for link, mine in self._points_of.items()
            if self._labels[step, link] and link not in others.links
        ]
        rows = np.array(lost, dtype=np.int64)
        links = self._surface.links[rows]
        flesh = self._surface.radii[rows, None] * ground.normal
        points = dynamics.points(links, self._surface.local[rows]) - flesh
        return Raised(links, points, heights[rows] - ground.distance(points), self._rates[step, rows])
