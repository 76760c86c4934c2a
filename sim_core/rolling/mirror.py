"""A motion seen in a mirror: left limbs do what right ones did, on the other side."""

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose

_SIDE = np.diag([-1.0, 1.0, 1.0])  # right becomes left, in anatomical axes
_OTHER = {"_l": "_r", "_r": "_l"}


def mirrored(body: Body, q: Floats, normal: Floats, through: Floats) -> Floats:
    """The motion q (T, nq) reflected in the plane with a level normal (3,) through a point (3,).

    A link without a counterpart on the other side keeps its turn on its parent.
    """
    reflect = np.eye(3) - 2.0 * np.outer(normal, normal)
    turns = pose(body, q).R_world_link
    axes = [_axes(body, link) for link in range(len(body))]
    world = np.empty_like(turns)
    result = q.copy()
    for link, name in enumerate(body.names):
        other = body.names.index(_counterpart(name)) if _counterpart(name) in body.names else None
        above = body.links[link].parent
        if other is None:
            world[:, link] = world[:, above] @ turns[:, above].swapaxes(-1, -2) @ turns[:, link]
        else:
            world[:, link] = reflect @ turns[:, other] @ axes[other].T @ _SIDE @ axes[link]
        part = body.q_slice[name]
        if above < 0:
            result[:, part.start : part.start + 3] = q[:, :3] - 2.0 * ((q[:, :3] - through) @ normal)[:, None] * normal
            result[:, part.start + 3 : part.stop] = rotations.from_matrix(world[:, link])
        else:
            result[:, part] = rotations.from_matrix(world[:, above].swapaxes(-1, -2) @ world[:, link])
    for one in body.links:
        part = body.q_slice[one.name]
        part = slice(part.start + 3, part.stop) if one.parent < 0 else part
        result[:, part] = rotations.continuous(result[:, part])
    return result


def _counterpart(name: str) -> str:
    return name[:-2] + _OTHER[name[-2:]] if name[-2:] in _OTHER else name


def _axes(body: Body, link: int) -> Floats:
    """(3, 3) rows: the body's right, forward and up in a link's frame, as it stands; the pelvis' by its thigh."""
    if body.links[link].parent >= 0:
        return body.links[link].joint.axes
    thigh = body.links[body.index("thigh_r")].joint
    turned: Floats = rotations.rotate(np.broadcast_to(thigh.neutral, (3, 4)), thigh.axes)
    return turned
