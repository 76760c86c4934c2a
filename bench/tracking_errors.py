"""How far a recording is from its reference, step by step, however far the simulation came."""

from typing import NamedTuple

import numpy as np

from sim_core import rotations
from sim_core.arrays import Floats
from sim_core.body.body import Body
from sim_core.dynamics.kinematics import pose
from sim_core.reference.reference import Reference
from sim_core.simulation.recording import Recording


class StepErrors(NamedTuple):
    """One row a recorded step."""

    joints: Floats  # (S, J) angles between the joints of both [rad]
    mpjpe_root_m: Floats  # (S,) mean distance of the joints, both pelvises laid on each other
    pelvis_m: Floats  # (S,)


def step_errors(body: Body, reference: Reference, recording: Recording) -> StepErrors:
    wanted, got = pose(body, reference.q[: len(recording.q)]), pose(body, recording.q)
    of_joints = body.parents[1:]
    turns = [np.swapaxes(of.R_world_link[:, of_joints], -1, -2) @ of.R_world_link[:, 1:] for of in (wanted, got)]
    away = got.origins - wanted.origins
    return StepErrors(
        joints=rotations.angle_between(*(rotations.from_matrix(turn) for turn in turns)),
        mpjpe_root_m=np.linalg.norm((away - away[:, :1])[:, 1:], axis=-1).mean(axis=1),
        pelvis_m=np.linalg.norm(away[:, 0], axis=-1),
    )
