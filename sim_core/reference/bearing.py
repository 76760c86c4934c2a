"""What the ground gives at some rows of a reference: forces where the body bears on it, and what joints then hold."""

from typing import NamedTuple

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..body.body import Body
from ..dynamics.contact_fit import fit_contacts
from ..dynamics.dynamics import Dynamics
from ..dynamics.kinematics import Pose
from ..posing.surface import surface_points, touch
from ..progress import Progress
from ..scene import Scene
from .reference import Reference

_SPREAD = 0.05
_REACH_M = 0.02  # points of labelled links that are this much above the lowest still bear load


class GroundForces(NamedTuple):
    """Contact forces that come nearest to what the motion needs, one row each."""

    points: Floats  # (R, P, 3) the surface points of the body [m]
    may_bear: Bools  # (R, P) which of them the ground may push
    forces: Floats  # (R, P, 3) of the ground on them [N]
    force_left: Floats  # (R, 3) that no contact explains [N]
    torque_left: Floats  # (R, 3) about the centre of mass [N m]


def ground_forces(
    body: Body, reference: Reference, scene: Scene, rows: Ints, pose: Pose, progress: Progress
) -> GroundForces:
    """At these rows of the reference, whose poses are given."""
    contact = touch(body, pose, scene.ground)
    labelled = reference.contacts.links[rows][:, surface_points(body).links]
    lowest = np.where(labelled, contact.distances, np.inf).min(axis=1, keepdims=True)
    may_bear = labelled & (contact.distances < np.maximum(lowest, 0.0) + _REACH_M)
    forces = np.zeros_like(contact.points)
    left = np.zeros((len(rows), 2, 3))
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
        forces[k] = fit.forces
        left[k] = fit.force_left, fit.torque_left
    return GroundForces(contact.points, may_bear, forces, left[:, 0], left[:, 1])


def joint_torques(body: Body, reference: Reference, scene: Scene, rows: Ints, ground: GroundForces) -> Floats:
    """(R, nv) that the motion needs beside the ground's forces; zero for the root [N m]."""
    dynamics = Dynamics(body, scene.gravity)
    q = reference.q[rows]
    torques = dynamics.inverse_dynamics(q, reference.v[rows], reference.a[rows])
    torques -= dynamics.generalised_forces(q, surface_points(body).links, ground.points, ground.forces)
    torques[:, body.v_slice[body.names[0]]] = 0.0
    return torques
