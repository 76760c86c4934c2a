"""Where a rig's feet stand flat: rest poses rarely have exact feet, so angles of feet count from a level sole."""

from functools import lru_cache

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..rig.segments import SIDES

_UP = np.array([0.0, 0.0, 1.0])


@lru_cache(maxsize=16)
def level_feet(body: Body) -> Floats:
    """(N, 3) anatomical angles of feet and toes [rad] with which soles are level at the anatomical zero of the legs."""
    angles = np.zeros((len(body), 3))
    for side in SIDES:
        foot, toes = body.index("foot" + side), "toes" + side
        axes = root_axes(body)
        now = pose(body, _neutral(body))
        own = body.soles.links == foot
        sole = (now.points(body.soles.links[own], body.soles.local[own]) - now.origins[foot]) @ axes.T
        if len(sole) < 3 or body.links[foot].joint.kind != "ball":
            continue
        level = rotations.between_vectors(_normal(sole), _UP)
        angles[foot] = rotations.log(level)
        if toes not in body.names or body.links[body.index(toes)].joint.kind != "ball":
            continue
        tips = body.soles.links == body.index(toes)
        joint = rotations.rotate(level, (now.origins[body.index(toes)] - now.origins[foot]) @ axes.T)
        ahead = now.points(body.soles.links[tips], body.soles.local[tips]) - now.origins[body.index(toes)]
        tip = rotations.rotate(level, ahead @ axes.T).mean(axis=0)
        long = float(np.hypot(tip[1], tip[2]))
        ground = rotations.rotate(level, sole)[:, 2].mean() - joint[2]
        angles[body.index(toes), 0] = np.arcsin(np.clip(ground / long, -1.0, 1.0)) - np.arctan2(tip[2], tip[1])
    return angles


def _normal(points: Floats) -> Floats:
    """(3,) of the plane through points (K, 3), upwards."""
    normal: Floats = np.linalg.svd(points - points.mean(axis=0))[2][2]
    return normal if normal[2] > 0.0 else -normal


def _neutral(body: Body) -> Floats:
    q = body.zero_q.copy()
    for link in body.links[1:]:
        if link.joint.kind == "ball":
            q[body.q_slice[link.name]] = link.joint.neutral
    return q


def root_axes(body: Body) -> Floats:
    """(3, 3) rows: the body's right, forward and up in the root's frame."""
    link = next(link for link in body.links if link.parent == 0 and link.joint.kind == "ball")
    return rotations.rotate(rotations.multiply(link.frame, link.joint.neutral), link.joint.axes)
