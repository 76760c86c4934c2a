"""The equations of motion M qdd + h = tau + J^T f of a body, and its momentum about the centre of mass.

The composite-rigid-body and Newton-Euler methods (Featherstone 2008, ch. 5 and 6), batched over links: sums
along the tree are products with ancestor masks, and everything stands in the world's axes at the root's
position.
"""

from dataclasses import dataclass

import numpy as np

from .. import rotations
from ..arrays import Floats, Ints
from ..body.body import Body
from ..constants import GRAVITY
from .dynamics_state import DynamicsState
from .kinematics import ROOT_TRANSLATION, dof_rows, rooted_axis_screws, rooted_inertias, rooted_transforms
from .pieces import in_pieces
from .spatial import HAT, INERTIA, LINEAR, WRENCH_SHIFT
from .topology import Topology, topology_of


@dataclass(frozen=True, eq=False)
class Dynamics:
    """The dynamics of one body under gravity [m/s^2], which points along -Z."""

    body: Body
    gravity: float = GRAVITY

    def evaluate(self, q: Floats, v: Floats) -> DynamicsState:
        """Everything about one state (nq,), (nv,)."""
        tree = topology_of(self.body)
        links = len(tree.masses)
        transforms = rooted_transforms(tree, q)
        axis_screws = rooted_axis_screws(tree, transforms)
        screws = dof_rows(tree, axis_screws, ROOT_TRANSLATION)
        inertias = rooted_inertias(tree, transforms)

        composite = tree.moved_by_link.T @ inertias.reshape(links, 16)
        composite_spatial = (composite @ INERTIA).reshape(links, 6, 6)
        # (nv, 6) the momentum that a unit velocity gives to everything it moves
        momenta = dof_rows(tree, axis_screws @ composite_spatial, composite_spatial[0, LINEAR])
        half = (screws @ momenta.T) * tree.symmetric_weight

        accelerations = _rooted_accelerations(tree, screws, v)
        wrenches = self._subtree_wrenches(tree, accelerations, inertias)

        com = composite[0, 12:] / tree.mass  # last row of a pseudo-inertia: mass times [com, 1]
        to_com = (com @ WRENCH_SHIFT).reshape(6, 6)
        momentum_rows = momenta @ to_com
        drift = wrenches[0] @ to_com
        drift[_VERTICAL] -= tree.mass * self.gravity  # gravity has no torque about the centre of mass
        return DynamicsState(
            M=half + half.T,
            bias=_powers(screws, wrenches, tree),
            com=q[:3] + com[:3],
            momentum_matrix=momentum_rows.T,
            momentum_drift=drift,
            momentum=v @ momentum_rows,
            mass=tree.mass,
            v=v.copy(),  # a copy, for the caller may go on to change its state in place
            root=q[:3].copy(),
            transforms=transforms,
            screws=screws,
            accelerations=accelerations,
            topology=tree,
        )

    def inverse_dynamics(self, q: Floats, v: Floats, a: Floats) -> Floats:
        """(..., nv) the generalised force M a + h, over any leading dimensions, without forming M."""
        (force,) = in_pieces(self._inverse_dynamics, q, v, a)
        return force

    def _inverse_dynamics(self, q: Floats, v: Floats, a: Floats) -> list[Floats]:
        tree = topology_of(self.body)
        transforms = rooted_transforms(tree, q)
        screws = dof_rows(tree, rooted_axis_screws(tree, transforms), ROOT_TRANSLATION)
        driven = tree.moved_by_dof @ (screws * a[..., None]) @ HAT
        accelerations = _rooted_accelerations(tree, screws, v) + driven.reshape(transforms.shape)
        wrenches = self._subtree_wrenches(tree, accelerations, rooted_inertias(tree, transforms))
        return [_powers(screws, wrenches, tree)]

    def generalised_forces(self, q: Floats, links: Ints, points: Floats, forces: Floats) -> Floats:
        """(T, nv) J^T f of forces (T, K, 3) at points (T, K, 3), both in the world, that act on links (K,)."""
        tree = topology_of(self.body)
        on_link = np.zeros((len(tree.masses), len(links)))
        on_link[links, np.arange(len(links))] = 1.0
        above = tree.moved_by_link.T @ on_link  # a force acts on every joint between its link and the root

        def of_rows(q: Floats, points: Floats, forces: Floats) -> list[Floats]:
            transforms = rooted_transforms(tree, q)
            screws = dof_rows(tree, rooted_axis_screws(tree, transforms), ROOT_TRANSLATION)
            wrenches = np.concatenate([forces, rotations.cross(points - q[:, None, :3], forces)], axis=-1)
            return [_powers(screws, above @ wrenches, tree)]

        (force,) = in_pieces(of_rows, q, points, forces)
        return force

    def _subtree_wrenches(self, tree: Topology, accelerations: Floats, inertias: Floats) -> Floats:
        """(..., N, 6) what every link and all below it need to move so against gravity."""
        weighted = accelerations + self.gravity * _UPWARDS
        link_wrenches = (weighted @ inertias).reshape(*inertias.shape[:-2], 16) @ HAT.T
        wrenches: Floats = tree.moved_by_link.T @ link_wrenches
        return wrenches


_VERTICAL = 2  # the row of the force along Z
_UPWARDS = np.zeros((4, 4))  # hat of a unit linear acceleration along +Z
_UPWARDS[_VERTICAL, 3] = 1.0


def _powers(screws: Floats, subtree_wrenches: Floats, tree: Topology) -> Floats:
    """(..., nv) generalised forces of what hangs below every dof."""
    powers: Floats = np.einsum("...ij,...ij->...i", screws, subtree_wrenches.take(tree.dof_links, axis=-2))
    return powers


def _rooted_accelerations(tree: Topology, screws: Floats, v: Floats) -> Floats:
    """(..., N, 4, 4) matrices that take a point [x, 1] to its acceleration at qdd = 0.

    With T a link's transform the matrix is Tdd T^-1. From T = T_parent T_joint follows
    Tdd T^-1 = Tdd_parent T_parent^-1 + (2 hat(parent's twist) + hat(joint's twist)) hat(joint's twist).
    """
    lead, links = screws.shape[:-2], len(tree.masses)
    hats = (tree.acceleration_mix @ (screws * v[..., None]) @ HAT).reshape(*lead, 2 * links, 4, 4)
    joined = hats[..., :links, :, :] @ hats[..., links:, :, :]
    accelerations: Floats = tree.moved_by_link @ joined.reshape(*lead, links, 16)
    return accelerations.reshape(*lead, links, 4, 4)
