"""Whether a character has room at its first simulated frame, or begins inside something."""

from collections.abc import Sequence

import numpy as np

from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..errors import SettingsError
from ..motion.clip import Clip
from ..posing.body_motion import body_positions
from ..posing.surface import surface_points
from ..rig.segments import kind
from ..world.solids import Ball, HeightField, Solid
from ..world.thing import Thing

_DEEPEST_M = 0.05
_BELOW_KNEES = ("foot", "toes")


def check_room(things: Sequence[Thing], motion: Clip, body: Body) -> None:
    """Feet and shins may begin inside a thing: they are brought onto it. Knees, hands or a trunk may not."""
    now = pose(body, body_positions(motion.frames(0, 1), body))
    surface = surface_points(body)
    asked = _above_the_shins(body)
    points = now.points(surface.links, surface.local)[0, asked]
    for thing in things:
        own = thing.poses(np.array(0.0)).to_own(points)
        for solid in thing.solids:
            depths = _depths(solid, own) + surface.radii[asked]
            if (depths > _DEEPEST_M).any():
                link = body.links[int(surface.links[asked][np.argmax(depths)])]
                raise SettingsError(
                    f"The character starts inside '{thing.name}', '{link.bone}' {100 * depths.max():.0f} cm deep; "
                    "move the object away from the first frame, or start later."
                )


def _above_the_shins(body: Body) -> Bools:
    """(P,) surface points of everything but feet and the lower ends of shins."""
    links = surface_points(body).links
    asked = np.array([kind(body.names[link]) not in _BELOW_KNEES for link in links])
    for link in np.unique(links):
        if kind(body.names[link]) == "shin":
            asked[np.flatnonzero(links == link)[1:]] = False
    return asked


def _depths(solid: Solid, points: Floats) -> Floats:
    """(P,) how deep inside a solid points of its frame are; negative outside [m]."""
    if isinstance(solid, Ball):
        depths: Floats = solid.radius - np.linalg.norm(points - solid.centre, axis=1)
        return depths
    if isinstance(solid, HeightField):
        return _depths_below(solid, points)
    faces = solid.half_spaces
    depths = (faces.offsets - points @ faces.normals.T).min(axis=1)
    return depths


def _depths_below(field: HeightField, points: Floats) -> Floats:
    rows = np.round((points[:, :2] - field.corner) / field.cell).astype(np.int64)
    inside = ((rows >= 0) & (rows < field.heights.shape)).all(axis=1)
    depths = np.full(len(points), -np.inf)
    depths[inside] = field.heights[tuple(rows[inside].T)] - points[inside, 2]
    depths[points[:, 2] < field.heights.min() - field.thickness] = -np.inf
    return depths
