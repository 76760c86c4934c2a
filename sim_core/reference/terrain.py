"""Which ground a clip is to stand on, and which it was made for."""

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import Pose, pose
from ..errors import SettingsError
from ..motion.clip import Clip
from ..posing.body_motion import body_positions
from ..posing.heading import facing, travel
from ..posing.surface import touch
from ..scene import Ground

STEEPEST_DEG = 45.0
_UP = np.array([0.0, 0.0, 1.0])
_STILL_M_S = 0.25
_FEWEST_STILL = 0.05  # of all frames: with fewer, soles say nothing


def sloped_ground(clip: Clip, body: Body, floor_m: float, slope_deg: float, heading_deg: float) -> Ground:
    """The floor turned about the place under the first pelvis, uphill along the clip's travel, or to the left of it by
    the heading; a figure that goes nowhere has it along its front."""
    poses = pose(body, body_positions(clip, body))
    onward = travel(body, poses)
    onward = facing(body, poses) if onward is None else onward
    uphill = rotations.rotate(rotations.about_axis(2, np.radians(heading_deg)), onward)
    slope = np.radians(slope_deg)
    start = poses.origins[0, 0]
    return Ground(point=np.array([start[0], start[1], floor_m]), normal=np.cos(slope) * _UP - np.sin(slope) * uphill)


def check_slope(ground: Ground) -> None:
    tilt = np.degrees(np.arccos(np.clip(ground.normal[2], -1.0, 1.0)))
    if tilt > STEEPEST_DEG:
        raise SettingsError(
            f"The ground is tilted by {tilt:.0f} degrees, and nobody stands on more than {STEEPEST_DEG:g}; "
            "give a normal that points up, out of the ground."
        )


def stands_on(clip: Clip, body: Body, ground: Ground, floor: Ground) -> bool:
    """Whether the clip fits this ground better than a level floor, as one that was made on a slope does."""
    poses = pose(body, body_positions(clip, body))
    return _misfit(clip, body, poses, ground) < _misfit(clip, body, poses, floor)


def _misfit(clip: Clip, body: Body, poses: Pose, ground: Ground) -> float:
    """How far from a ground the soles are that stand still, or else the body's lowest points [m]."""
    soles = poses.points(body.soles.links, body.soles.local)
    still = _speeds(soles, clip.fps) < _STILL_M_S
    if still.any(axis=1).mean() < _FEWEST_STILL:
        return float(np.median(np.abs(touch(body, poses, ground).distances.min(axis=1))))
    return float(np.median(np.abs(ground.distance(soles)[still])))


def _speeds(points: Floats, fps: float) -> Floats:
    speeds: Floats = np.linalg.norm(np.gradient(points, 1.0 / fps, axis=0), axis=-1)
    return speeds
