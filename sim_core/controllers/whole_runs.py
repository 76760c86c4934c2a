"""Controllers that run a clip as a whole: they remember nothing between windows, since they have but one."""

import numpy as np

from ..arrays import Floats
from .variation import Variation


class WholeRuns:
    resumable = False
    _assist_limit = 0.0  # [N]

    def adjust(self, variation: Variation, assist_limit: float) -> None:
        self._assist_limit = assist_limit

    def vary(self, variation: Variation) -> None:
        """Published systems are left as they were published."""

    def row(self, step: int) -> int:
        return step

    @property
    def displacement(self) -> Floats:
        """They take no steps of their own."""
        return np.zeros(3)

    def resume(self, row: int, displaced: Floats) -> None:
        """They follow a clip where it is."""

    def memory(self) -> object:
        return None

    def recall(self, memory: object) -> None:
        raise NotImplementedError("This controller runs a clip as a whole.")
