"""What was found under and between the feet of a clip, along its path."""

from typing import NamedTuple

from ..arrays import Floats


class FoundBox(NamedTuple):
    low: Floats  # (2,) corners in the plane
    high: Floats
    top: float


class FoundRamp(NamedTuple):
    low: Floats  # (2,) corners in the plane
    high: Floats
    slope: float  # rise along the path
    at_zero: float  # height where the path starts

    def height(self, x: float) -> float:
        return self.at_zero + self.slope * x
