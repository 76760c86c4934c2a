"""A rounder and softer trunk, for bodies that lie, fall and roll on it.

The shapes that a body is built with are one capsule a link. They leave gaps along the spine, which a body that rolls
over its back falls into, and they are as firm as feet. Here the trunk is filled: on each side of the spine a capsule
goes from joint to joint, so that the back has no gap however the spine is bent. Where a rig has few joints to bend it
by, the back of who rolls over it is arched in its flesh: over two straight pieces a body tips, and comes to a stop.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..rig.segments import SIDES, TRUNK, kind
from .anthropometry import REFERENCE_HEIGHT, SEGMENTS
from .body import Body, Capsule, Link

# Of height. Twice the radius is the depth of the trunk; with the half widths, its breadth is 0.17 at the hips, 0.16 at
# the waist and 0.18 at the ribs: about as round as a trunk can be, so that it rolls sideways as well.
_RADIUS = 0.0625
_HIPS, _WAIST, _RIBS = 0.0225, 0.0175, 0.0275  # from the middle to where the flank begins to round
_SHOULDER_RADIUS = 0.052
_SHORTEST = 0.02  # a stretch of the spine that gets capsules of its own
_ARCH = 0.125  # the radius of a curled back, which is arched,
_LEAST_ARCH = 0.006  # where that is more than this

_GIVE_M = 0.012  # of a body of the reference height
_SOFT = (*TRUNK, "clavicle", "upper_arm", "thigh")


def with_round_flesh(body: Body, *, arched: bool = False) -> Body:
    """The same body with a rounded, soft trunk: masses, joints and what may touch what stay as they are."""
    give_m = _GIVE_M * body.height / REFERENCE_HEIGHT
    padding = _padding(body, arched=arched)
    links = tuple(
        replace(
            link,
            padding=(*link.padding, *padding.get(link.name, ())),
            give_m=give_m if kind(link.name) in _SOFT else link.give_m,
        )
        for link in body.links
    )
    return replace(body, links=links)


class _Standing(NamedTuple):
    """The links in the root's frame when every joint is at its anatomical zero."""

    turns: dict[str, Floats]
    origins: dict[str, Floats]

    def local(self, name: str, point: Floats) -> Floats:
        return rotations.rotate(rotations.inverse(self.turns[name]), point - self.origins[name])

    def middle(self, part: str) -> Floats:
        return 0.5 * (self.origins[part + SIDES[0]] + self.origins[part + SIDES[1]])

    def across(self, part: str) -> Floats:
        """From the left one to the right one."""
        return self.origins[part + SIDES[1]] - self.origins[part + SIDES[0]]


def _standing(body: Body) -> _Standing:
    turns: dict[str, Floats] = {}
    origins: dict[str, Floats] = {}
    for link in body.links:
        if link.parent < 0:
            turns[link.name], origins[link.name] = rotations.IDENTITY, np.zeros(3)
            continue
        above = body.links[link.parent].name
        turn = rotations.multiply(turns[above], rotations.multiply(link.frame, link.joint.neutral))
        turns[link.name] = turn
        origins[link.name] = origins[above] + rotations.rotate(turns[above], link.offset)
    return _Standing(turns, origins)


def _padding(body: Body, *, arched: bool) -> dict[str, tuple[Capsule, ...]]:
    """The padding of each link that gets some."""
    height, standing = body.height, _standing(body)
    trunk = [name for name in body.names if name in TRUNK]
    hips, shoulders = standing.middle("thigh"), standing.middle("upper_arm")
    up = _unit(shoulders - hips)
    right = _unit(standing.across("thigh") - (standing.across("thigh") @ up) * up)
    top = shoulders - (_RADIUS - _SHOULDER_RADIUS) * height * up  # the flesh ends at one level
    spine = [hips, *(standing.origins[name] for name in trunk[1:]), top]
    whole = max(float((top - hips) @ up), 1e-6)

    def half_at(point: Floats) -> Floats:
        share = float((point - hips) @ up) / whole
        half: Floats = np.interp(share, [0.0, 0.45, 0.85], [_HIPS, _WAIST, _RIBS]) * height * right
        return half

    def capsule(name: str, start: Floats, end: Floats, radius: float) -> Capsule:
        return Capsule(start=standing.local(name, start), end=standing.local(name, end), radius=radius * height)

    padding = {
        name: tuple(
            capsule(name, low + side * half_at(low), high + side * half_at(high), _RADIUS)
            for side in (-1.0, 1.0)
            if np.linalg.norm(high - low) > _SHORTEST * height
        )
        for name, low, high in zip(trunk, spine[:-1], spine[1:], strict=True)
    }
    for name, low, high in zip(trunk, spine[:-1], spine[1:], strict=True):
        arch = float(np.sum((high - low) ** 2)) / (8.0 * _ARCH * height)
        if arched and arch > _LEAST_ARCH * height:
            middle = 0.5 * (low + high)
            behind, half = middle + arch * rotations.cross(right, up), half_at(middle)
            padding[name] += (capsule(name, behind - half, behind + half, _RADIUS),)
    padding[trunk[0]] += (capsule(trunk[0], hips - half_at(hips), hips + half_at(hips), _RADIUS),)
    breadth = float(np.linalg.norm(standing.across("upper_arm")))
    reach = max(0.5 * breadth - _SHOULDER_RADIUS * height, 0.0) * right
    padding[trunk[-1]] += (capsule(trunk[-1], shoulders - reach, shoulders + reach, _SHOULDER_RADIUS),)
    for link in body.links:
        if link.name == "neck":
            padding[link.name] = _thicker(link, SEGMENTS["neck"].radius * height)
    return padding


def _thicker(link: Link, radius: float) -> tuple[Capsule, ...]:
    """A sphere in the middle of a link that is thinner than this."""
    shape = link.shape
    if not isinstance(shape, Capsule) or shape.radius >= radius:
        return ()
    middle = 0.5 * (shape.start + shape.end)
    return (Capsule(start=middle, end=middle, radius=radius),)


def _unit(vector: Floats) -> Floats:
    unit: Floats = vector / max(float(np.linalg.norm(vector)), 1e-9)
    return unit
