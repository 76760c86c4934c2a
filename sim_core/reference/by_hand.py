"""What a person says about feet: it goes before whatever their heights and speeds tell."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import Bools
from ..disturbances import Stance


class ByHand(NamedTuple):
    """Nothing where nothing is said."""

    stands: Bools  # (T, 2) left, right
    swings: Bools  # (T, 2)
    slides: Bools  # (T, 2)

    @property
    def up(self) -> Bools:
        """(T, 2) feet that bear nothing."""
        return self.swings | self.slides

    def over(self, feet: Bools) -> Bools:
        """(T, 2) feet that bear, by what was found (T, 2) and what is said."""
        return (feet | self.stands) & ~self.up


def by_hand(stances: Sequence[Stance], rows: int, rate: float) -> ByHand:
    said = {what: np.zeros((rows, 2), dtype=bool) for what in ByHand._fields}
    for stance in stances:
        first, stop = (round(time_s * rate) for time_s in (stance.at_s, stance.at_s + stance.for_s))
        said[stance.what][first:stop, 0 if stance.foot == "left" else 1] = True
    return ByHand(**said)
