"""What a simulation leaves behind: one row a physics step."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from ..arrays import Floats, Ints
from ..controllers.controller import SolveCount, assist_size, foot_help_size

Failure: TypeAlias = Literal["left the path", "tipped over", "was still falling at its end", "got stuck", "broke down"]


class GroundContacts(NamedTuple):
    """Every point at which a link bore on the ground or a thing, one row each, in the order of the steps."""

    steps: Ints  # (K,) during which step
    links: Ints  # (K,)
    positions: Floats  # (K, 3) [m]
    forces: Floats  # (K, 3) of the ground on the link [N]
    things: Ints  # (K,) the number of the thing in scene.things, or GROUND


@dataclass(frozen=True, kw_only=True, eq=False)
class Recording:
    rate: float
    q: Floats  # (S, nq) fewer rows than the reference where the simulation was stopped
    v: Floats  # (S, nv)
    things: Floats  # (S, L, 13) the loose things of the scene, as in a State
    assist_force: Floats  # (S, 3) [N]
    assist_torque: Floats  # (S, 3) [N m]
    foot_torque: Floats  # (S, 2, 3) artificial torque on the left and the right foot [N m]
    torque_ratio: Floats  # (S,) largest joint torque over its limit
    rows: Ints  # (S,) of the reference, that were followed: one after another, unless the controller set the pace
    displaced: Floats  # (S, 3) how far beside the reference it was followed, for steps of recovery [m]
    ground_force: Floats  # (S, 3) on left limbs, right limbs and the trunk, along the ground's normal [N]
    ground_contacts: GroundContacts
    failure: Failure | None
    failed_at_s: float | None
    solve_count: SolveCount | None  # None where the controller solves no QP
    cpu_s: float  # that the simulation took

    @property
    def completed(self) -> bool:
        return self.failure is None

    @property
    def cpu_s_per_simulated_s(self) -> float:
        return self.cpu_s * self.rate / len(self.q)

    def assist_weights(self, weight: float) -> Floats:
        """(S,) all help from outside in body weights."""
        return self.pelvis_assist_weights(weight) + foot_help_size(self.foot_torque) / weight

    def pelvis_assist_weights(self, weight: float) -> Floats:
        """(S,) what held the body up, without what steadied its feet."""
        return assist_size(self.assist_force, self.assist_torque) / weight


def last_simulated(recording: Recording, frames: int, fps: float) -> int | None:
    """The last frame, from 0, that the recording reaches; None where it reaches all of them."""
    last = int(np.floor((len(recording.q) - 1) / recording.rate * fps + 1e-9))
    return None if last >= frames - 1 else last
