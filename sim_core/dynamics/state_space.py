"""Arithmetic on states: q lives on a curved space, its differences in the flat space of v."""

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from .topology import topology_of


def difference(body: Body, q_to: Floats, q_from: Floats) -> Floats:
    """(..., nv) the step with integrate(body, q_from, step) == q_to, every rotation the short way round."""
    tree = topology_of(body)
    q_to, q_from = np.broadcast_arrays(q_to, q_from)
    step = np.empty((*q_to.shape[:-1], body.nv))
    step[..., tree.plain_v] = q_to[..., tree.plain_q] - q_from[..., tree.plain_q]
    back = rotations.inverse(q_from[..., tree.rotation_q])
    step[..., tree.rotation_v] = rotations.log(rotations.multiply(back, q_to[..., tree.rotation_q]))
    return step


def integrate(body: Body, q: Floats, step: Floats) -> Floats:
    """(..., nq) the state after moving with constant velocity `step` (..., nv) for one unit of time."""
    tree = topology_of(body)
    lead = np.broadcast_shapes(q.shape[:-1], step.shape[:-1])
    result = np.empty((*lead, body.nq))
    result[..., tree.plain_q] = q[..., tree.plain_q] + step[..., tree.plain_v]
    turned = rotations.multiply(q[..., tree.rotation_q], rotations.exp(step[..., tree.rotation_v]))
    result[..., tree.rotation_q] = rotations.normalise(turned)
    return result


def central_velocities(body: Body, q: Floats, rate: float) -> Floats:
    """(T, nv) central differences of q (T, nq); the ends are one-sided."""
    v = np.empty((len(q), body.nv))
    v[1:-1] = difference(body, q[2:], q[:-2]) * (0.5 * rate)
    v[0] = difference(body, q[1], q[0]) * rate
    v[-1] = difference(body, q[-1], q[-2]) * rate
    return v
