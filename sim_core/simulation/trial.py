"""One try at a part of a clip: what is asked, and what became of it. Both travel between processes."""

from typing import NamedTuple

from ..controllers.variation import Variation
from .health import Health
from .stretch import Moment, Stretch


class Window(NamedTuple):
    """How the simulation goes until a step."""

    until: int
    variation: Variation
    assist_limit: float  # of assist_size [N]


class Trial(NamedTuple):
    """From a moment on through windows, until one fails, or to the end of all."""

    start: Moment
    windows: tuple[Window, ...]
    stop_at_failure: bool = True


class Leg(NamedTuple):
    """A window as it went."""

    window: Window
    stretch: Stretch
    health: Health  # at its end


class Attempt(NamedTuple):
    """The legs of a trial; the last one may have failed."""

    legs: tuple[Leg, ...]

    @property
    def failed(self) -> bool:
        return any(leg.stretch.failure is not None for leg in self.legs)

    @property
    def steps(self) -> int:
        return sum(len(leg.stretch) for leg in self.legs)
