"""Tables of a body's tree, computed once: what q and v belong to, who moves whom, and constant matrices."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .. import rotations
from ..arrays import Floats, Ints
from ..body.body import Body, Link
from .spatial import pseudo_inertia


@dataclass(frozen=True, kw_only=True, eq=False)
class Topology:
    """N links and nv dofs; index N stands for the world where a table has N + 1 rows."""

    # Parts of q and v.
    rotation_q: Ints  # (K, 4) the quaternions in q: the root's, then the balls'
    rotation_v: Ints  # (K, 3) their angular velocities in v
    plain_q: Ints  # (3 + H,) the numbers in q that simply add: the root's position, then the hinges' angles
    plain_v: Ints  # (3 + H,) their rates in v

    # Forward kinematics.
    hinge_q: Ints  # (H,) the hinges' angles in q
    quaternion_source: Ints  # (N + 1, 4) of the joints' quaternions in [q, cos(hinges / 2), sin(hinges / 2)]
    quaternion_scale: Floats  # (N + 1, 4) by what it is multiplied: the axis of a hinge, else one
    local_map: Floats  # (N + 1, 16, 16) outer product of a joint's quaternion -> transform to its parent
    jumps: tuple[Ints, ...]  # (N + 1,) each: the ancestor 1, 2, 4, ... steps up

    # Who moves whom.
    dof_links: Ints  # (nv,) the link whose joint holds the dof
    dof_axes: Ints  # (nv - 3,) row among the 3 N joint axes, for every dof but the root's translation
    joint_axes: Floats  # (N, 3, 3) rows are a joint's axes in its link's frame; a hinge's own is the first
    moved_by_link: Floats  # (N, N) 1 where link j is link i or above it
    moved_by_dof: Floats  # (N, nv) 1 where dof j moves link i
    acceleration_mix: Floats  # (2 N, nv) sums of dofs: twice the parent's plus the joint's own, then the own
    symmetric_weight: Floats  # (nv, nv) W with M = W * G + (W * G)^T, where G's (i, j) holds if i is above j

    pseudo_inertias: Floats  # (N, 4, 4) in the links' frames
    coms: Floats  # (N, 4) homogeneous, in the links' frames
    masses: Floats  # (N,)
    mass: float


@lru_cache(maxsize=16)
def topology_of(body: Body) -> Topology:
    """The tables of a body, kept for as long as it is among the last ones asked for."""
    hinges = np.array([i for i, link in enumerate(body.links) if link.joint.kind == "hinge"], dtype=np.int64)
    turning = np.array([i for i, link in enumerate(body.links) if link.joint.kind != "hinge"], dtype=np.int64)
    q_stop = np.array([body.q_slice[name].stop for name in body.names])
    v_stop = np.array([body.v_slice[name].stop for name in body.names])
    hinge_q = q_stop[hinges] - 1
    rotation_q = q_stop[turning, None] + np.arange(-4, 0)
    source = np.empty((len(body) + 1, 4), dtype=np.int64)
    scale = np.ones((len(body) + 1, 4))
    source[turning] = rotation_q
    source[-1] = rotation_q[0]  # any unit quaternion serves the world, which its map ignores
    for order, link in enumerate(hinges):
        source[link] = body.nq + order + len(hinges) * np.array([0, 1, 1, 1])
        scale[link, 1:] = _hinge_axis(body.links[link])

    # Depth-first order lets dofs be listed link by link; the root's first three are its translation.
    dof_links = np.concatenate([np.full(_dofs(body, i), i) for i in range(len(body))])
    axis_of = np.concatenate([np.arange(_dofs(body, i)) - (3 if i == 0 else 0) for i in range(len(body))])
    moved_by_link = _moved_by_link(body)
    moved_by_dof = moved_by_link[:, dof_links]
    turned_by_dof = np.where(axis_of >= 0, np.eye(len(body))[:, dof_links], 0.0)
    twice_parents = 2.0 * (moved_by_dof - np.eye(len(body))[:, dof_links])
    same_joint = np.eye(len(body))[dof_links][:, dof_links]
    return Topology(
        rotation_q=rotation_q,
        rotation_v=v_stop[turning, None] + np.arange(-3, 0),
        plain_q=np.concatenate([np.arange(3), hinge_q]),
        plain_v=np.concatenate([np.arange(3), v_stop[hinges] - 1]),
        hinge_q=hinge_q,
        quaternion_source=source,
        quaternion_scale=scale,
        local_map=np.stack([*(_local_map(link) for link in body.links), np.outer(_SQUARED_NORM, np.eye(4))]),
        jumps=_jumps(body),
        dof_links=dof_links,
        dof_axes=(3 * dof_links + axis_of)[3:],
        joint_axes=np.stack([_joint_axes(link) for link in body.links]),
        moved_by_link=moved_by_link,
        moved_by_dof=moved_by_dof,
        acceleration_mix=np.concatenate([twice_parents + turned_by_dof, turned_by_dof]),
        symmetric_weight=moved_by_dof[dof_links].T * np.where(same_joint > 0, 0.5, 1.0),
        pseudo_inertias=np.stack([pseudo_inertia(link.mass, link.com, link.inertia) for link in body.links]),
        coms=np.stack([[*link.com, 1.0] for link in body.links]),
        masses=body.masses,
        mass=body.mass,
    )


def _dofs(body: Body, link: int) -> int:
    part = body.v_slice[body.names[link]]
    return int(part.stop - part.start)


def _hinge_axis(link: Link) -> Floats:
    axis: Floats = link.joint.axes[0] / np.linalg.norm(link.joint.axes[0])
    return axis


def _joint_axes(link: Link) -> Floats:
    if link.joint.kind != "hinge":
        return np.eye(3)
    x_axis = np.array([1.0, 0.0, 0.0])
    return rotations.to_matrix(rotations.between_vectors(x_axis, _hinge_axis(link))).T


def _moved_by_link(body: Body) -> Floats:
    moved = np.eye(len(body))
    for i, link in enumerate(body.links):
        if link.parent >= 0:
            moved[i] += moved[link.parent]
    return moved


def _jumps(body: Body) -> tuple[Ints, ...]:
    world = len(body)
    jump = np.append(np.where(body.parents < 0, world, body.parents), world)
    jumps = []
    while np.any(jump != world):
        jumps.append(jump)
        jump = jump[jump]
    return tuple(jumps)


def _matrix_map() -> Floats:
    """(16, 9) outer product of a quaternion with itself -> rotation matrix, flat: R is quadratic in q."""
    units = np.eye(4)
    squares = rotations.to_matrix(units)
    both = rotations.to_matrix(rotations.normalise(units[:, None] + units[None, :]))
    table = both - 0.5 * (squares[:, None] + squares[None, :])  # polarisation: what a pair adds to its squares
    table[range(4), range(4)] = squares
    whole: Floats = np.rint(table).reshape(16, 9)  # the coefficients are whole numbers
    return whole


_MATRIX_MAP = _matrix_map()
_SQUARED_NORM = np.eye(4).ravel()  # outer product of q -> |q|^2, which makes constants quadratic in q too


def _transform_map(R_parent_frame: Floats, offset: Floats) -> Floats:
    transform = np.zeros((16, 4, 4))
    transform[:, :3, :3] = R_parent_frame @ _MATRIX_MAP.reshape(16, 3, 3)
    transform[:, :3, 3] = np.outer(_SQUARED_NORM, offset)
    transform[:, 3, 3] = _SQUARED_NORM
    return transform.reshape(16, 16)


def _local_map(link: Link) -> Floats:
    if link.parent < 0:  # everything is computed relative to the root's position, which is the origin
        return _transform_map(np.eye(3), np.zeros(3))
    return _transform_map(rotations.to_matrix(link.frame), link.offset)
