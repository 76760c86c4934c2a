"""Joint limits in anatomical terms, for whatever rest pose and bone axes a rig has.

The anatomical zero is a person standing with arms and legs hanging straight down. A limb's neutral rotation is its rest
rotation, turned the shortest way until the limb points down.
"""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..rig.segments import is_left, kind
from .anthropometry import RANGES
from .rig_geometry import RigGeometry

_HANGING = ("upper_arm", "forearm", "hand", "thigh", "shin")
_NEXT = {"upper_arm": "forearm", "forearm": "hand", "thigh": "shin", "shin": "foot"}
_MARGIN = np.radians(5.0)  # beyond what the clip itself does


class Limits(NamedTuple):
    axes: Floats  # (3, 3) the body's right, forward and up in the link's frame, at neutral
    neutral: Floats  # (4,) rotation of the link in its parent at the anatomical zero
    lower: Floats  # (3,) [rad]
    upper: Floats


def joint_limits(rig: RigGeometry, segment: str) -> Limits:
    """The table's range, widened to what the clip does: an animator's pose is never illegal."""
    parent = rig.parents[segment]
    assert parent is not None
    at_zero = _neutral_world(rig, segment)
    neutral = rotations.multiply(rotations.inverse(_neutral_world(rig, parent)), at_zero)
    axes = rotations.rotate(rotations.inverse(at_zero), rig.axes.rows)
    lower, upper = anatomical_range(segment)
    world = rig.world.rotations
    relative = rotations.multiply(rotations.inverse(world[:, rig.bones[parent]]), world[:, rig.bones[segment]])
    angles = joint_angles(relative, neutral, axes)
    return Limits(
        axes=axes,
        neutral=neutral,
        lower=np.minimum(lower, angles.min(axis=0) - _MARGIN),
        upper=np.maximum(upper, angles.max(axis=0) + _MARGIN),
    )


class Span(NamedTuple):
    lower: Floats  # (3,) [rad]
    upper: Floats


def anatomical_range(segment: str) -> Span:
    """What people can do, by the table, about the body's right, forward and up."""
    lower, upper = np.radians(np.array(RANGES[kind(segment)], dtype=float)).T
    if is_left(segment):
        mirrored = np.array([False, True, True])
        lower, upper = np.where(mirrored, -upper, lower), np.where(mirrored, -lower, upper)
    return Span(lower, upper)


def joint_angles(rotation: Floats, neutral: Floats, axes: Floats) -> Floats:
    """The rotation vector away from neutral, along the anatomical axes: (..., 3) [rad]."""
    result: Floats = rotations.log(rotations.multiply(rotations.inverse(neutral), rotation)) @ axes.T
    return result


def _neutral_world(rig: RigGeometry, segment: str) -> Floats:
    """The segment's rotation in the world of the rest pose when the body stands at the anatomical zero."""
    rest: Floats = rig.rest.rotations[rig.bones[segment]]
    if kind(segment) not in _HANGING:
        return rest
    far = _NEXT.get(kind(segment))
    follower = f"{far}{segment[-2:]}"
    if follower in rig.bones:
        along = rig.rest.positions[rig.bones[follower]] - rig.rest.positions[rig.bones[segment]]
    else:
        tip = rig.tip(segment)
        if tip is None:
            return rest
        along = rotations.rotate(rest, tip)
    if np.linalg.norm(along) < 1e-6:
        return rest
    return rotations.multiply(rotations.between_vectors(along, -rig.axes.up), rest)
