"""Hands put on the ground and kept there, the arms bent to it with the elbows away from the head."""

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body, Box
from ..dynamics.kinematics import Pose, pose
from ..posing.surface import surface_points
from ..reference.place_ankles import within_reach
from ..rig.segments import SIDES
from .anatomical_pose import from_joint_angles, nearest_turns, to_joint_angles, within_limits
from .level_feet import root_axes

_ROUNDS = 3  # the hand's lowest point is found again after each reach
_ELBOWS_OUT = 0.2  # as against away from the head
_ELBOWS_UP = 1.0
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
    before = to_joint_angles(body, q[rows])
    after = before.copy()
    for k, side in enumerate(SIDES):
        after = _put(body, q[rows], after, side, spots[rows, k])
    angles = before + shares[rows, None, None] * (after - before)
    put[rows] = _with_joints(body, q[rows], angles)
    return put


def hands_above_ground(body: Body, q: Floats) -> Floats:
    """The motion q (T, nq) with arms bent just so far that no hand is below z = 0."""
    for side in SIDES:
        upper, fore, last = _arm(body, side)
        wrist = _wrist(body, fore, last)
        lengths = _lengths(body, fore, wrist)
        for _ in range(_ROUNDS):
            now = pose(body, q)
            low = np.minimum(_lowest(body, now, last), 0.0)
            if low.min() > -1e-4:
                break
            target = now.points(np.array([fore]), wrist[None])[:, 0] - low[:, None] * _UP
            elbow = now.origins[:, fore] - now.origins[:, upper]
            rows = np.flatnonzero(low < 0.0)
            some = Pose(*(part[rows] for part in now))
            done = _reached(
                body, some, to_joint_angles(body, q[rows]), (upper, fore), target[rows], lengths, elbow[rows]
            )
            q = q.copy()
            q[rows] = _with_joints(body, q[rows], done)
    return q


def _with_joints(body: Body, q: Floats, angles: Floats) -> Floats:
    return np.concatenate([q[:, :7], from_joint_angles(body, angles)[:, 7:]], axis=1)


def _arm(body: Body, side: str) -> tuple[int, int, int]:
    """Upper arm, forearm, and the hand (the forearm where there is none)."""
    upper, fore = body.index("upper_arm" + side), body.index("forearm" + side)
    return upper, fore, body.index("hand" + side) if "hand" + side in body.names else fore


def _lengths(body: Body, fore: int, wrist: Floats) -> tuple[float, float]:
    return float(np.linalg.norm(body.links[fore].offset)), float(np.linalg.norm(wrist))


def _lowest(body: Body, now: Pose, link: int) -> Floats:
    """(T,) height of a link's lowest point [m]."""
    surface = surface_points(body)
    own = surface.links == link
    low: Floats = (now.points(surface.links[own], surface.local[own])[..., 2] - surface.radii[own]).min(axis=1)
    return low


def _put(body: Body, q: Floats, angles: Floats, side: str, spots: Floats) -> Floats:
    """The angles (T, N, 3) with one hand on its spots (T, 3)."""
    upper, fore, last = _arm(body, side)
    wrist = _wrist(body, fore, last)
    lengths = _lengths(body, fore, wrist)
    now = pose(body, q)
    elbow = _elbow_side(body, now, upper)
    lift = np.zeros(len(q))
    done = angles
    for _ in range(_ROUNDS):
        target = within_reach(now.origins[:, upper], spots + lift[:, None] * _UP, sum(lengths))
        done = _reached(body, now, angles, (upper, fore), target, lengths, elbow)
        after = pose(body, _with_joints(body, q, done))
        lift = after.points(np.array([fore]), wrist[None])[:, 0, 2] - _lowest(body, after, last)
    return done


def _reached(
    body: Body,
    now: Pose,
    angles: Floats,
    arm: tuple[int, int],
    target: Floats,
    lengths: tuple[float, float],
    elbow: Floats,
) -> Floats:
    """The angles of an arm with its wrist at a target (T, 3), its elbow on a side (T, 3) and bent about one axis."""
    upper, fore = arm
    link = body.links[upper]
    above = now.R_world_link[:, link.parent]
    apart = target - now.origins[:, upper]
    nearest, farthest = abs(lengths[0] - lengths[1]) + 1e-3, 0.9995 * sum(lengths)
    distance = np.clip(np.linalg.norm(apart, axis=1, keepdims=True), nearest, farthest)
    towards = apart / np.linalg.norm(apart, axis=1, keepdims=True)
    pole = elbow - np.sum(elbow * towards, axis=1, keepdims=True) * towards
    pole /= np.linalg.norm(pole, axis=1, keepdims=True)
    along = (distance**2 + lengths[0] ** 2 - lengths[1] ** 2) / (2.0 * distance)  # law of cosines
    out = np.sqrt(np.maximum(lengths[0] ** 2 - along**2, 0.0))
    first = (along * towards + out * pole) / lengths[0]
    second = (distance * towards - lengths[0] * first) / lengths[1]
    normal = rotations.cross(pole, towards)  # the elbow bends about it as about the body's right
    frame = np.stack([normal, rotations.cross(-first, normal), -first], axis=1)  # rows: right, forward, up
    world = frame.swapaxes(1, 2) @ link.joint.axes
    turn = rotations.multiply(rotations.inverse(link.frame), rotations.from_matrix(above.swapaxes(1, 2) @ world))
    vector = rotations.log(rotations.multiply(rotations.inverse(link.joint.neutral), turn)) @ link.joint.axes.T
    done = angles.copy()
    done[:, upper] = nearest_turns(vector, angles[:, upper])
    done[:, fore] = 0.0
    done[:, fore, 0] = np.arccos(np.clip(np.sum(first * second, axis=1), -1.0, 1.0))
    return within_limits(body, done)


def _elbow_side(body: Body, now: Pose, upper: int) -> Floats:
    """(T, 3) footwards along the chest, outwards, and off the ground."""
    chest = body.index("chest")
    own = body.links[chest].joint.axes if chest else root_axes(body)
    axes = now.R_world_link[:, chest] @ own.T
    outwards = axes[..., 0] * (-1.0 if body.names[upper].endswith("_l") else 1.0)
    side: Floats = -axes[..., 2] + _ELBOWS_OUT * outwards + _ELBOWS_UP * _UP
    return side


def _wrist(body: Body, fore: int, last: int) -> Floats:
    """(3,) in the forearm's frame."""
    if last != fore:
        return body.links[last].offset
    shape = body.links[fore].shape
    ends = shape.corners if isinstance(shape, Box) else np.stack([shape.start, shape.end])
    far: Floats = ends[np.argmax(np.linalg.norm(ends, axis=1))]
    return far
