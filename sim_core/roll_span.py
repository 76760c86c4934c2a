"""A part of a motion that rolls."""

from typing import NamedTuple

from .arrays import Floats


class RollSpan(NamedTuple):
    """Rows of a motion, the last included, in which it is followed by how far it has turned, not by time."""

    first: int
    last: int
    rolls: float  # that it turns by
    axis: Floats  # (3,) level; turns about it are positive
    ahead: Floats  # (3,) level; where it goes
    is_led: bool = False  # its weight goes as a body's would, so that it can be asked for the same accelerations

    def at_rate(self, factor: float) -> "RollSpan":
        """The same span of the motion with so many rows for each."""
        return self._replace(first=round(factor * self.first), last=round(factor * self.last))
