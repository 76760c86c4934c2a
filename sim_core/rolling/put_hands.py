"""Hands put on the ground and kept there, the arms bent to it."""

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body, Box
from ..dynamics.kinematics import pose
from ..posing.surface import surface_points
from ..reference.leg_ik import reach
from ..reference.out_of_ground import set_turns
from ..reference.place_ankles import within_reach
from ..rig.segments import SIDES
from .anatomical_pose import from_joint_angles, to_joint_angles, within_limits

_ROUNDS = 3  # the hand's lowest point is found again after each reach
_UP = np.array([0.0, 0.0, 1.0])


def shoulders_of(body: Body, q: Floats) -> Floats:
    """(..., 2, 3) left and right."""
    joints: Floats = pose(body, q).origins[..., [body.index("upper_arm" + side) for side in SIDES], :]
    return joints


def put_hands(body: Body, q: Floats, spots: Floats, shares: Floats) -> Floats:
    """The motion q (T, nq) with its hands on spots of the ground (T, 2, 3), by shares (T,) from 0 to 1."""
    rows = np.flatnonzero(shares > 0.0)
    put = q.copy()
    if len(rows) == 0:
        return put
    some = q[rows]
    for k, side in enumerate(SIDES):
        some = _put(body, some, side, spots[rows, k], shares[rows])
    put[rows] = _within_limits(body, some)
    return put


def _put(body: Body, q: Floats, side: str, spots: Floats, shares: Floats) -> Floats:
    upper, fore = body.index("upper_arm" + side), body.index("forearm" + side)
    last = body.index("hand" + side) if "hand" + side in body.names else fore
    wrist = _wrist(body, fore, last)
    length = float(np.linalg.norm(body.links[fore].offset) + np.linalg.norm(wrist))
    surface = surface_points(body)
    own = surface.links == last
    out = q.copy()
    lift = np.zeros(len(q))
    for _ in range(_ROUNDS):
        out = q.copy()
        now = pose(body, q)
        world = rotations.from_matrix(now.R_world_link)
        end = now.points(np.array([fore]), wrist[None])[:, 0]
        shoulder = now.origins[:, upper]
        spot = within_reach(shoulder, spots + lift[:, None] * _UP, length)
        target = end + shares[:, None] * (spot - end)
        target[:, 2] = np.maximum(target[:, 2], lift)
        turns = reach(shoulder, now.origins[:, fore], end, target)
        world[:, upper] = rotations.multiply(turns.thigh, world[:, upper])
        world[:, fore] = rotations.multiply(turns.shin, world[:, fore])
        set_turns(out, body, world, [upper, fore])
        after = pose(body, out)
        low = (after.points(surface.links[own], surface.local[own])[..., 2] - surface.radii[own]).min(axis=1)
        reached = after.points(np.array([fore]), wrist[None])[:, 0, 2]
        lift = reached - low
    return out


def _wrist(body: Body, fore: int, last: int) -> Floats:
    """(3,) in the forearm's frame."""
    if last != fore:
        return body.links[last].offset
    shape = body.links[fore].shape
    ends = shape.corners if isinstance(shape, Box) else np.stack([shape.start, shape.end])
    far: Floats = ends[np.argmax(np.linalg.norm(ends, axis=1))]
    return far


def _within_limits(body: Body, q: Floats) -> Floats:
    joints = from_joint_angles(body, within_limits(body, to_joint_angles(body, q)))
    joints[..., :7] = q[..., :7]
    return joints
