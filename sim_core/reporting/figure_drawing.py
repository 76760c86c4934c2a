"""The body as flat outlines, one for each shape of its flesh, in the order in which a painter would lay them down."""

from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull

from ..arrays import Floats
from ..body.body import Body, Box
from ..dynamics.kinematics import Pose
from .viewpoint import Viewpoint

_HALF_TURN = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 13)


class Part(NamedTuple):
    """One link as the viewer sees it, or a piece of its padding."""

    link: int
    outline: Floats  # (K, 2) convex, right and up in the picture [m]
    depth: float  # of its middle, over that of the root; greater is nearer [m]


def parts_of(body: Body, pose: Pose, view: Viewpoint) -> list[Part]:
    """The links in one pose, the farthest first."""
    root = float(view.depth(pose.origins[0]))
    parts = []
    for i, link in enumerate(body.links):
        for shape in link.flesh:
            local = shape.corners if isinstance(shape, Box) else np.stack([shape.start, shape.end])
            world = pose.origins[i] + local @ pose.R_world_link[i].T
            flat = view.flat(world)
            outline = flat[ConvexHull(flat).vertices] if isinstance(shape, Box) else _stadium(flat, shape.radius)
            parts.append(Part(i, outline, float(view.depth(world).mean()) - root))
    return sorted(parts, key=lambda part: part.depth)


def _stadium(ends: Floats, radius: float) -> Floats:
    """All points within the radius of the segment between two ends (2, 2); a circle where they coincide."""
    along = ends[1] - ends[0]
    around = np.arctan2(along[1], along[0]) + np.concatenate([_HALF_TURN, _HALF_TURN + np.pi])
    outline: Floats = np.repeat(ends[::-1], len(_HALF_TURN), axis=0) + radius * np.stack(
        [np.cos(around), np.sin(around)], axis=-1
    )
    return outline


def side_of(outline: Floats, point: Floats, normal: Floats) -> Floats:
    """(K, 2) what of a convex outline lies on the normal's side of the line through the point; K may be 0.

    Sutherland and Hodgman 1974, for one edge.
    """
    distance = (outline - point) @ normal
    if (distance >= 0.0).all():
        return outline
    kept = []
    for here, there, d_here, d_there in zip(
        outline, np.roll(outline, -1, axis=0), distance, np.roll(distance, -1), strict=True
    ):
        if d_here >= 0.0:
            kept.append(here)
        if (d_here >= 0.0) != (d_there >= 0.0):
            kept.append(here + (there - here) * d_here / (d_here - d_there))
    return np.array(kept).reshape(-1, 2)


def within(outline: Floats, lower: Floats, upper: Floats) -> Floats:
    """(K, 2) what of a convex outline lies in a rectangle."""
    for axis in (0, 1):
        inward = np.eye(2)[axis]
        outline = side_of(side_of(outline, lower, inward), upper, -inward)
    return outline
