"""What a reference asks of the ground and of the joints, looked at often enough to see every step and landing."""

from typing import NamedTuple

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..body.body import Body
from ..dynamics.kinematics import motion
from ..progress import Progress
from ..rotations import cross
from ..scene import Scene
from .bearing import ground_forces, joint_torques
from .contacts import ContactLabels
from .reference import Reference
from .support import ground_axes, support_of, zero_moment_points

ROWS_HZ = 50.0
BEARS = 0.3  # of body weight along the ground's normal: with less, where the force acts and how flat it is mean little
_NO_MARGIN_M = 0.0  # a point counts as supported up to the very edge of the soles
_UP = np.array([0.0, 0.0, 1.0])


class RowNeeds(NamedTuple):
    """One row each; forces in body weights, torques in body weights times 1 m."""

    steps: Ints  # (R,) which step of the reference a row is
    touching: Bools  # (R,) whether anything bears on the ground
    gap: Floats  # (R,) between the ground and the lowest point of the body [m]
    joint_speeds: Floats  # (R, N) of every link's joint, in the world [m/s]
    upward: Floats  # (R,) force that the motion needs, against gravity
    force_left: Floats  # (R, 3) that no contact explains
    torque_left: Floats  # (R, 3) that no contact explains, about the centre of mass
    friction: Floats  # (R,) that the ground would need; less than that where it bears next to nothing
    outside: Floats  # (R,) how far beyond its support the ground's force would have to act [m]
    still_outside: Floats  # (R,) how far beyond it the centre of mass is, seen along gravity [m]
    sinking: Floats  # (R,) speed of the centre of mass towards the ground [m/s]
    speed: Floats  # (R,) of the centre of mass along the ground [m/s]
    strength: Floats  # (R,) the largest joint torque, over its limit
    joint: Ints  # (R,) the link of that joint

    @property
    def left(self) -> Floats:
        """(R,) all that no contact explains, on the scale of assist and of `physics_error_bw`."""
        sizes: Floats = np.linalg.norm(self.force_left, axis=1) + np.linalg.norm(self.torque_left, axis=1)
        return sizes


def row_needs(body: Body, reference: Reference, scene: Scene, progress: Progress) -> RowNeeds:
    rows = np.arange(0, len(reference), max(1, round(reference.rate / ROWS_HZ)))
    weight, ground = body.mass * scene.gravity, scene.ground
    moving = motion(body, reference.q[rows], reference.v[rows])
    poses = moving.pose
    given = ground_forces(body, reference, scene, rows, poses, progress)
    torques = np.abs(joint_torques(body, reference, scene, rows, given))
    used = torques / np.where(body.torque_limit > 0.0, body.torque_limit, np.inf)
    driven_by = np.repeat(np.arange(len(body)), [_width(body.v_slice[name]) for name in body.names])

    axes = ground_axes(ground)
    force, turning = reference.needed.force[rows] @ axes / weight, reference.needed.torque[rows] @ axes / weight
    com, velocity = (poses.com - ground.point) @ axes, reference.com_velocity[rows] @ axes
    support = support_of(body, poses, ground, ContactLabels(*(part[rows] for part in reference.contacts)), _NO_MARGIN_M)
    bears = support.exists & (force[:, 2] > BEARS)
    along = np.linalg.norm(force[:, :2], axis=1)

    def beyond(points: Floats, where: Bools) -> Floats:
        return np.where(where, np.linalg.norm(points - support.nearest(points), axis=1), 0.0)

    down = -axes.T @ _UP
    plumb = com[:, :2] - com[:, 2:] * down[:2] / down[2]
    acts_at = zero_moment_points(com, cross(_UP, turning)[:, :2], force, BEARS)
    return RowNeeds(
        steps=rows,
        touching=given.may_bear.any(axis=1),
        gap=ground.distance(given.points).min(axis=1),
        joint_speeds=np.linalg.norm(moving.linear_velocities, axis=-1),
        upward=reference.needed.force[rows] @ _UP / weight,
        force_left=given.force_left / weight,
        torque_left=given.torque_left / weight,
        friction=np.where(support.exists & (force[:, 2] > 0.0), along / np.maximum(force[:, 2], BEARS), 0.0),
        outside=beyond(acts_at, bears),
        still_outside=beyond(plumb, support.exists),
        sinking=-velocity[:, 2],
        speed=np.linalg.norm(velocity[:, :2], axis=1),
        strength=used.max(axis=1),
        joint=driven_by[used.argmax(axis=1)],
    )


def _width(part: slice) -> int:
    return int(part.stop - part.start)
