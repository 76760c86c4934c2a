"""From where a performance is best looked at: from the side it travels along, with the ground seen edge-on."""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import Pose
from ..rotations import cross
from ..scene import Ground

_UP = np.array([0.0, 0.0, 1.0])
_TRAVELS = 0.45  # of body height: a pelvis that stays within this does not travel
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
    travel = _travel(pose.origins[:, 0, :2], _TRAVELS * body.height)
    if travel is None:
        toward = rotations.rotate(rotations.about_axis(2, np.array(_THREE_QUARTER_RAD)), _facing(body, pose))
    else:
        toward = cross(travel, _UP)
    # A viewer whose eye lies in the ground sees it as a line: every gap and every dip shows at its true height.
    toward = _unit(toward - (toward @ ground.normal) * ground.normal)
    right = _unit(cross(_UP, toward))
    return Viewpoint(right=right, up=cross(toward, right), toward=toward)


def _travel(path: Floats, least: float) -> Floats | None:
    """The horizontal direction along which a path (T, 2) extends most; None where that is less than `least`."""
    centred = path - path.mean(axis=0)
    main = np.linalg.svd(centred, full_matrices=False)[2][0]
    if np.ptp(centred @ main) < least:
        return None
    onward = main if (path[-1] - path[0]) @ main >= 0.0 else -main
    return np.array([*onward, 0.0])


def _facing(body: Body, pose: Pose) -> Floats:
    """The horizontal direction that the hips face most of the time."""
    to_left = pose.origins[:, body.index("thigh_l")] - pose.origins[:, body.index("thigh_r")]
    facing = cross(to_left, _UP).mean(axis=0)
    length = np.linalg.norm(facing)
    return np.array([0.0, 1.0, 0.0]) if length < 1e-6 else facing / length


def _unit(vector: Floats) -> Floats:
    result: Floats = vector / np.linalg.norm(vector)
    return result
