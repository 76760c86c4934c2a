"""Between our q, v and torques and the lists that Bullet reads and writes.

Bullet describes each link by its principal frame (see principal.py): the base's pose and velocity are those
of its centre of mass, and the rotation, rate and torque of a ball joint are along its link's principal axes.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats, Ints
from ..body.body import Body
from .engine import State
from .principal import principal_frame


class Base(NamedTuple):
    position: Floats  # (3,) of the centre of mass
    xyzw: Floats  # (4,) of the principal axes
    linear: Floats  # (3,) of the centre of mass, in the world
    angular: Floats  # (3,) in the world


class Joints(NamedTuple):
    positions: list[list[float]]  # of links 1, 2, ...: xyzw for a ball, the angle for a hinge
    rates: list[list[float]]


class BulletLayout:
    def __init__(self, body: Body) -> None:
        links = body.links
        self._nq, self._nv, self._joint_count = body.nq, body.nv, len(body) - 1
        self._root_com = links[0].com
        self._root_com_skew = rotations.skew(links[0].com)
        self._root_axes = principal_frame(links[0].inertia).rotation
        # (4, 4) from Bullet's xyzw of the principal axes to the root's wxyz; multiplication is linear.
        xyzw_to_wxyz = np.roll(np.eye(4), 1, axis=0)
        self._root_from_xyzw = rotations.multiply(xyzw_to_wxyz.T, rotations.inverse(self._root_axes)).T
        balls = [k for k, link in enumerate(links) if link.joint.kind == "ball"]
        hinges = [k for k, link in enumerate(links) if link.joint.kind == "hinge"]
        self._ball_rows, self._hinge_rows = [k - 1 for k in balls], [k - 1 for k in hinges]
        self._ball_q = _indices([body.q_slice[links[k].name] for k in balls], 4)
        self._ball_v = _indices([body.v_slice[links[k].name] for k in balls], 3)
        self._hinge_q = _indices([body.q_slice[links[k].name] for k in hinges], 1)
        self._hinge_v = _indices([body.v_slice[links[k].name] for k in hinges], 1)
        frames = [rotations.to_matrix(principal_frame(links[k].inertia).rotation) for k in balls]
        self._R_link_principal = np.array(frames).reshape(-1, 3, 3)

    def to_bullet(self, state: State) -> tuple[Base, Joints]:
        q, v = state.q, state.v
        angular = rotations.rotate(q[3:7], v[3:6])
        lever = rotations.rotate(q[3:7], self._root_com)
        axes = rotations.multiply(q[3:7], self._root_axes)
        base = Base(q[:3] + lever, np.roll(axes, -1), v[:3] + rotations.cross(angular, lever), angular)
        turns = q[self._ball_q]
        xyzw = np.concatenate([self._into_principal(turns[:, 1:]), turns[:, :1]], axis=1)
        positions = self._by_joint(xyzw, q[self._hinge_q])
        rates = self._by_joint(self._into_principal(v[self._ball_v]), v[self._hinge_v])
        return base, Joints(positions, rates)

    def torques_to_bullet(self, torques: Floats) -> list[list[float]]:
        return self._by_joint(self._into_principal(torques[self._ball_v]), torques[self._hinge_v])

    def from_bullet(self, pose: Sequence[Any], velocity: Sequence[Any], joints: Sequence[Any], *, near: State) -> State:
        """`near` chooses the sign of the root's quaternion, which Bullet loses."""
        q, v = np.empty(self._nq), np.empty(self._nv)
        q[3:7] = self._root_from_xyzw @ pose[1]
        if q[3:7] @ near.q[3:7] < 0.0:
            q[3:7] *= -1.0
        R_world_root = rotations.to_matrix(q[3:7])
        v[3:6] = velocity[1] @ R_world_root
        q[:3] = pose[0] - R_world_root @ self._root_com
        v[:3] = velocity[0] + R_world_root @ (self._root_com_skew @ v[3:6])  # less angular velocity x lever
        if self._ball_rows:
            xyzw = np.array([joints[k][0] for k in self._ball_rows])
            rates = np.array([joints[k][1] for k in self._ball_rows])
            in_link = self._R_link_principal @ np.stack([xyzw[:, :3], rates], axis=-1)
            q[self._ball_q[:, 0]] = xyzw[:, 3]
            q[self._ball_q[:, 1:]] = in_link[:, :, 0]
            v[self._ball_v] = in_link[:, :, 1]
        for k, at_q, at_v in zip(self._hinge_rows, self._hinge_q[:, 0], self._hinge_v[:, 0], strict=True):
            q[at_q], v[at_v] = joints[k][0][0], joints[k][1][0]
        return State(q, v)

    def _into_principal(self, vectors: Floats) -> Floats:
        result: Floats = np.einsum("bij,bi->bj", self._R_link_principal, vectors)
        return result

    def _by_joint(self, of_balls: Floats, of_hinges: Floats) -> list[list[float]]:
        rows: list[list[float]] = [[]] * self._joint_count
        for k, row in zip(self._ball_rows, of_balls.tolist(), strict=True):
            rows[k] = row
        for k, row in zip(self._hinge_rows, of_hinges.tolist(), strict=True):
            rows[k] = row
        return rows


def _indices(slices: list[slice], width: int) -> Ints:
    """(len(slices), width)"""
    rows = [list(range(part.start, part.stop)) for part in slices]
    return np.array(rows, dtype=np.int64).reshape(-1, width)
