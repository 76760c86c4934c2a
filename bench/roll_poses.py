"""Key poses of rolls as a person would give them: a clip of the rig, turned as the roll has turned in each of them."""

from pathlib import Path

import numpy as np

from sim_core import rotations
from sim_core.arrays import Floats
from sim_core.body.body import Body
from sim_core.motion.source_clip import write_new
from sim_core.performance import Performance
from sim_core.posing.recover_clip import recover_clip
from sim_core.rolling.key_poses import KINDS
from sim_core.rolling.level_feet import root_axes
from sim_core.rolling.pose_cycle import two_poses
from sim_core.settings import RollKind


def write_two_poses(path: Path, performance: Performance, kind: RollKind) -> None:
    poses = turned_poses(performance.body, kind)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_new(path, recover_clip(performance.motion.frames(0, len(poses)), performance.body, poses))


def turned_poses(body: Body, kind: RollKind) -> Floats:
    """(2, nq) the two poses of a kind of roll along X that begins on the feet."""
    made = KINDS[kind]
    poses = two_poses(body, kind)
    side = -1.0 if made.backward else 1.0
    upright = np.array([[0.0, -side, 0.0], [side, 0.0, 0.0], [0.0, 0.0, 1.0]])  # rows: right, forward, up
    for pose_q, key in zip(poses, (made.keys[k] for k in made.two), strict=True):
        over = rotations.about_axis(1, np.radians(key.pitch))
        pose_q[3:7] = rotations.multiply(over, rotations.from_matrix(upright.T @ root_axes(body)))
    return poses
