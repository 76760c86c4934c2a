"""The keys of an F-curve as arrays: read, made, cut at the border of a frame range, joined and written in bulk."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from bpy.types import Keyframe

from ...sim_core.arrays import Floats, Ints

if TYPE_CHECKING:
    from bpy.types import FCurve

_ENUMS = ("interpolation", "type", "handle_left_type", "handle_right_type", "easing")
_NUMBERS = {"co": 2, "handle_left": 2, "handle_right": 2, "amplitude": 1, "back": 1, "period": 1}


def _value(attribute: str, name: str) -> int:
    return Keyframe.bl_rna.properties[attribute].enum_items[name].value


CONSTANT, LINEAR, BEZIER = (_value("interpolation", name) for name in ("CONSTANT", "LINEAR", "BEZIER"))
_GENERATED = _value("type", "GENERATED")
_FREE, _ALIGNED, _AUTO_CLAMPED = (_value("handle_left_type", name) for name in ("FREE", "ALIGNED", "AUTO_CLAMPED"))
_DEFAULTS = {
    **{"interpolation": LINEAR, "type": _GENERATED},
    **{"handle_left_type": _AUTO_CLAMPED, "handle_right_type": _AUTO_CLAMPED},
}


@dataclass(frozen=True, eq=False)
class Keys:
    """Numbers (n * size,) and enums (n,) by Blender's names; what is absent stays as Blender makes it."""

    columns: dict[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.columns["co"]) // 2

    @property
    def frames(self) -> Floats:
        return self.columns["co"][0::2]

    def where(self, mask: np.ndarray) -> "Keys":
        cut = {name: column.reshape(len(self), -1)[mask].ravel() for name, column in self.columns.items()}
        return Keys(cut)


def key_frames(curve: "FCurve") -> Floats:
    co = np.zeros(2 * len(curve.keyframe_points), dtype=np.float32)
    curve.keyframe_points.foreach_get("co", co)
    return co[0::2]


def read_keys(curve: "FCurve") -> Keys:
    points, columns = curve.keyframe_points, {}
    for name in _ENUMS:
        columns[name] = np.zeros(len(points), dtype=np.int32)
        points.foreach_get(name, columns[name])
    for name, size in _NUMBERS.items():
        columns[name] = np.zeros(size * len(points), dtype=np.float32)
        points.foreach_get(name, columns[name])
    return Keys(columns)


def write_keys(curve: "FCurve", keys: Keys) -> None:
    points = curve.keyframe_points
    points.clear()
    points.add(len(keys))
    for name, column in keys.columns.items():
        points.foreach_set(name, column)
    curve.update()


def baked_keys(frames: Sequence[float] | Ints | Floats, values: Sequence[float] | Floats) -> Keys:
    """A key a frame with straight lines between: nothing is added that the simulation did not do.

    A smooth curve through them would swing a planted foot between frames, and leave the pose at every frame the same.
    """
    co = np.stack([np.asarray(frames, dtype=np.float32), np.asarray(values, dtype=np.float32)], axis=-1).ravel()
    enums = {name: np.full(len(co) // 2, default, dtype=np.int32) for name, default in _DEFAULTS.items()}
    return Keys({**enums, "co": co})


def held_keys(frames: Sequence[float], values: Sequence[float]) -> Keys:
    """Keys of a switch: each value holds until the next."""
    keys = baked_keys(frames, values)
    return Keys({**keys.columns, "interpolation": np.full(len(keys), CONSTANT, dtype=np.int32)})


def hermite_keys(frames: Ints | Floats, values: Floats, slopes: Floats) -> Keys:
    """Bezier keys whose handles, at a third of the way to the neighbour, give the cubic with these slopes a frame."""
    keys = baked_keys(frames, values)
    way = np.diff(np.asarray(frames, dtype=float)) / 3.0 if len(keys) > 1 else np.ones(0)
    ends = [1.0 / 3.0]
    left, right = np.concatenate([ends, way]), np.concatenate([way, ends])
    enums = {name: np.full(len(keys), _ALIGNED, dtype=np.int32) for name in ("handle_left_type", "handle_right_type")}
    handles = {
        "handle_left": np.stack([frames - left, values - slopes * left], axis=-1),
        "handle_right": np.stack([frames + right, values + slopes * right], axis=-1),
    }
    smooth = {name: handle.astype(np.float32).ravel() for name, handle in handles.items()}
    interpolation = np.full(len(keys), BEZIER, dtype=np.int32)
    return Keys({**keys.columns, **enums, **smooth, "interpolation": interpolation})


def with_last_interpolation(keys: Keys, interpolation: int) -> Keys:
    """The keys with another way from the last of them to whatever comes next."""
    changed = keys.columns["interpolation"].copy()
    changed[-1:] = interpolation
    return Keys({**keys.columns, "interpolation": changed})


def steady_handles(keys: Keys) -> Keys:
    """The keys with handles that stay as they are whatever the neighbours become."""
    columns = dict(keys.columns)
    for name in ("handle_left_type", "handle_right_type"):
        kinds = columns[name]
        columns[name] = np.where(kinds == _ALIGNED, _ALIGNED, _FREE).astype(np.int32)
    return Keys(columns)


def joined(parts: Sequence[Keys]) -> Keys:
    """All keys in the order given; where some bear handles and others do not, handles are made for the others."""
    parts = [part for part in parts if len(part)] or [baked_keys([], [])]
    names = {name for part in parts for name in part.columns}
    return Keys({name: np.concatenate([_column(part, name) for part in parts]) for name in names})


def _column(keys: Keys, name: str) -> np.ndarray:
    if name in keys.columns:
        return keys.columns[name]
    if name.startswith("handle"):
        return keys.columns["co"]  # automatic handles: Blender lays them
    if name in _ENUMS:
        return np.zeros(len(keys), dtype=np.int32)
    return np.zeros(len(keys) * _NUMBERS[name], dtype=np.float32)
