"""Where bones have to be in the armature so that the figure moves as the bake says, and how far off they are."""

from collections.abc import Collection, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...sim_core import rotations
from ...sim_core.arrays import Floats
from ...sim_core.motion.clip import Clip

if TYPE_CHECKING:
    from ..reading.read_motion import RigMotion


_FRAMES_AT_ONCE = 64  # between two pauses


class Distance(NamedTuple):
    """The farthest that a bone is from where it should be, and the row of that frame."""

    metres: float
    degrees: float
    row: int

    def within(self, metres: float, degrees: float) -> bool:
        return self.metres <= metres and self.degrees <= degrees


class RidingPoses:
    """New poses of pose bones: `targets` where they are known, otherwise riding on the parent as in `base`.

    Connected bones have their heads where the parent takes them, whatever their target says.
    """

    def __init__(
        self, parents: Sequence[int], connected: Collection[int], base: Floats, targets: Mapping[int, Floats]
    ) -> None:
        self._parents, self._base = parents, base
        self._known = {row: pose for row, pose in targets.items() if row not in connected}
        self._turned = {row: pose for row, pose in targets.items() if row in connected}

    def of(self, row: int) -> Floats:
        """(T, 4, 4) in armature space."""
        if row not in self._known:
            pose = self._riding(row)
            if row in self._turned:
                pose = np.concatenate([self._turned[row][..., :3], pose[..., 3:]], axis=-1)
            self._known[row] = pose
        return self._known[row]

    def _riding(self, row: int) -> Floats:
        parent, pose = self._parents[row], self._base[:, row]
        if parent < 0:
            return pose
        above, before = self.of(parent), self._base[:, parent]
        return pose if np.array_equal(above, before) else above @ np.linalg.inv(before) @ pose

    def of_parent(self, row: int) -> Floats | None:
        return self.of(self._parents[row]) if self._parents[row] >= 0 else None

    def set(self, row: int, pose: Floats) -> None:
        self._known[row] = pose


def pose_changes(motion: "RigMotion", wanted: Clip, held: Mapping[int, Floats]) -> Generator[float, None, Floats]:
    """What moves each bone of the skeleton from its source pose to the wanted one, in armature space (T, J, 4, 4).

    A change is rigid in the world and is multiplied from the left, so that scale and shear of a pose stay. Bones of
    `held` (row in the skeleton -> change) stay with that, and what hangs on them is placed upon them.
    """
    parts = []
    for start in range(0, len(wanted), _FRAMES_AT_ONCE):
        stop = start + _FRAMES_AT_ONCE
        held_now = {bone: change[start:stop] for bone, change in held.items()}
        source, target = motion.clip.frames(start, stop), wanted.frames(start, stop)
        world = motion.object_world[start:stop]
        parts.append(_changes(source, target, held_now, world, motion.rig.metres_per_unit))
        yield start / len(wanted)
    return np.concatenate(parts)


def _changes(
    source_clip: Clip, wanted: Clip, held: Mapping[int, Floats], to_world: Floats, metres_per_unit: float
) -> Floats:
    source, to_armature = source_clip.world(), np.linalg.inv(to_world)
    places, turns = np.empty_like(source.positions), np.empty_like(source.rotations)
    for bone, parent in enumerate(wanted.skeleton.parents):
        if bone in held:
            change = to_world @ held[bone] @ to_armature
            turn = rotations.from_matrix(_unscaled(change[:, :3, :3]))
            turns[:, bone] = rotations.multiply(turn, source.rotations[:, bone])
            places[:, bone] = (
                np.einsum("tij,tj->ti", change[:, :3, :3], source.positions[:, bone])
                + change[:, :3, 3] * metres_per_unit
            )
        elif parent < 0:
            places[:, bone], turns[:, bone] = wanted.positions[:, bone], wanted.rotations[:, bone]
        else:
            arm = rotations.rotate(turns[:, parent], wanted.positions[:, bone])
            places[:, bone] = places[:, parent] + arm
            turns[:, bone] = rotations.multiply(turns[:, parent], wanted.rotations[:, bone])
    changes = np.zeros((*places.shape[:2], 4, 4))
    turn = rotations.multiply(turns, rotations.inverse(source.rotations))
    changes[..., :3, :3] = rotations.to_matrix(turn)
    changes[..., :3, 3] = (places - rotations.rotate(turn, source.positions)) / metres_per_unit
    changes[..., 3, 3] = 1.0
    # All bones of a frame side by side: two products a frame instead of two a bone and frame.
    frames, bones = places.shape[:2]
    beside = to_armature @ changes.transpose(0, 2, 1, 3).reshape(frames, 4, bones * 4)
    below = beside.reshape(frames, 4, bones, 4).transpose(0, 2, 1, 3).reshape(frames, bones * 4, 4)
    return (below @ to_world).reshape(frames, bones, 4, 4)


def distance(motion: "RigMotion", wanted: Floats, actual: Floats) -> Distance:
    """Between two poses (T, 4, 4) of a bone, both in armature space; by the worst frame of either kind."""
    away = np.einsum("tij,tj->ti", motion.object_world[:, :3, :3], actual[:, :3, 3] - wanted[:, :3, 3])
    metres = np.linalg.norm(away, axis=-1) * motion.rig.metres_per_unit
    turned = _unscaled(actual[:, :3, :3]) - _unscaled(wanted[:, :3, :3])
    # The Frobenius norm of the difference of two rotations is sqrt(8) sin(angle / 2).
    degrees = np.degrees(2.0 * np.arcsin(np.minimum(np.linalg.norm(turned, axis=(1, 2)) / np.sqrt(8.0), 1.0)))
    row = int(np.argmax(metres / np.max(metres, initial=1e-12) + degrees / np.max(degrees, initial=1e-12)))
    return Distance(float(np.max(metres)), float(np.max(degrees)), row)


def evenly_scaled(pose: Floats) -> Floats:
    """The poses (T, 4, 4) with the scale along the bone on all axes, so that what hangs on it is never sheared."""
    lengths = np.linalg.norm(pose[:, :3, :3], axis=1)  # (T, 3)
    if np.ptp(lengths, axis=1).max() < 1e-5:
        return pose
    return with_scale(pose, lengths[:, [1, 1, 1]])


def with_scale(pose: Floats, lengths: Floats) -> Floats:
    """The poses (T, 4, 4) with axes of other lengths (T, 3)."""
    scaled = pose.copy()
    scaled[:, :3, :3] = _unscaled(pose[:, :3, :3]) * lengths[:, None]
    return scaled


def _unscaled(linear: Floats) -> Floats:
    result: Floats = linear / np.maximum(np.linalg.norm(linear, axis=-2, keepdims=True), 1e-12)
    return result
