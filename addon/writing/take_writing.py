"""Keys for a layout of bones: written, played by a copy of the rig, and made again where that shows them off."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ...sim_core import rotations
from ...sim_core.arrays import Bools, Floats
from ...sim_core.keys.channels import channel_rotations
from ...sim_core.keys.reduce_keys import reduce_keys
from ...sim_core.keys.track import Track
from ..generators import LongPieceAhead
from ..reading.preview import copy_with_action
from ..reading.read_motion import read_poses
from .action_writer import ActionWriter
from .bone_channels import BoneChannels, bone_basis, channels_of, rotation_path
from .pose_targets import Distance, RidingPoses, distance
from .source_range import find_range, has_strips, read_outside
from .switches import driven_paths
from .take_layout import NEAR_DEG, NEAR_M, TakeLayout

if TYPE_CHECKING:
    from bpy.types import Action, Object, Scene

    from ..reading.read_motion import RigMotion

_Value = TypeVar("_Value")
_ATTEMPTS = 10  # control rigs settle one level of their hierarchy at a time
_BETTER = 0.9  # an attempt that leaves more than this share of the error does not help
_NEGLIGIBLE = 1e-6  # of a channel
_STILL_M = 1e-5  # a bone that moves less than this from where it rests needs no keys on its location
_PROMISED_M, _PROMISED_DEG = 5e-4, 0.05  # what the new action keeps of the bake, or says that it does not


class TakeWriting:
    """One take being written; `write_every_frame` first, then `reduce` if it is asked for."""

    def __init__(
        self,
        armature: "Object",
        scene: "Scene",
        motion: "RigMotion",
        action: "Action",
        layout: TakeLayout,
        source_follows: bool,
    ) -> None:
        self.warnings: list[str] = []
        self._armature, self._scene, self._motion = armature, scene, motion
        self._action, self._layout, self._source_follows = action, layout, source_follows
        self._driven = driven_paths(armature)
        self._channels: dict[int, dict[str, Floats]] = {}  # what is written, by row and attribute
        self._targets: dict[int, Floats] = {}
        self._writer: ActionWriter | None = None

    @property
    def key_count(self) -> int:
        return 0 if self._writer is None else self._writer.key_count

    def write_every_frame(self) -> Generator[float, None, None]:
        frames = self._motion.frames
        constrained = bool(self._layout.switches)
        reach = find_range(self._armature, self._scene, int(frames[0]), int(frames[-1]), constrained)
        if not self._source_follows:
            reach = replace(reach, source_end=reach.end)
        outside = yield from _part(read_outside(self._armature, reach), 0.0, 0.1)
        self._writer = ActionWriter(self._armature, self._action, reach, outside)
        yield from _part(self._layout.prepare(), 0.1, 0.1)
        riding = yield from _part(self._layout.riding(self._motion.pose), 0.1, 0.1)
        best = np.inf
        for attempt in range(_ATTEMPTS):
            start, end = (0.9 - 0.8 * 0.2**passed for passed in (attempt, attempt + 1))  # most need only one
            yield from _part(self._write_bones(self._writer, riding), start, (start + end) / 2.0)
            actual = yield from _part(self._play(), (start + end) / 2.0, end)
            yield from _part(self._layout.aim(actual), end, end)
            away = yield from _part(self._away(actual), end, end)
            settled = away == 0.0 or away > _BETTER * best
            best = away
            if (yield from _part(self._layout.grow(actual, settled), end, end)):
                best = np.inf
            elif settled:
                break
            riding = yield from _part(self._layout.riding(actual), end, end)
        yield from _part(self._say_what_is_off(actual, _PROMISED_M, _PROMISED_DEG), 0.9, 0.9)

    def reduce(
        self, tolerance_m: float, planted: Bools | None, simulated: Sequence[str]
    ) -> Generator[float, None, None]:
        """The fewest keys in place of those at every frame."""
        tracks = yield from _part(self._tracks(), 0.9, 0.9)
        stands = None
        if planted is not None:
            columns = {name: planted[:, column] for column, name in enumerate(simulated)}
            never = np.zeros(len(planted), dtype=bool)
            stands = np.stack([columns.get(self._layout.tracked(row), never) for row in self._channels], axis=-1)
        reduced = yield from _part(reduce_keys(tracks, tolerance_m=tolerance_m, planted=stands), 0.9, 0.98)
        assert self._writer is not None  # every frame was written before
        for row, keys in zip(self._channels, reduced.tracks, strict=True):
            self._writer.write_reduced(self._armature.pose.bones[row], keys.rotation, keys.location)
            yield 0.98
        actual = yield from _part(self._play(), 0.98, 1.0)
        yield from _part(self._say_what_is_off(actual, tolerance_m + _PROMISED_M, np.inf), 1.0, 1.0)

    def _away(self, actual: Floats) -> Generator[float, None, float]:
        """How far off written bones are altogether, in metres and radians; 0 if each is near enough."""
        total = 0.0
        targets = yield from self._layout.targets()
        for row, target in targets.items():
            away = distance(self._motion, target, actual[:, row])
            metres = 0.0 if row in self._layout.connected else away.metres  # a connected bone cannot be moved
            if metres > NEAR_M or away.degrees > NEAR_DEG:
                total += metres + np.radians(away.degrees)
            yield 0.0
        return total

    def _write_bones(self, writer: ActionWriter, riding: RidingPoses) -> Generator[float, None, None]:
        for switch in self._layout.switches:
            writer.hold(switch)
            yield 0.0
        targets = yield from self._layout.targets()
        self._targets = targets
        for done, (row, target) in enumerate(targets.items()):
            bone = self._armature.pose.bones[row]
            basis = bone_basis(bone.bone, target, riding.of_parent(row))
            channels = channels_of(bone, basis, writer.nearby_rotation(bone))
            needed = self._needed(row, channels, writer)
            if not _same(needed, self._channels.get(row)):
                self._channels[row] = needed
                writer.write_bone(bone, needed)
            yield (done + 1) / len(targets)

    def _needed(self, row: int, channels: BoneChannels, writer: ActionWriter) -> dict[str, Floats]:
        """The rotation; location and scale only where the bone does not have them anyway."""
        bone = self._armature.pose.bones[row]
        before = self._channels.get(row, {})
        needed = {rotation_path(bone): channels.rotation}
        unit = self._metres_per_pose_unit
        if row not in self._layout.connected and bone.path_from_id("location") not in self._driven:
            away = np.max(np.abs(channels.location - np.array(bone.location))) * unit
            animated = writer.moves(bone, "location") or has_strips(self._armature)
            if animated or "location" in before or away > _STILL_M:
                needed["location"] = channels.location
        if self._layout.changes_scale and bone.path_from_id("scale") not in self._driven:
            away = np.max(np.abs(channels.scale - np.array(bone.scale))) * bone.bone.length * unit
            if not writer.moves(bone, "scale") and ("scale" in before or away > _STILL_M):
                needed["scale"] = channels.scale
        return needed

    @property
    def _metres_per_pose_unit(self) -> float:
        to_world = self._motion.object_world[0, :3, :3]
        return float(np.mean(np.linalg.norm(to_world, axis=0))) * self._motion.rig.metres_per_unit

    def _play(self) -> Generator[float, None, Floats]:
        """What the new action really does: the pose of every bone, (T, B, 4, 4)."""
        with copy_with_action(self._armature, self._action) as copy:
            played = yield from read_poses(copy, self._motion.frames)
        return played.bones

    def _say_what_is_off(self, actual: Floats, metres: float, degrees: float) -> Generator[float, None, None]:
        names = self._motion.clip.skeleton.names
        far: list[tuple[str, Distance]] = []
        for bone in self._layout.moving:
            pose = actual[:, self._motion.rig.pose_rows[bone]]
            away = distance(self._motion, self._layout.wanted_pose(bone), pose)
            if not away.within(metres, degrees):
                far.append((names[bone], away))
            yield 0.0
        if far:
            name, worst = max(far, key=lambda found: found[1].metres + np.radians(found[1].degrees))
            others = "" if len(far) == 1 else f", and {len(far) - 1} more bones"
            self.warnings.append(
                f"Bone '{name}' ends up to {worst.metres * 1000.0:.1f} mm and {worst.degrees:.2f} degrees away from "
                f"the bake (about frame {self._motion.frames[worst.row]}){others}: constraints, drivers or uneven "
                "scale hold it there."
            )

    def _tracks(self) -> Generator[float, None, list[Track]]:
        """The written bones for the key reduction, in metres and in the world."""
        to_metres = np.diag([*[self._motion.rig.metres_per_unit] * 3, 1.0]) @ self._motion.object_world
        order = {row: place for place, row in enumerate(self._channels)}
        worlds = {}
        for row in order:
            worlds[row] = to_metres @ self._targets[row]
            yield 0.0
        tracks = []
        for row, channels in self._channels.items():
            bone = self._armature.pose.bones[row]
            parent = self._layout.written_above(row, order) if bone.bone.use_inherit_rotation else -1
            rotation, location = channels[rotation_path(bone)], channels.get("location")
            basis = np.tile(np.eye(4), (len(rotation), 1, 1))
            basis[:, :3, :3] = rotations.to_matrix(channel_rotations(bone.rotation_mode, rotation))
            if location is not None:
                basis[:, :3, 3] = location
            before = worlds[row] @ np.linalg.inv(basis)
            tracks.append(
                Track(
                    name=bone.name,
                    parent=order.get(parent, -1),
                    before=before if parent < 0 else np.linalg.inv(worlds[parent]) @ before,
                    rotation_kind=bone.rotation_mode,
                    rotation=rotation,
                    location=location,
                    points=np.array([[0.0, bone.bone.length, 0.0]]),
                )
            )
            yield 0.0
        return tracks


def _same(channels: dict[str, Floats], before: dict[str, Floats] | None) -> bool:
    """Whether writing them again would change nothing that can be seen."""
    if before is None or before.keys() != channels.keys():
        return False
    return all(np.allclose(values, before[name], rtol=0.0, atol=_NEGLIGIBLE) for name, values in channels.items())


def _part(work: Generator[float, None, _Value], start: float, end: float) -> Generator[float, None, _Value]:
    """The work, with its fraction as a piece of the whole."""
    try:
        while True:
            try:
                fraction = next(work)
            except StopIteration as stop:
                return stop.value
            kind = LongPieceAhead if isinstance(fraction, LongPieceAhead) else float
            yield kind(start + fraction * (end - start))
    finally:
        work.close()
