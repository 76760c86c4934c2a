"""How near a result stays to its source, from the keyframes of both."""

from dataclasses import dataclass

import numpy as np

from .. import rotations
from ..body.body import Body
from ..motion.clip import Clip
from ..posing.body_motion import link_bones


@dataclass(frozen=True, kw_only=True)
class Tracking:
    joint_deg: float  # mean angle between the joints of source and result
    mpjpe_root_mm: float  # mean distance of the joints, both pelvises laid on each other
    mpjpe_global_mm: float
    root_drift_m: float  # largest horizontal distance of the pelvis


def track(source: Clip, result: Clip, body: Body) -> Tracking:
    bones = link_bones(source, body)
    a, b = source.world(), result.world()
    parents = np.array([bones[link.parent] for link in body.links[1:]])
    joints = bones[1:]
    turn_a = rotations.multiply(rotations.inverse(a.rotations[:, parents]), a.rotations[:, joints])
    turn_b = rotations.multiply(rotations.inverse(b.rotations[:, parents]), b.rotations[:, joints])
    away = b.positions[:, bones] - a.positions[:, bones]
    of_pelvis = away[:, :1]
    return Tracking(
        joint_deg=float(np.degrees(rotations.angle_between(turn_a, turn_b).mean())),
        mpjpe_root_mm=1000.0 * float(np.linalg.norm((away - of_pelvis)[:, 1:], axis=-1).mean()),
        mpjpe_global_mm=1000.0 * float(np.linalg.norm(away, axis=-1).mean()),
        root_drift_m=float(np.linalg.norm(of_pelvis[:, 0, :2], axis=-1).max()),
    )
