"""Where the links are and how they move, over any leading dimensions: a state (nq,) or a clip (T, nq).

Inside, everything stands in the world's axes at the root's position, where numbers stay small; names say
"rooted" for it.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from ..arrays import Floats, Ints
from ..body.body import Body
from ..rotations import cross
from .pieces import in_pieces
from .spatial import ANGULAR, AXIS_SCREWS, HAT, LINEAR
from .topology import Topology, topology_of


class Pose(NamedTuple):
    R_world_link: Floats  # (..., N, 3, 3)
    origins: Floats  # (..., N, 3) of the links' frames, in the world [m]
    link_coms: Floats  # (..., N, 3) in the world [m]
    com: Floats  # (..., 3) of the whole body [m]

    def points(self, links: Ints, local: Floats) -> Floats:
        """(..., K, 3) in the world, of points given in the frames of their links (K, 3)."""
        turned = self.R_world_link[..., links, :, :] @ local[:, :, None]
        points: Floats = self.origins[..., links, :] + turned[..., 0]
        return points


class Motion(NamedTuple):
    pose: Pose
    angular_velocities: Floats  # (..., N, 3) of the links, in the world [rad/s]
    linear_velocities: Floats  # (..., N, 3) of the links' origins, in the world [m/s]
    linear_momentum: Floats  # (..., 3) [kg m/s]
    angular_momentum: Floats  # (..., 3) about the centre of mass [kg m^2/s]

    def point_velocities(self, links: Ints, points: Floats) -> Floats:
        """(..., K, 3) of points that ride on links, given in the world (..., K, 3) [m/s]."""
        arms = points - self.pose.origins[..., links, :]
        return self.linear_velocities[..., links, :] + cross(self.angular_velocities[..., links, :], arms)


def pose(body: Body, q: Floats) -> Pose:
    """Forward kinematics of q (..., nq)."""
    return Pose(*in_pieces(partial(_pose, topology_of(body)), q))


def motion(body: Body, q: Floats, v: Floats) -> Motion:
    """Forward kinematics with velocities and momentum, of q (..., nq) and v (..., nv)."""
    R_world_link, origins, link_coms, com, *rest = in_pieces(partial(_motion, topology_of(body)), q, v)
    return Motion(Pose(R_world_link, origins, link_coms, com), *rest)


def rooted_transforms(tree: Topology, q: Floats) -> Floats:
    """(..., N, 4, 4) from the links' frames to the world's axes at the root's position."""
    lead = q.shape[:-1]
    links = len(tree.local_map)
    half = 0.5 * q.take(tree.hinge_q, axis=-1)
    sources = np.concatenate([q, np.cos(half), np.sin(half)], axis=-1)
    quaternions = sources.take(tree.quaternion_source, axis=-1) * tree.quaternion_scale
    outer = quaternions[..., :, None] * quaternions[..., None, :]
    transforms = (outer.reshape(*lead, links, 1, 16) @ tree.local_map).reshape(*lead, links, 4, 4)
    transforms /= transforms[..., 3:, 3:]  # |q|^2, which is one but for rounding
    # A product along every path to the root in log2(depth) rounds (Hillis and Steele 1986, pointer jumping).
    for jump in tree.jumps:
        transforms = transforms.take(jump, axis=-3) @ transforms
    without_world: Floats = transforms[..., :-1, :, :]
    return without_world


def rooted_axis_screws(tree: Topology, transforms: Floats) -> Floats:
    """(..., N, 3, 6) the twists of unit turns about the three axes of every link's joint."""
    axes = tree.joint_axes @ transforms[..., :3, :3].swapaxes(-1, -2)
    screws = (transforms[..., 3] @ AXIS_SCREWS).reshape(*axes.shape[:-1], 6)
    turned: Floats = axes @ screws
    return turned


def dof_rows(tree: Topology, axis_rows: Floats, root_linear_rows: Floats) -> Floats:
    """(..., nv, 6) from rows for every joint axis (..., N, 3, 6) and the root's translation (..., 3, 6)."""
    lead = axis_rows.shape[:-3]
    rows = np.empty((*lead, len(tree.dof_links), 6))
    rows[..., :3, :] = root_linear_rows
    rows[..., 3:, :] = axis_rows.reshape(*lead, -1, 6).take(tree.dof_axes, axis=-2)
    return rows


def rooted_inertias(tree: Topology, transforms: Floats) -> Floats:
    """(..., N, 4, 4) pseudo-inertias of the links."""
    return transforms @ tree.pseudo_inertias @ transforms.swapaxes(-1, -2)


ROOT_TRANSLATION = np.eye(6)[LINEAR]  # (3, 6) the twists of the root's first three dofs


def _pose(tree: Topology, q: Floats) -> Pose:
    return _pose_of(tree, rooted_transforms(tree, q), q)


def _pose_of(tree: Topology, transforms: Floats, q: Floats) -> Pose:
    root = q[..., None, :3]
    link_coms = (transforms @ tree.coms[..., None])[..., :3, 0] + root
    return Pose(
        R_world_link=transforms[..., :3, :3],
        origins=transforms[..., :3, 3] + root,
        link_coms=link_coms,
        com=tree.masses @ link_coms / tree.mass,
    )


def _motion(tree: Topology, q: Floats, v: Floats) -> list[Floats]:
    """The fields of the pose, then the other fields of the motion."""
    transforms = rooted_transforms(tree, q)
    screws = dof_rows(tree, rooted_axis_screws(tree, transforms), ROOT_TRANSLATION)
    twists = tree.moved_by_dof @ (screws * v[..., None])
    hats = (twists @ HAT).reshape(transforms.shape)
    momentum = (hats @ rooted_inertias(tree, transforms)).sum(axis=-3).reshape(*q.shape[:-1], 16) @ HAT.T
    where = _pose_of(tree, transforms, q)
    linear_velocities = (hats @ transforms[..., 3:])[..., :3, 0]
    angular_momentum = momentum[..., ANGULAR] - cross(where.com - q[..., :3], momentum[..., LINEAR])
    return [*where, twists[..., ANGULAR], linear_velocities, momentum[..., LINEAR], angular_momentum]
