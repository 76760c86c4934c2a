"""A standing pose to begin and end with, and feet that stay where they stand while the body goes down or up."""

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..posing.surface import surface_points
from ..reference.leg_ik import reach
from ..reference.out_of_ground import set_turns
from ..rig.segments import SIDES
from .anatomical_pose import posed
from .level_feet import root_axes

_RELAXED = {
    "thigh": (12.0, -3.0, 0.0),
    "shin": (-20.0, 0.0, 0.0),
    "foot": (8.0, 3.0, 0.0),
    "upper_arm": (4.0, -9.0, 0.0),
    "forearm": (15.0, 0.0, 0.0),
}
_LIFTED, _LIFTED_M = 0.3, 0.06  # of how far it steps, and at most: what a foot is lifted
_OVER_FEET = 0.45  # of the way from heels to toes: where the weight of who stands is


def standing(body: Body, frame: Floats, begin_q: Floats | None) -> Floats:
    """(nq,) facing as the frame tells (rows: the body's right, forward and up), ankles about the origin, on z = 0."""
    own = begin_q is None
    q = posed(body, _RELAXED) if begin_q is None else begin_q.copy()
    axes = root_axes(body)
    if own:
        q[3:7] = rotations.from_matrix(frame.T @ axes)
    else:
        faces = rotations.rotate(q[3:7], axes[1])
        angle = np.arctan2(frame[1, 1], frame[1, 0]) - np.arctan2(faces[1], faces[0])
        turn = rotations.about_axis(2, np.array(angle))
        q[:3], q[3:7] = rotations.rotate(turn, q[:3]), rotations.multiply(turn, q[3:7])
    q[:3] -= middle_of_ankles(body, q) * np.array([1.0, 1.0, 0.0])
    if own:
        q[2] -= lowest(body, q)
        q = _balanced(body, q, frame[1])
    return q


def _balanced(body: Body, q: Floats, forward: Floats) -> Floats:
    """The weight brought over the feet, which stay."""
    soles = pose(body, q).points(body.soles.links, body.soles.local) @ forward
    wanted = soles.min() + _OVER_FEET * (soles.max() - soles.min())
    moved = q.copy()
    moved[:3] += (wanted - pose(body, q).com @ forward) * forward
    balanced: Floats = planted(body, moved[None], feet_of(body, q), np.ones(1))[0]
    return balanced


def feet_of(body: Body, q: Floats) -> tuple[Floats, Floats]:
    """Where the feet (left, right) of a pose are (2, 3), and their rotations (2, 4)."""
    feet = [body.index("foot" + side) for side in SIDES]
    where = pose(body, q)
    return where.origins[feet], rotations.from_matrix(where.R_world_link[feet])


def planted(body: Body, q: Floats, feet: tuple[Floats, Floats], shares: Floats) -> Floats:
    """The motion q (T, nq) with its legs bent so that its feet are in their place, by shares (T,) from 0 to 1."""
    planted = q.copy()
    now = pose(body, q)
    world = rotations.from_matrix(now.R_world_link)
    for k, side in enumerate(SIDES):
        thigh, shin, foot = (body.index(name + side) for name in ("thigh", "shin", "foot"))
        hip, knee, ankle = (now.origins[:, link] for link in (thigh, shin, foot))
        step = feet[0][k] - ankle
        target = ankle + shares[:, None] * step
        far = np.linalg.norm(step[:, :2], axis=1)
        target[:, 2] += 4.0 * shares * (1.0 - shares) * np.minimum(_LIFTED * far, _LIFTED_M)
        forward = now.R_world_link[:, thigh] @ body.links[thigh].joint.axes[1]
        turns = reach(hip, knee, ankle, target, forward)
        world[:, thigh] = rotations.multiply(turns.thigh, world[:, thigh])
        world[:, shin] = rotations.multiply(turns.shin, world[:, shin])
        world[:, foot] = rotations.slerp(world[:, foot], np.broadcast_to(feet[1][k], (len(q), 4)), shares)
        set_turns(planted, body, world, [thigh, shin, foot])
    return planted


def middle_of_ankles(body: Body, q: Floats) -> Floats:
    """(..., 3)"""
    feet = [body.index("foot" + side) for side in SIDES]
    middle: Floats = pose(body, q).origins[..., feet, :].mean(axis=-2)
    return middle


def half_stride(body: Body, q: Floats) -> float:
    """How far the foot in front is ahead of the middle, along x: it stays as the other comes up to it for a roll, and
    goes ahead again after the roll."""
    ahead = pose(body, q).origins[[body.index("foot" + side) for side in SIDES], 0]
    return float(0.5 * (ahead.max() - ahead.min()))


def lowest(body: Body, q: Floats) -> Floats:
    """(...,) height of the lowest point of the flesh [m]."""
    surface = surface_points(body)
    points = pose(body, q).points(surface.links, surface.local)
    low: Floats = (points[..., 2] - surface.radii).min(axis=-1)
    return low
