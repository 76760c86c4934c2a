"""What the dynamics know about one state of a body, and the Jacobians of its points and links."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats, Ints
from .spatial import ANGULAR, HAT, LINEAR, POINT_VELOCITY, homogeneous
from .topology import Topology


class TaskJacobian(NamedTuple):
    """The motion of K points or links: velocity = J v, acceleration = J qdd + drift."""

    J: Floats  # (K, 3, nv)
    velocity: Floats  # (K, 3)
    drift: Floats  # (K, 3)


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class DynamicsState:
    """M qdd + bias = tau + J^T f. Momentum is [linear, angular about the centre of mass] = momentum_matrix v.

    Momentum changes by momentum_matrix qdd + momentum_drift. Rows are spatial.LINEAR, then spatial.ANGULAR.
    """

    M: Floats  # (nv, nv)
    bias: Floats  # (nv,) Coriolis, centrifugal and gravity forces
    com: Floats  # (3,) in the world [m]
    momentum_matrix: Floats  # (6, nv) the centroidal momentum matrix A_G (Orin, Goswami, Lee 2013)
    momentum_drift: Floats  # (6,) d/dt(A_G) v
    momentum: Floats  # (6,)
    mass: float
    v: Floats  # (nv,)

    # In the world's axes at the root's position.
    root: Floats  # (3,) that position in the world
    transforms: Floats  # (N, 4, 4) of the links
    screws: Floats  # (nv, 6) twists of unit velocities
    accelerations: Floats  # (N, 4, 4) take a point [x, 1] of a link to its acceleration at qdd = 0
    topology: Topology

    @property
    def R_world_link(self) -> Floats:  # noqa: N802 - the name of this rotation everywhere
        """(N, 3, 3)"""
        return self.transforms[:, :3, :3]

    @property
    def origins(self) -> Floats:
        """(N, 3) of the links' frames, in the world [m]."""
        return self.transforms[:, :3, 3] + self.root

    @property
    def com_velocity(self) -> Floats:
        return self.momentum[LINEAR] / self.mass

    @property
    def com_jacobian(self) -> TaskJacobian:
        """Of one point, the centre of mass."""
        J = self.momentum_matrix[LINEAR] / self.mass
        return TaskJacobian(J[None], self.com_velocity[None], self.momentum_drift[None, LINEAR] / self.mass)

    def points(self, links: Ints, local: Floats) -> Floats:
        """(K, 3) in the world, of points given in the frames of their links."""
        return (self.transforms[links] @ homogeneous(local)[:, :, None])[:, :3, 0] + self.root

    def point_jacobian(self, links: Ints, points: Floats) -> TaskJacobian:
        """Of points (K, 3) in the world that ride on links (K,)."""
        here = homogeneous(points - self.root)
        rows = (here @ POINT_VELOCITY).reshape(-1, 6)
        J = (rows @ self.screws.T).reshape(len(points), 3, -1) * self.topology.moved_by_dof[links, None, :]
        drift = (self.accelerations[links] @ here[:, :, None])[:, :3, 0]
        return TaskJacobian(J, J @ self.v, drift)

    def rotation_jacobian(self, links: Ints) -> TaskJacobian:
        """Of the angular velocities of links (K,), in the world."""
        J = self.screws[:, ANGULAR].T * self.topology.moved_by_dof[links, None, :]
        # The antisymmetric half of Tdd T^-1 is the angular acceleration, the symmetric half centripetal.
        drift = 0.5 * self.accelerations[links].reshape(-1, 16) @ HAT[ANGULAR].T
        return TaskJacobian(J, J @ self.v, drift)

    def generalised_force(self, links: Ints, points: Floats, forces: Floats) -> Floats:
        """(nv,) J^T f of forces (K, 3) at points (K, 3), both in the world, that act on links (K,)."""
        arms = points - self.root
        wrenches = np.concatenate([forces, rotations.cross(arms, forces)], axis=-1)
        powers = wrenches @ self.screws.T
        force: Floats = np.sum(powers * self.topology.moved_by_dof[links], axis=0)
        return force
