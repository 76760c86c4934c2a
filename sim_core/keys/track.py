"""What the key reduction reads and what it gives: tracks of channels in, curves with few keys out."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ..arrays import Floats, Ints

RotationKind = Literal["QUATERNION", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "AXIS_ANGLE"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Track:
    """One bone over T frames: world(t) = world_of_parent(t) @ before(t) @ basis(t).

    `basis` is made of the channels as Blender does it: translation @ rotation, quaternions normalised after their
    components were interpolated, Euler angles of kind XYZ as Rz Ry Rx. Rest, scale and whatever else stands between a
    bone and its parent goes into `before`. A bone that ignores its parent's turn has parent -1 and all of it there.
    World lengths are metres; where channels are in other units, `before` of the root bears the scale.
    """

    name: str
    parent: int = -1  # row of the parent's track, anywhere in the list; -1: none
    before: Floats  # (T, 4, 4), or (4, 4) where it does not change
    rotation_kind: RotationKind = "QUATERNION"
    rotation: Floats | None = None  # (T, C) as in Blender: wxyz, or x y z, or angle and axis; None: not to be keyed
    location: Floats | None = None  # (T, 3), None: not to be keyed
    points: Floats = field(default_factory=lambda: np.zeros((0, 3)))  # (N, 3) to watch, such as the tail; bone's frame


@dataclass(frozen=True, kw_only=True, eq=False)
class CurveKeys:
    """Keys of all channels of a bone's rotation (or location): between keys, cubic Hermite polynomials of time.

    As Bezier keys: handles at a third of the way to the neighbour, `value +- slope * way / 3`. The slopes of both
    sides are equal, so that the handles are aligned. A single key is a curve that stays put.
    """

    frames: Ints  # (K,) rows of the track, from 0
    values: Floats  # (K, C)
    slopes: Floats  # (K, C) per frame


@dataclass(frozen=True, kw_only=True, eq=False)
class TrackKeys:
    name: str
    rotation: CurveKeys | None
    location: CurveKeys | None


@dataclass(frozen=True, kw_only=True, eq=False)
class ReducedKeys:
    tracks: tuple[TrackKeys, ...]  # in the order of the tracks given
    error_m: float  # the farthest that any watched point is from its place, over all frames
    planted_error_m: float  # the same for planted points while they are; 0 without any
    key_count: int  # over all channels
    every_frame_key_count: int  # with a key at every frame
