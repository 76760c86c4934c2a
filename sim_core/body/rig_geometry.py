"""The rig seen as a body: segment frames over the clip, joint places, directions of up, left and forward."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..motion.clip import Clip, WorldPose, rest_pose
from ..rig.segments import parents_of

_SAMPLES = 400  # frames are enough to know what a rig looks like


@dataclass(frozen=True, kw_only=True, eq=False)
class BodyAxes:
    """Unit vectors of the standing body in the world of the rest pose."""

    right: Floats
    forward: Floats
    up: Floats

    @property
    def rows(self) -> Floats:
        return np.stack([self.right, self.forward, self.up])


@dataclass(frozen=True, kw_only=True, eq=False)
class RigGeometry:
    clip: Clip
    bones: Mapping[str, int]  # segment -> bone

    @cached_property
    def rest(self) -> WorldPose:
        """The rest pose, or the clip's first where the rest pose is folded up and says nothing of the body."""
        rest = rest_pose(self.clip.skeleton)
        hips = rest.positions[self.bones["thigh_r"]] - rest.positions[self.bones["thigh_l"]]
        legs = rest.positions[self.bones["chest"]] - rest.positions[self.bones["foot_l"]]
        if np.linalg.norm(rotations.cross(hips, legs)) > 0.25 * np.linalg.norm(hips) * self.leg_length:
            return rest
        return WorldPose(self.world.positions[0], self.world.rotations[0])

    @cached_property
    def world(self) -> WorldPose:
        """The clip's own poses, every bone, (T, J, ...)."""
        return self.clip.world()

    @cached_property
    def parents(self) -> dict[str, str | None]:
        return parents_of(self.bones)

    def offset(self, segment: str) -> Floats:
        """Where the segment's joint sits in its parent's frame: the median over the clip, so that a solver's jitter
        and stray frames do not count."""
        parent = self.parents[segment]
        assert parent is not None
        return self.local_point(parent, self.bones[segment])

    def local_point(self, segment: str, bone: int) -> Floats:
        """The head of a bone in the frame of a segment, median over the clip."""
        rows = np.unique(np.linspace(0, len(self.clip) - 1, _SAMPLES).astype(int))
        own = self.bones[segment]
        apart = self.world.positions[rows, bone] - self.world.positions[rows, own]
        local = rotations.rotate(rotations.inverse(self.world.rotations[rows, own]), apart)
        middle: Floats = np.median(local, axis=0)
        return middle

    def tip(self, segment: str) -> Floats | None:
        """The far end of a last segment in its frame: its own tip, or that of its longest chain of child bones."""
        skeleton = self.clip.skeleton
        bone = self.bones[segment]
        best: Floats | None = None
        for parent, offset in zip(skeleton.tip_parents, skeleton.tip_offsets, strict=True):
            if not skeleton.hangs_on(int(parent), bone):
                continue
            point = offset
            for step in reversed(skeleton.chain(bone, int(parent))):
                point = skeleton.offsets[step] + rotations.rotate(skeleton.rest_rotations[step], point)
            if best is None or np.linalg.norm(point) > np.linalg.norm(best):
                best = point
        return best

    @cached_property
    def axes(self) -> BodyAxes:
        """From the rest pose: right from hip to hip, up from the hips to the chest or head, forward across both."""
        place = self.rest.positions
        right = place[self.bones["thigh_r"]] - place[self.bones["thigh_l"]]
        top = self.bones.get("head", self.bones["chest"])
        feet = 0.5 * (place[self.bones["foot_l"]] + place[self.bones["foot_r"]])
        up = place[top] - feet
        right = right / np.linalg.norm(right)
        up = up - (up @ right) * right
        up = up / np.linalg.norm(up)
        return BodyAxes(right=right, forward=rotations.cross(up, right), up=up)

    def direction(self, segment: str, world_vector: Floats) -> Floats:
        """A direction of the rest pose's world in the segment's frame."""
        return rotations.rotate(rotations.inverse(self.rest.rotations[self.bones[segment]]), world_vector)

    @cached_property
    def leg_length(self) -> float:
        """Hip to ankle along the bones, mean of both sides [m]."""
        parts = [np.linalg.norm(self.offset(f"{name}_{side}")) for side in "lr" for name in ("shin", "foot")]
        return float(np.sum(parts) / 2)
