"""What the simulation loop asks of a controller."""

from typing import NamedTuple, Protocol

import numpy as np

from ..arrays import Floats
from ..engines.engine import Contacts, State, Wrench
from .variation import Variation


class Command(NamedTuple):
    torques: Floats  # (nv,) zero for the root [N m]
    assist: Wrench | None  # the help from outside, on the pelvis
    foot_torques: Floats | None = None  # (2, 3) and on the feet, left and right, in the world [N m]
    slippery: tuple[int, ...] = ()  # links that slide on purpose, and meet little friction


class SolveCount(NamedTuple):
    """The QPs of one rollout."""

    solves: int
    failed: int
    seconds: float  # all of them together


class Controller(Protocol):
    @property
    def solve_count(self) -> SolveCount | None:
        """Since the last reset; None for a controller that solves no QP."""

    @property
    def resumable(self) -> bool:
        """Whether it can go on from what it remembered, and follow variations; others run a clip as a whole."""

    def reset(self) -> None:
        """Forget everything that earlier steps left behind."""

    def adjust(self, variation: Variation, assist_limit: float) -> None:
        """From the next step on; the limit is of assist_size [N]. Who is not resumable heeds only the limit."""

    def memory(self) -> object:
        """All that later steps depend on besides the state, for another of its kind to recall; it can be pickled."""

    def recall(self, memory: object) -> None:
        """Go on as whoever remembered this; what is counted is counted anew."""

    def row(self, step: int) -> int:
        """The row of the reference that it follows at a step: that of the step, unless it has a pace of its own."""

    @property
    def displacement(self) -> Floats:
        """(3,) how far beside the reference it follows it now, for the steps with which it recovered [m]."""

    def resume(self, row: int, displaced: Floats) -> None:
        """Who begins anew in the midst of a clip follows it from a row on, displaced so; others need not heed it."""

    def compute(self, step: int, state: State, contacts: Contacts) -> Command:
        """What to do during physics step `step`, that starts at `state`; contacts are those of the step before."""


def assist_size(force: Floats, torque: Floats) -> Floats:
    """(...,) [N]: how much help a wrench (..., 3) on the pelvis is, a torque counted on a lever of 1 m."""
    size: Floats = np.linalg.norm(force, axis=-1) + np.linalg.norm(torque, axis=-1)
    return size


def foot_help_size(foot_torques: Floats) -> Floats:
    """(...,) [N]: how much help torques (..., 2, 3) on the feet are, counted in the same way."""
    size: Floats = np.linalg.norm(foot_torques, axis=-1).sum(axis=-1)
    return size
