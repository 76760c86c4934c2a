"""The forces behind a reference: contact forces that explain it best, the torques that follow, and what is left."""

from typing import NamedTuple

import numpy as np

from ..arrays import Floats, Ints
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..progress import Progress
from ..scene import Scene
from .bearing import ground_forces, joint_torques
from .reference import Reference

_EVERY_S = 0.01  # forces change slowly beside a physics step


class ReferenceForces(NamedTuple):
    torques: Floats  # (S, nv) zero for the root [N m]
    force_left: Floats  # (S, 3) that no contact explains [N]
    torque_left: Floats  # (S, 3) about the centre of mass [N m]


def reference_forces(body: Body, reference: Reference, scene: Scene, progress: Progress) -> ReferenceForces:
    every = max(1, round(_EVERY_S * reference.rate))
    rows = np.unique(np.append(np.arange(0, len(reference), every), len(reference) - 1))
    ground = ground_forces(body, reference, scene, rows, pose(body, reference.q[rows]), progress)
    torques = joint_torques(body, reference, scene, rows, ground)
    torques = np.clip(torques, -body.torque_limit, body.torque_limit)
    return ReferenceForces(*(_at_every_step(part, rows) for part in (torques, ground.force_left, ground.torque_left)))


def _at_every_step(values: Floats, rows: Ints) -> Floats:
    steps = np.arange(rows[-1] + 1)
    after = np.clip(np.searchsorted(rows, steps), 1, len(rows) - 1)
    share = (steps - rows[after - 1]) / (rows[after] - rows[after - 1])
    result: Floats = values[after - 1] + share[:, None] * (values[after] - values[after - 1])
    return result
