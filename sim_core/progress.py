"""Progress of a bake: named stages, each a share of the whole, and the place where a cancel is noticed."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from .errors import Cancelled

Progress: TypeAlias = Callable[[float], None]


class Listener(Protocol):
    def stage(self, name: str, fraction: float) -> None:
        """The bake is this far (0 to 1) in a stage that a person can read."""

    def cancelled(self) -> bool: ...


class Silent:
    def stage(self, name: str, fraction: float) -> None:
        """Nobody is listening."""

    def cancelled(self) -> bool:
        return False


def watch(listener: Listener, name: str) -> Progress:
    """A progress function for one stage, that raises Cancelled as soon as the person asked to stop."""

    def tick(fraction: float) -> None:
        if listener.cancelled():
            raise Cancelled("The bake was cancelled; nothing was written.")
        listener.stage(name, min(max(fraction, 0.0), 1.0))

    return tick
