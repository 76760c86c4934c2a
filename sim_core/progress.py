"""Progress of a run: named stages on a course, and the place where a cancel is noticed."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from .errors import Cancelled

CANCELLED_WORDS = "Cancelled; nothing was written."
Progress: TypeAlias = Callable[[float], None]


class Listener(Protocol):
    def stage(self, name: str, fraction: float, overall: float) -> None:
        """The run is this far (0 to 1) in a stage that a person can read, and this far as a whole."""

    def cancelled(self) -> bool: ...


class Silent:
    def stage(self, name: str, fraction: float, overall: float) -> None:
        """Nobody is listening."""

    def cancelled(self) -> bool:
        return False


class Course:
    """Stages one after another, each with the work it takes, in any unit, and the most work that may follow it.

    How far the whole is, is work done over work done and work to come: it never goes back, never promises too much,
    and leaps ahead when less is needed than there might have been.
    """

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._done = 0.0  # work of the stages before this one
        self._current = 0.0  # work of this stage so far
        self._overall = 0.0

    def stage(self, name: str, work: float, *, then: float) -> Progress:
        """Begins a stage; what comes back reports on it, and raises Cancelled once the person asked to stop."""
        self._done += self._current
        self._current = 0.0
        most = self._done + work + then

        def reach(fraction: float) -> None:
            if self._listener.cancelled():
                raise Cancelled(CANCELLED_WORDS)
            fraction = min(max(fraction, 0.0), 1.0)
            self._current = work * fraction
            self._overall = max(self._overall, (self._done + self._current) / most)
            self._listener.stage(name, fraction, self._overall)

        reach(0.0)
        return reach
