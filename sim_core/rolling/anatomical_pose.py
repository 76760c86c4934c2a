"""Poses in anatomical words: degrees of pitch, roll and twist for each kind of segment, for any biped body."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..body.joint_limits import joint_angles
from ..rig.segments import HEAD, TRUNK, is_left, kind
from .level_feet import level_feet

# Degrees of pitch, roll and twist, for the right side. "trunk" and "neck" are shared out over the joints that exist;
# a name with a side ("thigh_l") goes before its kind, and is given as if it were on the right as well. Feet count from
# where their soles are level.
Angles: TypeAlias = Mapping[str, tuple[float, float, float]]

MIRRORED = np.array([1.0, -1.0, -1.0])
_SHARED = {"trunk": TRUNK[1:], "neck": HEAD}


def posed(body: Body, angles: Angles) -> Floats:
    """(nq,) the joints at these angles, within their limits; what is not named stays at the anatomical zero."""
    return from_joint_angles(body, wanted_angles(body, angles))


def wanted_angles(body: Body, angles: Angles) -> Floats:
    """(N, 3) of every link's joint [rad], within its limits; zero for the root."""
    wanted = np.zeros((len(body), 3))
    for i, link in enumerate(body.links[1:], 1):
        for name in (kind(link.name), link.name):
            if name in angles and name not in _SHARED:
                wanted[i] = np.radians(angles[name])
        wanted[i] *= MIRRORED if is_left(link.name) else 1.0
    for name, segments in _SHARED.items():
        if name in angles:
            _share(body, wanted, np.radians(angles[name]), segments)
    return within_limits(body, wanted + level_feet(body))


def _share(body: Body, wanted: Floats, total: Floats, segments: tuple[str, ...]) -> None:
    """Writes shares of a turn into the joints of a chain: each as much of its own range as the others."""
    chain = [i for i, link in enumerate(body.links) if link.name in segments and link.joint.kind == "ball"]
    if not chain:
        return
    joints = [body.links[i].joint for i in chain]
    room = np.array([np.where(total < 0.0, -joint.lower, joint.upper) for joint in joints]).clip(min=1e-6)
    wanted[chain] = total * room / room.sum(axis=0)


def within_limits(body: Body, angles: Floats) -> Floats:
    """(..., N, 3) clipped."""
    clipped = np.array(angles)
    for i, link in enumerate(body.links[1:], 1):
        dofs = len(link.joint.lower)
        clipped[..., i, :dofs] = np.clip(angles[..., i, :dofs], link.joint.lower, link.joint.upper)
        clipped[..., i, dofs:] = 0.0
    return clipped


def from_joint_angles(body: Body, angles: Floats) -> Floats:
    """(..., nq) with the root at the origin, from anatomical angles of the joints (..., N, 3) [rad]."""
    q = np.tile(body.zero_q, (*angles.shape[:-2], 1))
    for i, link in enumerate(body.links[1:], 1):
        part = body.q_slice[link.name]
        if link.joint.kind == "ball":
            turn = rotations.exp(angles[..., i, :] @ link.joint.axes)
            q[..., part] = rotations.multiply(link.joint.neutral, turn)
        else:
            q[..., part] = angles[..., i, :1]
    return q


def to_joint_angles(body: Body, q: Floats) -> Floats:
    """(..., N, 3) the anatomical angles of poses (..., nq) [rad]."""
    angles = np.zeros((*q.shape[:-1], len(body), 3))
    for i, link in enumerate(body.links[1:], 1):
        part = q[..., body.q_slice[link.name]]
        if link.joint.kind == "ball":
            angles[..., i, :] = joint_angles(part, link.joint.neutral, link.joint.axes)
        else:
            angles[..., i, :1] = part
    return angles


def nearest_turns(vectors: Floats, near: Floats) -> Floats:
    """Rotation vectors (..., 3), the long way round where that is nearer to others."""
    angle = np.linalg.norm(vectors, axis=-1, keepdims=True)
    other = vectors * (1.0 - 2.0 * np.pi / np.maximum(angle, 1e-9))
    closer = np.linalg.norm(other - near, axis=-1) < np.linalg.norm(vectors - near, axis=-1)
    result: Floats = np.where(closer[..., None], other, vectors)
    return result
