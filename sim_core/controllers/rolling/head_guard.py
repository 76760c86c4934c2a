"""A head that is kept off the ground while the body rolls over it."""

import numpy as np

from ...arrays import Floats
from ...body.body import Body, Capsule
from ...dynamics.dynamics_state import DynamicsState
from ...rig.segments import HEAD
from ...world.surface import Surface
from ..tracking.objectives import Objective, accelerate_along, spring

_CLEAR_M = 0.04  # what a head keeps from the ground, where it can


class HeadGuard:
    def __init__(self, body: Body, clear_m: float = _CLEAR_M) -> None:
        self._clear_m = clear_m
        self.links = np.array([i for i, name in enumerate(body.names) if name in HEAD], dtype=np.int64)
        heads = [i for i in self.links if body.names[i] == "head"]
        shape = body.links[heads[0]].shape if heads else None
        self._link = np.array(heads[:1], dtype=np.int64)
        self._centre = np.zeros((0, 3)) if not isinstance(shape, Capsule) else 0.5 * (shape.start + shape.end)[None]
        self._radius = shape.radius if isinstance(shape, Capsule) else 0.0

    def wishes(
        self, dynamics: DynamicsState, surface: Surface, up: Floats, stiffness: float, weight: float
    ) -> list[Objective]:
        """It is drawn away from the ground, the more the nearer it is."""
        if not len(self._centre):
            return []
        points = dynamics.points(self._link, self._centre)
        lacking = self._clear_m + self._radius - surface.distance(points)
        if lacking[0] <= 0.0:
            return []
        task = dynamics.point_jacobian(self._link, points)
        rising = task.velocity @ up
        return [accelerate_along(task, up, spring(lacking, -rising, stiffness), weight)]
