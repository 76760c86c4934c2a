"""The mass of each link: shares of the whole from the tables, and where a rig lacks a segment, its heir's."""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..rig.segments import SEGMENTS as SEGMENT_NAMES
from ..rig.segments import TRUNK, kind
from .anthropometry import REFERENCE_HEIGHT, REFERENCE_MASS, SEGMENTS, SMALLEST_INERTIA
from .body import Box, Shape
from .link_shapes import trunk_half_width
from .rig_geometry import RigGeometry

# Who carries the mass of a segment that the rig does not have.
_HEIR = {
    "spine": "abdomen",
    "abdomen": "chest",
    "neck": "head",
    "head": "chest",
    "clavicle": "chest",
    "hand": "forearm",
    "toes": "foot",
}
_WATER = 1000.0  # kg / m^3, which flesh is all but


class Part(NamedTuple):
    """A lump of mass in a link's frame."""

    mass: float
    com: Floats
    inertia: Floats


def mass_fractions(present: list[str]) -> dict[str, float]:
    """Each present segment's share of the whole body."""
    fractions = dict.fromkeys(present, 0.0)
    for segment in SEGMENT_NAMES:
        bearer = segment
        while bearer not in fractions:
            heir = _HEIR[kind(bearer)]
            bearer = heir if heir in ("chest", "abdomen", "head") else f"{heir}{segment[-2:]}"
        fractions[bearer] += SEGMENTS[kind(segment)].mass
    total = sum(fractions.values())
    return {name: value / total for name, value in fractions.items()}


def mass_part(rig: RigGeometry, name: str, far: Floats, shape: Shape, mass: float, height: float) -> Part:
    """A segment's mass, centre of mass and inertia, in the frame of its link."""
    what = SEGMENTS[kind(name)]
    if isinstance(shape, Box):
        size = 2.0 * shape.half_extents
        inertia = mass / 12.0 * np.diag(np.sum(size**2) - size**2)
        return Part(mass, shape.centre, shape.R_link_box @ inertia @ shape.R_link_box.T)
    if kind(name) in TRUNK:
        # A solid elliptic cylinder as wide as the trunk, as deep as its flesh and as tall as its mass needs.
        right = rig.direction(name, rig.axes.right)
        up = rig.direction(name, rig.axes.up)
        wide = trunk_half_width(rig, name, height) + shape.radius
        deep = shape.radius
        tall = mass / (_WATER * np.pi * wide * deep)
        moments = mass / 4.0 * np.array([deep**2 + tall**2 / 3, wide**2 + tall**2 / 3, wide**2 + deep**2])
        axes = np.stack([right, rotations.cross(up, right), up], axis=1)
        return Part(mass, 0.5 * (shape.start + shape.end), axes @ np.diag(moments) @ axes.T)
    length = float(np.linalg.norm(far))
    along = far / max(length, 1e-9)
    across = mass * (what.gyration_across * length) ** 2
    lengthwise = mass * (what.gyration_along * length) ** 2
    inertia = across * (np.eye(3) - np.outer(along, along)) + lengthwise * np.outer(along, along)
    com = 0.5 * (shape.start + shape.end) if kind(name) == "head" else far * what.com
    return Part(mass, com, inertia)


def steady_inertia(inertia: Floats, body_mass: float, height: float) -> Floats:
    """Principal moments raised to the smallest that a physics step can follow."""
    smallest = SMALLEST_INERTIA * body_mass / REFERENCE_MASS * (height / REFERENCE_HEIGHT) ** 2
    moments, axes = np.linalg.eigh(inertia)
    result: Floats = axes @ np.diag(np.maximum(moments, smallest)) @ axes.T
    return result
