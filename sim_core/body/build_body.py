"""From a rig and its bone map to a simulated body: links, masses, shapes, joints."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..errors import RigError
from ..motion.clip import Clip
from ..rig.segments import SEGMENTS as SEGMENT_NAMES
from ..rig.segments import kind, parents_of
from .anthropometry import (
    BODY_MASS_INDEX,
    FOOT_BREADTH,
    HAND_LENGTH,
    HEAD_LENGTH,
    HEEL_BEHIND_ANKLE,
    LEG_LENGTH,
    REFERENCE_MASS,
    SEGMENTS,
    SMALLEST_INERTIA,
    STRENGTH_HEADROOM,
)
from .body import Body, Box, Capsule, Joint, Link, Shape, SolePoints
from .collision_pairs import pairs_that_may_touch
from .feet import Foot, measure_feet
from .joint_limits import joint_limits
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
_TRUNK = ("pelvis", "abdomen", "spine", "chest")


class Part(NamedTuple):
    """A lump of mass in a link's frame."""

    mass: float
    com: Floats
    inertia: Floats


def build_body(clip: Clip, bones: Mapping[str, int], *, height: float | None = None, mass: float | None = None) -> Body:
    """The body of a rig, measured on its clip (motion only, without a T-pose in front).

    Height [m] and mass [kg] default to those of a person with the rig's legs.
    """
    rig = RigGeometry(clip=clip, bones=bones)
    height = rig.leg_length / LEG_LENGTH if height is None else height
    mass = BODY_MASS_INDEX * height**2 if mass is None else mass
    if not (0.3 <= height <= 10.0 and 1.0 <= mass <= 1000.0):
        raise RigError(
            f"The figure would be {height:.2f} m tall and weigh {mass:.0f} kg, which is no body to simulate; "
            "set the scale (metres per unit), the height or the mass."
        )
    feet = measure_feet(rig, height)
    order = list(parents_of(bones))
    fractions = _mass_fractions(order)
    links = tuple(_link(rig, name, order, mass, height, fractions[name], feet) for name in order)
    return Body(
        links=links,
        soles=_sole_points(links),
        collision_pairs=pairs_that_may_touch(links, rig),
        height=height,
    )


def _mass_fractions(present: list[str]) -> dict[str, float]:
    fractions = dict.fromkeys(present, 0.0)
    for segment in SEGMENT_NAMES:
        bearer = segment
        while bearer not in fractions:
            heir = _HEIR[kind(bearer)]
            bearer = heir if heir in ("chest", "abdomen", "head") else f"{heir}{segment[-2:]}"
        fractions[bearer] += SEGMENTS[kind(segment)].mass
    total = sum(fractions.values())
    return {name: value / total for name, value in fractions.items()}


def _link(
    rig: RigGeometry,
    name: str,
    order: list[str],
    body_mass: float,
    height: float,
    fraction: float,
    feet: Mapping[str, Foot],
) -> Link:
    parent = rig.parents[name]
    far = _far_end(rig, name, height)
    shape = _shape(rig, name, far, height, feet)
    part = _mass_part(rig, name, far, shape, fraction * body_mass, height)
    floor = SMALLEST_INERTIA * body_mass / REFERENCE_MASS
    return Link(
        name=name,
        bone=rig.clip.skeleton.names[rig.bones[name]],
        parent=-1 if parent is None else order.index(parent),
        offset=np.zeros(3) if parent is None else rig.offset(name),
        frame=rotations.IDENTITY,
        joint=_joint(rig, name, body_mass),
        mass=part.mass,
        com=part.com,
        inertia=_at_least(part.inertia, floor),
        shape=shape,
    )


def _joint(rig: RigGeometry, name: str, body_mass: float) -> Joint:
    if rig.parents[name] is None:
        none = np.zeros(0)
        return Joint(
            kind="free",
            axes=np.zeros((0, 3)),
            neutral=rotations.IDENTITY,
            lower=none,
            upper=none,
            torque_limit=none,
        )
    limits = joint_limits(rig, name)
    strength = SEGMENTS[kind(name)].torque * STRENGTH_HEADROOM * body_mass
    return Joint(
        kind="ball",
        axes=limits.axes,
        neutral=limits.neutral,
        lower=limits.lower,
        upper=limits.upper,
        torque_limit=np.full(3, strength),
    )


def _far_end(rig: RigGeometry, name: str, height: float) -> Floats:
    """Where the segment ends, in its frame: the next joint, the rig's tip, or a plausible length along the body."""
    children = [child for child, parent in rig.parents.items() if parent == name]
    if name == "pelvis":
        return 0.5 * (rig.offset("thigh_l") + rig.offset("thigh_r"))
    inline = [child for child in children if kind(child) not in ("clavicle", "upper_arm")]
    if inline:
        return rig.offset(inline[0])
    if name == "chest":
        return rig.direction(name, rig.axes.up) * 0.15 * height
    tip = rig.tip(name)
    usual = {"head": HEAD_LENGTH, "hand": HAND_LENGTH}.get(kind(name), 0.1) * height
    if tip is not None and 0.3 * usual < np.linalg.norm(tip) < 2.0 * usual:
        return tip
    if kind(name) == "head":
        return rig.direction(name, rig.axes.up) * usual
    if kind(name) in ("foot", "toes"):
        return rig.direction(name, rig.axes.forward) * usual
    parent = rig.parents[name]
    assert parent is not None
    # A hand without a tip goes on where the forearm points.
    along = rotations.rotate(
        rotations.inverse(rig.rest.rotations[rig.bones[name]]),
        rig.rest.positions[rig.bones[name]] - rig.rest.positions[rig.bones[parent]],
    )
    return along / max(float(np.linalg.norm(along)), 1e-9) * usual


