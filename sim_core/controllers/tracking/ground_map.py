"""The ground as a map of two axes, for whoever plans steps on it. All that a reaction asks of the ground is here."""

import numpy as np

from ...arrays import Floats
from ...reference.support import ground_axes
from ...scene import Scene
from .recovery_step import Pendulum

_LOWEST_COM_M = 0.3


class GroundMap:
    def __init__(self, scene: Scene) -> None:
        self.ground, self.normal = scene.ground, scene.ground.normal
        self._axes = ground_axes(scene.ground)
        self._gravity = self._axes.T @ [0.0, 0.0, -scene.gravity]

    def flat(self, points: Floats) -> Floats:
        """(..., 2) of points (..., 3)."""
        places: Floats = ((points - self.ground.point) @ self._axes)[..., :2]
        return places

    def direction(self, vectors: Floats) -> Floats:
        """(..., 2) of vectors (..., 3)."""
        along: Floats = (vectors @ self._axes)[..., :2]
        return along

    def on_ground(self, place: Floats) -> Floats:
        """(3,) in the world, of a place (2,)."""
        point: Floats = self.ground.point + self._axes[:, :2] @ place
        return point

    def vector(self, along: Floats) -> Floats:
        """(3,) in the world, of a vector (2,) along the ground."""
        vector: Floats = self._axes[:, :2] @ along
        return vector

    def along(self, vectors: Floats) -> Floats:
        """(..., 3) without what stands upright on the ground."""
        along: Floats = vectors - (vectors @ self.normal)[..., None] * self.normal
        return along

    def pendulum(self, com: Floats, velocity: Floats) -> Pendulum:
        """On a slope a body balances over what is plumb below it, not over the foot of its perpendicular."""
        height = max(float(self.ground.distance(com)), _LOWEST_COM_M)
        plumb = self.flat(com) - self._gravity[:2] / self._gravity[2] * height
        return Pendulum(plumb, self.direction(velocity), float(np.sqrt(-self._gravity[2] / height)))
