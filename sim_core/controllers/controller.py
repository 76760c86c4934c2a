"""What the simulation loop asks of a controller."""

from typing import NamedTuple, Protocol

from ..arrays import Floats
from ..engines.engine import Contacts, State, Wrench


class Command(NamedTuple):
    torques: Floats  # (nv,) zero for the root [N m]
    assist: Wrench | None  # the help from outside, on the pelvis


class Controller(Protocol):
    def reset(self) -> None:
        """Forget everything that earlier steps left behind."""

    def compute(self, step: int, state: State, contacts: Contacts) -> Command:
        """What to do during physics step `step`, that starts at `state`; contacts are those of the step before."""
