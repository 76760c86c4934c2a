"""Where bones have to be in the armature so that the figure moves as the bake says, and how far off they are."""

from collections.abc import Collection, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...sim_core import rotations
from ...sim_core.arrays import Floats
from ...sim_core.motion.clip import Clip

if TYPE_CHECKING:
    from ..reading.read_motion import RigMotion


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
    """What moves each bone of the skeleton from its source pose to the wanted one, in armature space (J, T, 4, 4).

    A change is rigid in the world and is multiplied from the left, so that scale and shear of a pose stay. Bones of
    `held` (row in the skeleton -> change) stay with that, and what hangs on them is placed upon them.
    """
    to_world, metres = motion.object_world, motion.rig.metres_per_unit
    to_armature = np.linalg.inv(to_world)
    parents = wanted.skeleton.parents
    sources: list[_Frames] = []
    targets: list[_Frames] = []
    changes = np.zeros((len(parents), len(wanted), 4, 4))
    changes[..., 3, 3] = 1.0
    for bone, parent in enumerate(parents):
        source = _on_parent(motion.clip, bone, sources[parent] if parent >= 0 else None)
        if bone in held:
            target = _moved(source, to_world @ held[bone] @ to_armature, metres)
        else:
            target = _on_parent(wanted, bone, targets[parent] if parent >= 0 else None)
        turn = rotations.multiply(target.turns, rotations.inverse(source.turns))
        changes[bone, :, :3, :3] = rotations.to_matrix(turn)
        changes[bone, :, :3, 3] = (target.places - rotations.rotate(turn, source.places)) / metres
        changes[bone] = to_armature @ changes[bone] @ to_world
        sources.append(source)
        targets.append(target)
        yield (bone + 1) / len(parents)
    return changes


class _Frames(NamedTuple):
    """One bone in the world."""

    places: Floats  # (T, 3) [m]
    turns: Floats  # (T, 4)


def _on_parent(clip: Clip, bone: int, above: _Frames | None) -> _Frames:
    places, turns = clip.positions[:, bone], clip.rotations[:, bone]
    if above is None:
        return _Frames(places, turns)
    return _Frames(
        above.places + rotations.rotate(above.turns, places),
        rotations.multiply(above.turns, turns),
    )


def _moved(source: _Frames, change: Floats, metres_per_unit: float) -> _Frames:
    """Where a change (T, 4, 4) of the world, in Blender's units, takes a bone."""
    linear = change[:, :3, :3]
    return _Frames(
        np.einsum("tij,tj->ti", linear, source.places) + change[:, :3, 3] * metres_per_unit,
        rotations.multiply(rotations.from_matrix(_unscaled(linear)), source.turns),
    )


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
