"""What a body stands on, as a controller needs it: friction cones that fit each place, and how it moves."""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats
from ...dynamics.contact_fit import cone_edges
from ...scene import Scene
from ...world.ground import Ground
from ...world.surface import Surface

FACETS = 4  # of a friction cone
_SHARES = (1.0, 0.75, 0.5, 0.25, 0.0)
_UNEVEN_M = 0.02  # a foot that is put elsewhere is put on ground as even as before,
_STEEPEST = 0.6  # and no farther up or down than so much of its way,
_LEVEL_M = 0.02  # and this
_ABOVE = np.array([0.0, 0.0, 0.3])
_UP = np.array([0.0, 0.0, 1.0])


class Footing(NamedTuple):
    """At some points (K, 3)."""

    normals: Floats  # (K, 3)
    edges: Floats  # (K, FACETS, 3) of friction cones
    velocities: Floats  # (K, 3) with which what stands there is carried along
    accelerations: Floats  # (K, 3)


class Footings:
    def __init__(self, scene: Scene, rate: float, friction_share: float) -> None:
        self._scene, self._rate, self._share = scene, rate, friction_share
        self._moving = any(thing.moves is not None for thing in scene.things)
        self._still = scene.surface(0.0)
        self._ground_edges = cone_edges(scene.ground.normal, friction_share * scene.friction, FACETS)

    def surface(self, step: int) -> Surface:
        return self._scene.surface(step / self._rate) if self._moving else self._still

    def under(self, points: Floats, surface: Surface) -> Footing:
        if isinstance(surface, Ground):
            edges = np.broadcast_to(self._ground_edges, (len(points), *self._ground_edges.shape))
            return Footing(surface.normals(points), edges, np.zeros_like(points), np.zeros_like(points))
        normals, things = surface.normals(points), surface.things(points)
        edges = np.empty((len(points), FACETS, 3))
        for k, (normal, thing) in enumerate(zip(normals, things, strict=True)):
            edges[k] = cone_edges(normal, self._share * self._scene.friction_of(int(thing)), FACETS)
        return Footing(normals, edges, surface.velocities(points), surface.accelerations(points))


def kept_on(surface: Surface, soles: Floats, offset: Floats) -> Floats:
    """(3,) the offset along the ground, or the nearest one with which soles (P, 3) that land beside their marks still
    land as evenly; with how much higher the ground is there. On a stair a foot may go aside, though not ahead."""
    if isinstance(surface, Ground):
        return offset
    ahead = _length_of(soles)
    along = (offset @ ahead) * ahead
    choices = np.array([a * along + b * (offset - along) for a in _SHARES for b in _SHARES])
    choices = choices[np.argsort(np.linalg.norm(choices - offset, axis=1), kind="stable")]
    meant = surface.height(soles + _ABOVE)
    rises = surface.height(soles + choices[:, None] + _ABOVE) - meant
    rise = np.median(rises, axis=1)
    even = np.abs(rises - rise[:, None]).max(axis=1) < _UNEVEN_M
    level = np.abs(rise) < _LEVEL_M + _STEEPEST * np.linalg.norm(choices, axis=1)
    best = int(np.argmax(even & level))
    return choices[best] + rise[best] * _UP if (even & level).any() else np.zeros(3)


def _length_of(soles: Floats) -> Floats:
    """(3,) the level direction in which soles are longest."""
    flat = (soles - soles.mean(axis=0)) * [1.0, 1.0, 0.0]
    longest: Floats = np.linalg.svd(flat, full_matrices=False)[2][0]
    return longest
