"""The flesh of each link: capsules for limbs and trunk, boxes for feet and toes."""

from collections.abc import Mapping

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..rig.segments import TRUNK, kind
from .anthropometry import FOOT_BREADTH, HAND_LENGTH, HEAD_LENGTH, HEEL_BEHIND_ANKLE, SEGMENTS
from .body import Box, Capsule, Link, Shape, SolePoints
from .feet import Foot
from .rig_geometry import RigGeometry

_CHEST_HALF_WIDTH, _WAIST_HALF_WIDTH = 0.045, 0.035  # of height, between the rounded flanks


def far_end(rig: RigGeometry, name: str, height: float) -> Floats:
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


def shape_of(rig: RigGeometry, name: str, far: Floats, height: float, feet: Mapping[str, Foot]) -> Shape:
    what = kind(name)
    radius = SEGMENTS[what].radius * height
    length = float(np.linalg.norm(far))
    if what in ("foot", "toes"):
        return _sole_box(feet[name[-1]], what == "toes", f"toes_{name[-1]}" in rig.bones, height)
    if what in TRUNK:
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


def trunk_half_width(rig: RigGeometry, name: str, height: float) -> float:
    """From the middle of a trunk segment to where its flank begins to round [m]."""
    if name == "pelvis":
        hips = float(np.linalg.norm(rig.offset("thigh_r") - rig.offset("thigh_l")))
        return max(0.35 * hips, 0.02 * height)
    return (_CHEST_HALF_WIDTH if name == "chest" else _WAIST_HALF_WIDTH) * height


def _trunk_capsule(rig: RigGeometry, name: str, far: Floats, radius: float, height: float) -> Capsule:
    """Across the body, as wide as hips, waist and ribs are; along the spine where few segments must fill the trunk."""
    if name != "pelvis" and np.linalg.norm(far) > 2.0 * radius:
        return Capsule(start=0.15 * far, end=0.85 * far, radius=radius)
    half = trunk_half_width(rig, name, height) * rig.direction(name, rig.axes.right)
    return Capsule(start=0.5 * far - half, end=0.5 * far + half, radius=radius)


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


def sole_points(links: tuple[Link, ...]) -> SolePoints:
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
