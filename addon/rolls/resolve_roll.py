"""A roll with a handle and key poses, read while the person's scene, action and pose stay as they are."""

from collections.abc import Generator
from dataclasses import replace
from math import floor
from typing import NamedTuple

import bpy
import numpy as np
from bpy.types import Object, Scene
from mathutils import Matrix

from ...sim_core.errors import SettingsError
from ...sim_core.motion.clip import Clip
from ..aiming.read_handle import read_direction
from ..compat import frame_range, source_curves
from ..found_again import find_again
from ..reading.preview import copy_with_action
from ..reading.read_motion import RigMotion, RigPoses, clip_of, read_poses
from .roll import PoseKey, Roll


class ResolvedRoll(NamedTuple):
    roll: Roll  # without a handle
    poses: Clip | None  # each frame of it is a key pose


def resolve_roll(
    roll: Roll, armature: Object, scene: Scene, motion: RigMotion, bones: dict[str, str]
) -> Generator[float, None, ResolvedRoll]:
    """`bones` has the bone of every segment."""
    if roll.handle is not None:
        degrees = yield from read_direction("roll", roll.handle, roll.at, motion, bones)
        roll = replace(roll, direction_deg=degrees, handle=None)
    poses = None
    if roll.poses:
        fps = scene.render.fps / scene.render.fps_base
        poses = yield from _key_poses(roll.poses, armature, motion, fps)
    return ResolvedRoll(roll, poses)


def _key_poses(
    poses: tuple[PoseKey, ...], armature: Object, motion: RigMotion, fps: float
) -> Generator[float, None, Clip]:
    """The first frame of each action. Bones that it has no keys for are at rest, whatever the rig shows now."""
    found = []
    for pose in poses:
        action = find_again(bpy.data.actions, pose.name, pose.uid)
        if action is None:
            raise SettingsError(f"The pose '{pose.name}' of the roll was deleted; remove it from the list.")
        with copy_with_action(armature, action) as copy:
            for bone in copy.pose.bones:
                bone.matrix_basis = Matrix()
            copy.animation_data.use_nla = False  # strips under the action would show through
            if not any(path.startswith("pose.bones[") for path, _ in source_curves(copy)):
                raise SettingsError(
                    f"The action '{pose.name}' has no keys for bones, and is no pose to roll through; choose another."
                )
            found.append((yield from read_poses(copy, [floor(frame_range(action, copy)[0])])))
    together = RigPoses(*(np.concatenate(part) for part in zip(*found, strict=True)))
    return (yield from clip_of(motion.rig, together, fps))