def _shape(rig: RigGeometry, name: str, far: Floats, height: float, feet: Mapping[str, Foot]) -> Shape:
    what = kind(name)
    radius = SEGMENTS[what].radius * height
    length = float(np.linalg.norm(far))
    if what in ("foot", "toes"):
        return _sole_box(feet[name[-1]], what == "toes", f"toes_{name[-1]}" in rig.bones, height)
    if what in _TRUNK:
        return _trunk_capsule(rig, name, far, radius, height)
    if what == "head":
        middle = far * min(1.0, 0.55 * HEAD_LENGTH * height / max(length, 1e-9) + 0.1)
        return Capsule(start=middle, end=middle, radius=radius)
    radius = min(radius, 0.45 * length) if length > 0.02 else radius
    inset = min(0.5 * length, 0.6 * radius)
    # A shin that reaches down to the ankle would stand on the floor beside its own foot.
    outset = min(0.6 * length, radius + 0.018 * height) if what == "shin" else 0.5 * inset
    along = far / max(length, 1e-9)
    return Capsule(start=along * inset, end=along * (length - outset), radius=radius)


def _trunk_capsule(rig: RigGeometry, name: str, far: Floats, radius: float, height: float) -> Capsule:
    """Trunk segments lie across the body, as wide as hips, waist and ribs are."""
    right = rig.direction(name, rig.axes.right)
    if name == "pelvis":
        half = max(0.35 * float(np.linalg.norm(rig.offset("thigh_r") - rig.offset("thigh_l"))), 0.02 * height)
    else:
        half = (0.045 if name == "chest" else 0.035) * height
    middle = 0.5 * far
    return Capsule(start=middle - half * right, end=middle + half * right, radius=radius)


def _sole_box(foot: Foot, is_toes: bool, has_toes: bool, height: float) -> Box:
    ball_ahead = float(foot.ball @ foot.forward)
    ball_above = foot.ankle_height + float(foot.ball @ foot.up)  # of the ball over the sole
    if is_toes:
        up, forward = foot.toe_up, foot.toe_forward
        back, front, bottom, top = 0.0, foot.toe_length, -ball_above, min(0.0, -ball_above + 0.018 * height)
    else:
        up, forward = foot.up, foot.forward
        back = -HEEL_BEHIND_ANKLE * height
        front = ball_ahead if has_toes else ball_ahead + foot.toe_length
        bottom, top = -foot.ankle_height, -0.25 * foot.ankle_height
    half = 0.5 * np.array([front - back, FOOT_BREADTH * height, top - bottom])
    centre = forward * 0.5 * (front + back) + up * 0.5 * (top + bottom)
    axes = np.stack([forward, rotations.cross(up, forward), up], axis=1)
    return Box(centre=centre, R_link_box=axes, half_extents=half)


def _mass_part(rig: RigGeometry, name: str, far: Floats, shape: Shape, mass: float, height: float) -> Part:
    what = SEGMENTS[kind(name)]
    if isinstance(shape, Box):
        size = 2.0 * shape.half_extents
        inertia = mass / 12.0 * np.diag(np.sum(size**2) - size**2)
        return Part(mass, shape.centre, shape.R_link_box @ inertia @ shape.R_link_box.T)
    if kind(name) in _TRUNK:
        # A solid elliptic cylinder as wide as the capsule, as deep as its radius and as tall as its mass needs.
        right = rig.direction(name, rig.axes.right)
        up = rig.direction(name, rig.axes.up)
        wide = 0.5 * float(np.linalg.norm(shape.end - shape.start)) + shape.radius
        deep = shape.radius
        tall = mass / (1000.0 * np.pi * wide * deep)
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


def _at_least(inertia: Floats, smallest: float) -> Floats:
    """Principal moments raised to the smallest that a physics step can follow."""
    moments, axes = np.linalg.eigh(inertia)
    result: Floats = axes @ np.diag(np.maximum(moments, smallest)) @ axes.T
    return result


def _sole_points(links: tuple[Link, ...]) -> SolePoints:
    """Heel and ball corners of each foot, and the tip corners of the toes."""
    index, points, left = [], [], []
    for i, link in enumerate(links):
        if not isinstance(link.shape, Box):
            continue
        box = link.shape
        ends = (-1.0, 1.0) if kind(link.name) == "foot" else (1.0,)
        for end in ends:
            for side in (-1.0, 1.0):
                corner = box.centre + box.R_link_box @ (box.half_extents * np.array([end, side, -1.0]))
                index.append(i)
                points.append(corner)
                left.append(link.name.endswith("_l"))
    return SolePoints(links=np.array(index, dtype=np.int64), local=np.array(points), left=np.array(left))
