"""A clip: a skeleton's motion as local rotations and positions, one row a frame."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from .skeleton import Skeleton


class WorldPose(NamedTuple):
    positions: Floats  # (..., J, 3)
    rotations: Floats  # (..., J, 4)


@dataclass(frozen=True, kw_only=True, eq=False)
class Clip:
    skeleton: Skeleton
    fps: float
    positions: Floats  # (T, J, 3) head of each bone in its parent's frame; the root's in the world [m]
    rotations: Floats  # (T, J, 4) each bone's frame in its parent's; the root's in the world

    def __len__(self) -> int:
        return len(self.rotations)

    @property
    def duration_s(self) -> float:
        return (len(self) - 1) / self.fps

    def frames(self, start: int, stop: int) -> "Clip":
        """The rows from start up to and without stop, counted from 0."""
        return replace(self, positions=self.positions[start:stop], rotations=self.rotations[start:stop])

    def world(self) -> WorldPose:
        return world_pose(self.skeleton, self.positions, self.rotations)


def world_pose(skeleton: Skeleton, positions: Floats, local_rotations: Floats) -> WorldPose:
    """Positions and rotations of every bone in the world, over any leading dimensions."""
    world_positions = np.empty_like(positions)
    world_rotations = np.empty_like(local_rotations)
    world_positions[..., 0, :] = positions[..., 0, :]
    world_rotations[..., 0, :] = local_rotations[..., 0, :]
    for bone in range(1, len(skeleton)):
        parent = skeleton.parents[bone]
        turned = rotations.rotate(world_rotations[..., parent, :], positions[..., bone, :])
        world_positions[..., bone, :] = world_positions[..., parent, :] + turned
        world_rotations[..., bone, :] = rotations.multiply(
            world_rotations[..., parent, :], local_rotations[..., bone, :]
        )
    return WorldPose(world_positions, world_rotations)


def rest_pose(skeleton: Skeleton) -> WorldPose:
    """The rest pose in the world, with the root at its offset."""
    return world_pose(skeleton, skeleton.offsets, skeleton.rest_rotations)
