"""Progress of a run: named stages on a course, and the place where a cancel is noticed."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from .errors import Cancelled, Stopped

CANCELLED_WORDS = "Cancelled; nothing was written."
STOPPED_WORDS = "Stopped; the best so far is kept."
Progress: TypeAlias = Callable[[float], None]


class Listener(Protocol):
    def stage(self, name: str, fraction: float, overall: float) -> None:
        """The run is this far (0 to 1) in a stage that a person can read, and this far as a whole."""

    def cancelled(self) -> bool: ...

    def stop_asked(self) -> bool:
        """Whether a search is to end with the best it has."""


class Silent:
    def stage(self, name: str, fraction: float, overall: float) -> None:
        """Nobody is listening."""

    def cancelled(self) -> bool:
        return False

    def stop_asked(self) -> bool:
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

    def unless_stopped(self, progress: Progress) -> Progress:
        """The same, but it raises Stopped once the person asked to keep what there is."""

        def reach(fraction: float) -> None:
            progress(fraction)
            if self._listener.stop_asked():
                raise Stopped(STOPPED_WORDS)

        reach(0.0)
        return reach
