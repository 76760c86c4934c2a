"""From where a performance is best looked at: from the side it travels along, with the ground seen edge-on."""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import Pose
from ..posing.heading import facing, travel
from ..rotations import cross
from ..scene import Ground

_UP = np.array([0.0, 0.0, 1.0])
_THREE_QUARTER_RAD = np.radians(40.0)  # away from the front, to the figure's left


class Viewpoint(NamedTuple):
    """The axes of an orthographic picture, in the world."""

    right: Floats  # (3,)
    up: Floats  # (3,)
    toward: Floats  # (3,) to the viewer

    def flat(self, points: Floats) -> Floats:
        """(..., 2) right and up in the picture [m]."""
        return np.stack([points @ self.right, points @ self.up], axis=-1)

    def depth(self, points: Floats) -> Floats:
        """(...,) greater is nearer [m]."""
        nearness: Floats = points @ self.toward
        return nearness


def choose_viewpoint(body: Body, pose: Pose, ground: Ground) -> Viewpoint:
    """For poses over time, (T, ...)."""
    onward = travel(body, pose)
    if onward is None:
        toward = rotations.rotate(rotations.about_axis(2, np.array(_THREE_QUARTER_RAD)), facing(body, pose))
    else:
        toward = cross(onward, _UP)
    # A viewer whose eye lies in the ground sees it as a line: every gap and every dip shows at its true height.
    toward = _unit(toward - (toward @ ground.normal) * ground.normal)
    right = _unit(cross(_UP, toward))
    return Viewpoint(right=right, up=cross(toward, right), toward=toward)


def _unit(vector: Floats) -> Floats:
    result: Floats = vector / np.linalg.norm(vector)
    return result
