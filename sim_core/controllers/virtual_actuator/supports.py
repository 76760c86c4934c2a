"""What the body stands on, and how a wrench on all of it is shared out among that.

The paper's Jacobian has its root in the stance foot, or both (appendix B): torques of the joints alone then move the
whole body. The same torques follow from the floating body, when the wrench comes back out through its supports: what is
left of J_com^T [torque, force] after that has no part at the root. With one foot the two are equal; with more, each
bears its share.
"""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats, Ints
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.spatial import ANGULAR, LINEAR
from ...rotations import cross, skew

_LEAST = 1e-6
_PULLS = 0.0  # of body weight: a support that is to bear less than this is to be left


class Supports(NamedTuple):
    """One row each. Feet come first: left, right."""

    links: Ints  # (K,)
    points: Floats  # (K, 3) where each bears [m]
    trust: Floats  # (K,) from 0, as it comes to bear, to 1
    shares: Floats  # (K,) the same, and less for one that is about to leave: how much it is to bear beside the others
    levers: Floats  # (K,) [m] how much of a moment it can bear beside a force; 0 for one that is a point

    @property
    def exist(self) -> bool:
        return bool(np.any(self.shares > _LEAST))


class Borne(NamedTuple):
    """What each support gives to the body, at its point."""

    forces: Floats  # (K, 3) [N]
    moments: Floats  # (K, 3) [N m]


def whole_body_torque(dynamics: DynamicsState, force: Floats, torque: Floats) -> Floats:
    """(nv,) J_com^T [torque, force], with the Jacobian of eq. B.5 on the floating body."""
    A = dynamics.momentum_matrix
    inertia = (
        A[ANGULAR, 3:6] @ dynamics.R_world_link[0].T
    )  # eq. B.6: what the body, stiff as it is, has about its centre
    whole: Floats = A[LINEAR].T @ (force / dynamics.mass) + A[ANGULAR].T @ np.linalg.solve(inertia, torque)
    return whole


def shared_out(supports: Supports, com: Floats, force: Floats, torque: Floats, normal: Floats) -> Borne:
    """The least forces and moments that add up to a wrench about the centre of mass; none that would have to pull."""
    borne = _least(supports, com, force, torque)
    pulls = (borne.forces @ normal < _PULLS) & (supports.shares > _LEAST)
    if pulls.any() and not pulls.all():
        borne = _least(supports._replace(shares=np.where(pulls, _LEAST, supports.shares)), com, force, torque)
    return borne


def _least(supports: Supports, com: Floats, force: Floats, torque: Floats) -> Borne:
    count = len(supports.links)
    shares = np.maximum(supports.shares, _LEAST)
    weights = np.concatenate([np.repeat(shares, 3), np.repeat(shares * supports.levers**2, 3)])
    B = np.zeros((6, 6 * count))
    B[:3, : 3 * count] = np.tile(np.eye(3), count)
    B[3:, : 3 * count] = skew(supports.points - com).transpose(1, 0, 2).reshape(3, -1)
    B[3:, 3 * count :] = np.tile(np.eye(3), count)
    weighted = B * weights
    parts = weighted.T @ np.linalg.solve(weighted @ B.T + 1e-9 * np.eye(6), np.concatenate([force, torque]))
    return Borne(parts[: 3 * count].reshape(-1, 3), parts[3 * count :].reshape(-1, 3))


def generalised(dynamics: DynamicsState, supports: Supports, borne: Borne) -> Floats:
    """(nv,) what the supports do to the body."""
    arms = supports.points - dynamics.root
    wrenches = np.concatenate([borne.forces, borne.moments + cross(arms, borne.forces)], axis=1)
    powers = wrenches @ dynamics.screws.T
    force: Floats = np.sum(powers * dynamics.topology.moved_by_dof[supports.links], axis=0)
    return force
