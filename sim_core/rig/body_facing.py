"""Which way a mapped figure stands and faces: up, forward and left, told by the body itself."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..motion.clip import Clip, WorldPose, rest_pose
from ..motion.skeleton import Skeleton
from .bone_tree import path_to_root
from .segments import SIDES

_SAMPLED_FRAMES = 16
_UPRIGHT = -0.5  # cosine between trunk and legs: below, they point away from each other
_SQUARE = 0.7
_COMPOSED_UPRIGHT, _COMPOSED_SQUARE = -0.8, 0.9


class Stance(NamedTuple):
    """How a pose holds its limbs, as cosines of angles between directions."""

    trunk_to_legs: float  # -1 standing, 0 on all fours or sitting on the floor
    arms_to_legs: float  # 1 on all fours or with hanging arms
    shoulders_to_hips: float  # 1 or -1 where the lines across the body are parallel
    trunk_to_hips: float  # 0 where the hips are level

    @property
    def upright(self) -> bool:
        return self.trunk_to_legs < _UPRIGHT and abs(self.shoulders_to_hips) > _SQUARE

    @property
    def composed(self) -> bool:
        """Standing as rest poses stand; a heap of bones may be upright by chance, but hardly this."""
        return (
            self.trunk_to_legs < _COMPOSED_UPRIGHT
            and abs(self.shoulders_to_hips) > _COMPOSED_SQUARE
            and abs(self.trunk_to_hips) < 1.0 - _COMPOSED_SQUARE**2
        )

    @property
    def on_all_fours(self) -> bool:
        return abs(self.trunk_to_legs) <= -_UPRIGHT and self.arms_to_legs > 0.5


def sample_poses(skeleton: Skeleton, clip: Clip | None) -> list[WorldPose]:
    """The rest pose, then some frames of the clip."""
    poses = [rest_pose(skeleton)]
    if clip is not None and len(clip):
        rows = np.unique(np.linspace(0, len(clip) - 1, _SAMPLED_FRAMES).astype(int))
        for row in rows:
            poses.append(WorldPose(*(part[0] for part in clip.frames(row, row + 1).world())))
    return poses


def stance(pose: WorldPose, bones: Mapping[str, int]) -> Stance:
    hips, shoulders = _middle(pose, bones, "thigh"), _middle(pose, bones, "upper_arm")
    legs = _middle(pose, bones, "foot") - hips
    hand = "hand" if "hand_l" in bones and "hand_r" in bones else "forearm"
    arms = _middle(pose, bones, hand) - shoulders
    return Stance(
        trunk_to_legs=_cosine(shoulders - hips, legs),
        arms_to_legs=_cosine(arms, legs),
        trunk_to_hips=_cosine(shoulders - hips, _across(pose, bones, "thigh")),
        shoulders_to_hips=_cosine(_across(pose, bones, "upper_arm"), _across(pose, bones, "thigh")),
    )


def telling_poses(poses: Sequence[WorldPose], bones: Mapping[str, int]) -> list[WorldPose]:
    """The rest pose where it stands, else all that is upright: some files rest in a heap of bones."""
    if stance(poses[0], bones).composed:
        return [poses[0]]
    return [pose for pose in poses[1:] or poses if stance(pose, bones).upright]


def up_of(pose: WorldPose, bones: Mapping[str, int]) -> Floats:
    return _unit(_middle(pose, bones, "upper_arm") - _middle(pose, bones, "thigh"))


def heights_in_body(poses: Sequence[WorldPose], bones: Mapping[str, int]) -> Floats:
    """(J,) how high each bone is along the body's up [m]."""
    pose = next(iter(telling_poses(poses, bones)), poses[0])
    heights: Floats = pose.positions @ up_of(pose, bones)
    return heights


def left_of(skeleton: Skeleton, pose: WorldPose, bones: Mapping[str, int]) -> Floats | None:
    """The direction of the body's left, told by its up and by where toes and knees point; None if unclear.

    Which side's bones are called left plays no part, so that the names can be checked against it.
    """
    up = up_of(pose, bones)
    toes, knees = np.zeros(3), np.zeros(3)
    foot_length, leg_length = 0.0, 0.0
    for side in SIDES:
        hip, knee, ankle = (pose.positions[bones[part + side]] for part in ("thigh", "shin", "foot"))
        toe_tip = _far_point(skeleton, pose, bones["foot" + side]) - ankle
        toes += toe_tip
        foot_length += float(np.linalg.norm(toe_tip))
        leg = ankle - hip
        knees += (knee - hip) - leg * ((knee - hip) @ leg) / max(float(leg @ leg), 1e-12)
        leg_length += float(np.linalg.norm(leg))
    for forward, enough in ((toes, 0.2 * foot_length), (knees, 0.03 * leg_length)):
        level = forward - (forward @ up) * up
        if np.linalg.norm(level) > max(enough, 1e-6):
            return _unit(rotations.cross(up, level))
    return None


def _far_point(skeleton: Skeleton, pose: WorldPose, bone: int) -> Floats:
    """The point below a bone, head or tip, that is farthest from its head."""
    below = [b for b in range(bone, len(skeleton)) if bone in path_to_root(skeleton.parents, b)]
    points = [pose.positions[b] for b in below]
    for owner, offset in zip(skeleton.tip_parents, skeleton.tip_offsets, strict=True):
        if owner in below:
            points.append(pose.positions[owner] + rotations.rotate(pose.rotations[owner], offset))
    return max(points, key=lambda point: float(np.linalg.norm(point - pose.positions[bone])))


def _middle(pose: WorldPose, bones: Mapping[str, int], part: str) -> Floats:
    middle: Floats = 0.5 * (pose.positions[bones[part + "_l"]] + pose.positions[bones[part + "_r"]])
    return middle


def _across(pose: WorldPose, bones: Mapping[str, int], part: str) -> Floats:
    across: Floats = pose.positions[bones[part + "_l"]] - pose.positions[bones[part + "_r"]]
    return across


def _unit(vector: Floats) -> Floats:
    unit: Floats = vector / max(float(np.linalg.norm(vector)), 1e-12)
    return unit


def _cosine(a: Floats, b: Floats) -> float:
    return float(_unit(a) @ _unit(b))
