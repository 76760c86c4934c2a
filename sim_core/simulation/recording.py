"""What a simulation leaves behind: one row a physics step."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..arrays import Floats
from ..controllers.controller import assist_size

Failure: TypeAlias = Literal["left the path", "tipped over", "was still falling at its end", "broke down"]


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
        """(S,) the assist in body weights."""
        return assist_size(self.assist_force, self.assist_torque) / weight
