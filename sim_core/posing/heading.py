"""Where a performance goes, and which way the figure faces."""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import Pose
from ..rotations import cross

_UP = np.array([0.0, 0.0, 1.0])
_TRAVELS = 0.45  # of body height: a pelvis that stays within this does not travel


def travel(body: Body, pose: Pose) -> Floats | None:
    """The horizontal direction along which the pelvis' path extends most, onward; None where it does not travel.

    For poses over time, (T, ...).
    """
    path = pose.origins[:, 0, :2]
    centred = path - path.mean(axis=0)
    main = np.linalg.svd(centred, full_matrices=False)[2][0]
    if np.ptp(centred @ main) < _TRAVELS * body.height:
        return None
    onward = main if (path[-1] - path[0]) @ main >= 0.0 else -main
    return np.array([*onward, 0.0])


def facing(body: Body, pose: Pose) -> Floats:
    """The horizontal direction that the hips face most of the time, for poses over time."""
    to_left = pose.origins[:, body.index("thigh_l")] - pose.origins[:, body.index("thigh_r")]
    ahead = cross(to_left, _UP).mean(axis=0)
    length = np.linalg.norm(ahead)
    return np.array([0.0, 1.0, 0.0]) if length < 1e-6 else ahead / length


def facing_of(body: Body, pose: Pose) -> float:
    """The direction that the hips of one pose face, as an angle in the plane [rad]."""
    ahead = cross(pose.origins[body.index("thigh_l")] - pose.origins[body.index("thigh_r")], _UP)
    return float(np.arctan2(ahead[1], ahead[0]))


def axes_facing(angle: float) -> Floats:
    """(3, 3) columns: forward, left and up of who faces so."""
    ahead = np.array([np.cos(angle), np.sin(angle), 0.0])
    return np.stack([ahead, cross(_UP, ahead), _UP], axis=1)
