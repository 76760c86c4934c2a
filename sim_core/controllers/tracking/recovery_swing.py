"""The way of a foot through a recovery step: off the ground, over to where it is needed, and flat down."""

from typing import NamedTuple

import numpy as np

from ... import rotations
from ...arrays import Floats
from ...reference.foot_paths import FlatFoot

_THERE_AT = 0.92  # of a step: the rest of it the foot comes straight down
_LEVEL_AT = 0.7  # of a step: toes that point down would scrape
_FEELS_DOWN = 0.3  # of the lift, each step's time, by which a foot that has not landed goes on down


class Swing(NamedTuple):
    """A foot on its way; places are those of its ankle."""

    side: int
    elapsed_s: float
    lasts_s: float
    start: Floats  # (3,)
    goal: Floats  # (3,)
    lift_m: float
    turns: dict[int, Floats]  # (4,) in the world as it left, of foot and toes
    flat: FlatFoot  # as it lands

    @property
    def share(self) -> float:
        return self.elapsed_s / self.lasts_s

    @property
    def left_s(self) -> float:
        return self.lasts_s - self.elapsed_s

    def eased(self, after_s: float = 0.0) -> float:
        """How much of the way is done, so much later: from 0 to 1."""
        u = min(max((self.elapsed_s + after_s) / (_THERE_AT * self.lasts_s), 0.0), 1.0)
        return u**3 * (10.0 - 15.0 * u + 6.0 * u**2)

    def place(self, normal: Floats, after_s: float = 0.0) -> Floats:
        """(3,) so much later."""
        u = max((self.elapsed_s + after_s) / self.lasts_s, 0.0)
        rise = np.sin(np.pi * u) if u < 1.0 else -_FEELS_DOWN * min(u - 1.0, 1.0)
        place: Floats = self.start + self.eased(after_s) * (self.goal - self.start) + self.lift_m * rise * normal
        return place

    def turn(self, part: int, after_s: float = 0.0) -> Floats:
        """(4,) of the foot or its toes, in the world."""
        u = min(max((self.elapsed_s + after_s) / (_LEVEL_AT * self.lasts_s), 0.0), 1.0)
        return rotations.slerp(self.turns[part], self.flat.turns[part], np.array(u**2 * (3.0 - 2.0 * u)))
