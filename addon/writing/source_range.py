"""How far the source's motion reaches, and what channels hold there that no curve of the action moves."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...sim_core.arrays import Floats
from ..compat import source_curves
from ..generators import LongPieceAhead
from ..reading.read_motion import evaluated_at, scene_of_its_own
from .outside_range import FrameRange

if TYPE_CHECKING:
    from bpy.types import Object, PoseBone, Scene

_SIZES = {"rotation_quaternion": 4, "rotation_axis_angle": 4, "rotation_euler": 3, "location": 3, "scale": 3}


def find_range(armature: "Object", scene: "Scene", start: int, end: int, constrained: bool) -> FrameRange:
    """The baked frames, and the frames that the source moves in.

    Without motion beyond the bake its last pose holds, instead of a jump back. A rig that only its constraints move
    (`constrained`) may move all through the scene, as may curves with modifiers such as cycles or with straight ends.
    """
    reach = [start, end]
    curves = [curve for curve in source_curves(armature).values() if not curve.mute]
    for curve in curves:
        if not curve.is_empty:
            first, last = curve.range()
            reach += [int(np.floor(first)), int(np.ceil(last))]
    strips = _strips(armature)
    for strip in strips:
        reach += [int(np.floor(strip.frame_start)), int(np.ceil(strip.frame_end))]
    only_constraints = constrained and not curves and not strips
    if only_constraints or any(len(curve.modifiers) or curve.extrapolation == "LINEAR" for curve in curves):
        reach += [scene.frame_start, scene.frame_end]
    return FrameRange(start=start, end=end, source_start=min(reach), source_end=max(reach))


@dataclass(frozen=True, kw_only=True, eq=False)
class OutsideValues:
    """Values of bones' channels before and after the baked frames: those of now, or sampled where NLA strips act."""

    frames: FrameRange
    rows: dict[str, int]  # bone name -> row
    sampled: dict[str, Floats]  # attribute -> (frames outside, bones, size); empty where nothing moves

    def of(self, bone: "PoseBone", attribute: str) -> tuple[Floats, Floats]:
        """(before, after), each (frames, size)."""
        count = len(self.frames.before)
        if self.sampled:
            values = self.sampled[attribute][:, self.rows[bone.name]]
        else:
            now = np.array(getattr(bone, attribute), dtype=float)
            values = np.tile(now, (count + len(self.frames.after), 1))
        return values[:count], values[count:]


def read_outside(armature: "Object", frames: FrameRange) -> Generator[float, None, OutsideValues]:
    """Samples the channels outside the range, if strips move them; without strips there is nothing to read."""
    bones = armature.pose.bones
    rows = {bone.name: row for row, bone in enumerate(bones)}
    outside = np.concatenate([frames.before, frames.after])
    sampled: dict[str, Floats] = {}
    if has_strips(armature) and len(outside):
        sampled = {name: np.empty((len(outside), len(bones), size)) for name, size in _SIZES.items()}
        with scene_of_its_own(armature) as stage:
            yield LongPieceAhead(0.0)
            for row, frame in enumerate(outside):
                evaluated = evaluated_at(armature, stage, int(frame))
                for name, size in _SIZES.items():
                    values = np.empty(len(bones) * size, dtype=np.float32)
                    evaluated.pose.bones.foreach_get(name, values)
                    sampled[name][row] = values.reshape(len(bones), size)
                yield (row + 1) / len(outside)
    return OutsideValues(frames=frames, rows=rows, sampled=sampled)


def has_strips(armature: "Object") -> bool:
    """Whether the NLA moves the armature."""
    return bool(_strips(armature))


def _strips(armature: "Object") -> list:
    data = armature.animation_data
    if data is None or not data.use_nla:
        return []
    return [strip for track in data.nla_tracks if not track.mute for strip in track.strips if not strip.mute]
