"""What the simulation loop asks of a controller."""

from typing import NamedTuple, Protocol

import numpy as np

from ..arrays import Floats
from ..engines.engine import Contacts, State, Wrench


class Command(NamedTuple):
    torques: Floats  # (nv,) zero for the root [N m]
    assist: Wrench | None  # the help from outside, on the pelvis


class SolveCount(NamedTuple):
    """The QPs of one rollout."""

    solves: int
    failed: int
    seconds: float  # all of them together


class Controller(Protocol):
    @property
    def solve_count(self) -> SolveCount | None:
        """Since the last reset; None for a controller that solves no QP."""

    def reset(self) -> None:
        """Forget everything that earlier steps left behind."""

    def compute(self, step: int, state: State, contacts: Contacts) -> Command:
        """What to do during physics step `step`, that starts at `state`; contacts are those of the step before."""


def assist_size(force: Floats, torque: Floats) -> Floats:
    """(...,) [N]: how much help a wrench (..., 3) on the pelvis is, a torque counted on a lever of 1 m."""
    size: Floats = np.linalg.norm(force, axis=-1) + np.linalg.norm(torque, axis=-1)
    return size
