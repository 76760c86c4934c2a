"""The simulated body: a tree of rigid links with shapes and joints, and named slices into q and v.

q = [root position, root rotation wxyz, then per joint: ball wxyz, hinge angle].
v = [root linear velocity in the world, root angular velocity in the root's frame, then per joint: ball, the link's
angular velocity relative to its parent in the link's own frame; hinge, the angle's rate]. MuJoCo's convention.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from ..arrays import Bools, Floats, Ints

JointKind: TypeAlias = Literal["free", "ball", "hinge"]
POSITIONS_OF: dict[JointKind, int] = {"free": 7, "ball": 4, "hinge": 1}
VELOCITIES_OF: dict[JointKind, int] = {"free": 6, "ball": 3, "hinge": 1}
FIRM = 0.001  # [m] how far flesh gives way that is not soft


@dataclass(frozen=True, kw_only=True, eq=False)
class Capsule:
    """All points within `radius` of the segment from start to end; a sphere when they coincide."""

    start: Floats  # (3,) in the link's frame [m]
    end: Floats
    radius: float

    @property
    def is_sphere(self) -> bool:
        return float(np.linalg.norm(self.end - self.start)) < 1e-6


@dataclass(frozen=True, kw_only=True, eq=False)
class Box:
    centre: Floats  # (3,) in the link's frame [m]
    R_link_box: Floats  # (3, 3)
    half_extents: Floats  # (3,)

    @property
    def corners(self) -> Floats:
        """(8, 3) in the link's frame."""
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
        corners: Floats = self.centre + (signs * self.half_extents) @ self.R_link_box.T
        return corners


Shape: TypeAlias = Capsule | Box


@dataclass(frozen=True, kw_only=True, eq=False)
class Joint:
    """How a link turns on its parent.

    Limits are angles [rad] of the rotation vector away from `neutral` (the anatomical zero, as a joint rotation) along
    the rows of `axes` (in the link's frame): flexion, abduction, twist for a ball; the one axis of a hinge.
    """

    kind: JointKind
    axes: Floats  # (3, 3) ball, (1, 3) hinge, (0, 3) free
    neutral: Floats  # (4,)
    lower: Floats  # (dofs,)
    upper: Floats
    torque_limit: Floats  # (dofs,) [N m]


@dataclass(frozen=True, kw_only=True, eq=False)
class Link:
    """One rigid part.

    Its padding is more of its flesh: without mass, it meets the ground and things, but no other link. Shape and
    padding are the surface as it is under load; soft flesh stands out from it when nothing presses it. Boxes are firm.
    """

    name: str  # the segment: "pelvis", "thigh_l", ...
    bone: str  # the bone of the skeleton whose frame the link shares
    parent: int  # index of the parent link, -1 for the root
    offset: Floats  # (3,) the joint in the parent link's frame [m]
    frame: Floats  # (4,) the link's frame in the parent's when the joint is at zero
    joint: Joint
    mass: float
    com: Floats  # (3,) centre of mass in the link's frame [m]
    inertia: Floats  # (3, 3) about the centre of mass, in the link's frame [kg m^2]
    shape: Shape
    padding: tuple[Capsule, ...] = ()
    give_m: float = FIRM  # how far its flesh gives way under about a body's weight [m]

    @property
    def flesh(self) -> tuple[Shape, ...]:
        """All that can touch: the shape first, then the padding."""
        return (self.shape, *self.padding)


@dataclass(frozen=True, kw_only=True, eq=False)
class SolePoints:
    """Points under the feet: heel, ball and toe corners, where ground contact is looked for."""

    links: Ints  # (P,) link each point rides on
    local: Floats  # (P, 3) in that link's frame [m]
    left: Bools  # (P,) True for the left foot

    def __len__(self) -> int:
        return len(self.links)


@dataclass(frozen=True, kw_only=True, eq=False)
class Body:
    """Links in depth-first order; link 0 floats freely."""

    links: tuple[Link, ...]
    soles: SolePoints
    collision_pairs: tuple[tuple[int, int], ...]  # pairs of links that may touch each other
    height: float  # of the standing person [m]

    def __len__(self) -> int:
        return len(self.links)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(link.name for link in self.links)

    def index(self, name: str) -> int:
        return self.names.index(name)

    @cached_property
    def q_slice(self) -> dict[str, slice]:
        return self._slices(POSITIONS_OF)

    @cached_property
    def v_slice(self) -> dict[str, slice]:
        return self._slices(VELOCITIES_OF)

    def _slices(self, size_of: dict[JointKind, int]) -> dict[str, slice]:
        slices, start = {}, 0
        for link in self.links:
            stop = start + size_of[link.joint.kind]
            slices[link.name] = slice(start, stop)
            start = stop
        return slices

    @cached_property
    def nq(self) -> int:
        return sum(POSITIONS_OF[link.joint.kind] for link in self.links)

    @cached_property
    def nv(self) -> int:
        return sum(VELOCITIES_OF[link.joint.kind] for link in self.links)

    @cached_property
    def parents(self) -> Ints:
        return np.array([link.parent for link in self.links], dtype=np.int64)

    @cached_property
    def masses(self) -> Floats:
        return np.array([link.mass for link in self.links])

    @cached_property
    def mass(self) -> float:
        return float(self.masses.sum())

    @cached_property
    def torque_limit(self) -> Floats:
        """(nv,) [N m], zero for the root, which nothing drives."""
        limit = np.zeros(self.nv)
        for link in self.links[1:]:
            limit[self.v_slice[link.name]] = link.joint.torque_limit
        return limit

    @cached_property
    def zero_q(self) -> Floats:
        """Every joint at zero, the root at the origin."""
        q = np.zeros(self.nq)
        for link in self.links:
            part = self.q_slice[link.name]
            if link.joint.kind == "free":
                q[part.start + 3] = 1.0
            elif link.joint.kind == "ball":
                q[part.start] = 1.0
        return q
