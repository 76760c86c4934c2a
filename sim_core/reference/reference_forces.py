"""The forces behind a reference: contact forces that explain it best, the torques that follow, and what is left."""

from typing import NamedTuple

import numpy as np

from ..arrays import Floats, Ints
from ..body.body import Body
from ..dynamics.contact_fit import fit_contacts
from ..dynamics.dynamics import Dynamics
from ..dynamics.kinematics import pose
from ..posing.surface import surface_points, touch
from ..progress import Progress
from ..scene import Scene
from .reference import Reference

_EVERY_S = 0.01  # forces change slowly beside a physics step
_SPREAD = 0.05
_REACH_M = 0.02  # points of labelled links that are this much above the lowest still bear load


class ReferenceForces(NamedTuple):
    torques: Floats  # (S, nv) zero for the root [N m]
    force_left: Floats  # (S, 3) that no contact explains [N]
    torque_left: Floats  # (S, 3) about the centre of mass [N m]


def reference_forces(body: Body, reference: Reference, scene: Scene, progress: Progress) -> ReferenceForces:
    every = max(1, round(_EVERY_S * reference.rate))
    rows = np.unique(np.append(np.arange(0, len(reference), every), len(reference) - 1))
    dynamics = Dynamics(body, scene.gravity)
    surface = surface_points(body)
    contact = touch(body, pose(body, reference.q[rows]), scene.ground)
    labelled = reference.contacts.links[rows][:, surface.links]
    lowest = np.where(labelled, contact.distances, np.inf).min(axis=1, keepdims=True)
    may_bear = labelled & (contact.distances < np.maximum(lowest, 0.0) + _REACH_M)
    torques = np.zeros((len(rows), body.nv))
    left = np.zeros((len(rows), 6))
    for k, row in enumerate(rows):
        progress(k / len(rows))
        fit = fit_contacts(
            reference.needed.force[row],
            reference.needed.torque[row],
            reference.com[row],
            contact.points[k],
            may_bear[k],
            body.mass * scene.gravity,
            scene,
            spread=_SPREAD,
        )
        state = dynamics.evaluate(reference.q[row], reference.v[row])
        whole = state.M @ reference.a[row] + state.bias
        torques[k] = whole - state.generalised_force(surface.links, contact.points[k], fit.forces)
        left[k] = [*fit.force_left, *fit.torque_left]
    torques[:, body.v_slice[body.names[0]]] = 0.0
    torques = np.clip(torques, -body.torque_limit, body.torque_limit)
    return ReferenceForces(_at_every_step(torques, rows), *np.split(_at_every_step(left, rows), 2, axis=1))


def _at_every_step(values: Floats, rows: Ints) -> Floats:
    steps = np.arange(rows[-1] + 1)
    after = np.clip(np.searchsorted(rows, steps), 1, len(rows) - 1)
    share = (steps - rows[after - 1]) / (rows[after] - rows[after - 1])
    result: Floats = values[after - 1] + share[:, None] * (values[after] - values[after - 1])
    return result
