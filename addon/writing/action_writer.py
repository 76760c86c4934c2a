"""Writes bones' channels and switches into a new action, and leaves everything else in it as the source has it."""

from typing import TYPE_CHECKING

import numpy as np

from ...sim_core.arrays import Floats, Ints
from ...sim_core.keys.track import CurveKeys
from ..compat import action_curves, new_curve, source_curves
from .bone_channels import rotation_path
from .curve_keys import CONSTANT, Keys, baked_keys, held_keys, hermite_keys, joined, with_last_interpolation, write_keys
from .outside_range import FrameRange, keys_of_source, keys_of_values
from .source_range import OutsideValues
from .switches import Switch

if TYPE_CHECKING:
    from bpy.types import Action, FCurve, Object, PoseBone


class ActionWriter:
    """Channels written again replace what was written before; keys outside the range are always the source's."""

    def __init__(self, armature: "Object", action: "Action", frames: FrameRange, outside: OutsideValues) -> None:
        self._armature, self._action, self._outside = armature, action, outside
        self._frames = frames
        self._baked_frames: Ints = np.arange(frames.start, frames.end + 1)
        self._source = {key: curve for key, curve in source_curves(armature).items() if not curve.mute}
        self._curves = {(c.data_path, c.array_index): c for c in action_curves(action, armature)}
        self._key_counts: dict[tuple[str, int], int] = {}

    @property
    def key_count(self) -> int:
        """Keys inside the range that were written, over all channels."""
        return sum(self._key_counts.values())

    def moves(self, bone: "PoseBone", attribute: str) -> bool:
        """Whether the source has a curve on any of these channels."""
        path = bone.path_from_id(attribute)
        return any((path, index) in self._source for index in range(4))

    def nearby_rotation(self, bone: "PoseBone") -> Floats:
        """The bone's rotation channels in the source, at the frame before the range (or its first)."""
        attribute = rotation_path(bone)
        values = np.array(getattr(bone, attribute), dtype=float)
        frame = self._frames.start - 1 if len(self._frames.before) else self._frames.start
        path = bone.path_from_id(attribute)
        for index in range(len(values)):
            curve = self._source.get((path, index))
            if curve is not None:
                values[index] = curve.evaluate(frame)
        return values

    def write_bone(self, bone: "PoseBone", channels: dict[str, Floats]) -> None:
        """A key at every frame on these channels (attribute -> (T, size))."""
        for attribute, values in channels.items():
            inside = [baked_keys(self._baked_frames, values[:, index]) for index in range(values.shape[1])]
            self._write(bone, attribute, inside)

    def write_reduced(self, bone: "PoseBone", rotation: CurveKeys | None, location: CurveKeys | None) -> None:
        """Few keys, whose frames are rows of the range."""
        for attribute, keys in ((rotation_path(bone), rotation), ("location", location)):
            if keys is not None:
                frames = keys.frames + self._frames.start
                columns = zip(keys.values.T, keys.slopes.T, strict=True)
                self._write(bone, attribute, [hermite_keys(frames, values, slopes) for values, slopes in columns])

    def hold(self, switch: Switch) -> None:
        """The switch at its value from the first baked frame to the last, and as in the source elsewhere."""
        source = self._source.get((switch.path, 0))
        if source is not None:
            outside = keys_of_source(source, self._frames)
        else:
            before, after = (np.full(len(part), switch.before) for part in (self._frames.before, self._frames.after))
            outside = keys_of_values(self._frames, before, after)
        inside = held_keys([self._frames.start], [switch.value])
        before = with_last_interpolation(outside.before, CONSTANT)
        self._put(switch.path, 0, switch.group, joined([before, inside, outside.after]))

    def _write(self, bone: "PoseBone", attribute: str, inside: list[Keys]) -> None:
        path = bone.path_from_id(attribute)
        before, after = self._outside.of(bone, attribute)
        outside = []
        for index in range(len(inside)):
            source = self._source.get((path, index))
            if source is not None:
                outside.append(keys_of_source(source, self._frames))
            else:
                outside.append(keys_of_values(self._frames, before[:, index], after[:, index]))
        turns = attribute.startswith("rotation")
        for index, keys in enumerate(inside):
            parts = [outside[index].before, keys, outside[index].after]
            if turns and _flips([part.before for part in outside], inside, (-1, 0)):
                parts[0] = with_last_interpolation(parts[0], CONSTANT)
            if turns and _flips(inside, [part.after for part in outside], (-1, 0)):
                parts[1] = with_last_interpolation(parts[1], CONSTANT)
            self._put(path, index, bone.name, joined(parts))
            self._key_counts[path, index] = len(keys)

    def _put(self, path: str, index: int, group: str, keys: Keys) -> None:
        curve = self._curves.get((path, index))
        if curve is None:
            curve = new_curve(self._action, self._armature, path, index, group)
            self._curves[path, index] = curve
        _make_plain(curve)
        write_keys(curve, keys)


def _flips(first: list[Keys], second: list[Keys], places: tuple[int, int]) -> bool:
    """Whether equal rotations meet as different numbers (half of all quaternions, whole turns of Euler angles).

    Blender would sweep through everything between them, within one frame, so that such a border must be a step.
    """
    if not all(len(keys) for keys in (*first, *second)):
        return False
    here, there = (
        np.array([keys.columns["co"].reshape(-1, 2)[place, 1] for keys in side])
        for side, place in zip((first, second), places, strict=True)
    )
    return bool(here @ there < 0.0) if len(here) == 4 else bool(np.any(np.abs(here - there) > np.pi))


def _make_plain(curve: "FCurve") -> None:
    """Takes away what would change the keys: modifiers, muting, extrapolation."""
    for modifier in list(curve.modifiers):
        curve.modifiers.remove(modifier)
    curve.mute = False
    curve.extrapolation = "CONSTANT"
