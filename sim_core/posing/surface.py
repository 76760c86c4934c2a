"""The points of a body that can touch the ground: ends of capsules and corners of boxes."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..arrays import Floats, Ints
from ..body.body import Body, Box
from ..dynamics.kinematics import Pose
from ..world.surface import Surface


class SurfacePoints(NamedTuple):
    links: Ints  # (P,)
    local: Floats  # (P, 3) centre in the link's frame [m]
    radii: Floats  # (P,) flesh around it [m]


@lru_cache(maxsize=16)
def surface_points(body: Body) -> SurfacePoints:
    links, local, radii = [], [], []
    for i, link in enumerate(body.links):
        for shape in link.flesh:
            points = shape.corners if isinstance(shape, Box) else np.stack([shape.start, shape.end])
            radius = 0.0 if isinstance(shape, Box) else shape.radius
            for point in points:
                links.append(i)
                local.append(point)
                radii.append(radius)
    return SurfacePoints(np.array(links, dtype=np.int64), np.array(local), np.array(radii))


class Touch(NamedTuple):
    """Where the surface points are over time, and how far from the ground."""

    points: Floats  # (T, P, 3) the nearest point of the flesh to the ground [m]
    distances: Floats  # (T, P) negative inside the ground [m]


def touch(body: Body, pose: Pose, ground: Surface) -> Touch:
    """For poses over time, (T, ...)."""
    surface = surface_points(body)
    points = pose.points(surface.links, surface.local) - surface.radii[:, None] * ground.normal
    return Touch(points, ground.distance(points))
