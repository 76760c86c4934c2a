"""What a simulation leaves behind: one row a physics step."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ..arrays import Floats

Failure: TypeAlias = Literal["left the path", "tipped over", "does not come to rest"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Recording:
    rate: float
    q: Floats  # (S, nq) fewer rows than the reference where the simulation was stopped
    assist_force: Floats  # (S, 3) [N]
    assist_torque: Floats  # (S, 3) [N m]
    torque_ratio: Floats  # (S,) largest joint torque over its limit
    ground_force: Floats  # (S, 3) on left limbs, right limbs and the trunk, along the ground's normal [N]
    failure: Failure | None
    failed_at_s: float | None

    @property
    def completed(self) -> bool:
        return self.failure is None

    def assist_weights(self, weight: float) -> Floats:
        """(S,) the assist in body weights: force, plus torque on a lever of 1 m."""
        total: Floats = (
            np.linalg.norm(self.assist_force, axis=1) + np.linalg.norm(self.assist_torque, axis=1)
        ) / weight
        return total
