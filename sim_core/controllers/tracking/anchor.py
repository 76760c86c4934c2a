"""The reference carried along with the feet: where they stand decides where everything else is to be.

After Yu eq. 3.2 and 3.3, where the centre of mass is given relative to the supporting feet: a step that lands beside its
mark moves the whole reference, instead of pulling the body back across its feet.
"""

import numpy as np

from ...arrays import Bools, Floats

_RATE = 15.0  # 1/s: the reference follows its feet in about 70 ms


class Anchor:
    def __init__(self, normal: Floats, tick_s: float) -> None:
        self._normal = normal
        self._share = 1.0 - np.exp(-_RATE * tick_s)
        self.reset()

    def reset(self) -> None:
        self.offset: Floats = np.zeros(3)  # along the ground [m]
        self._lies = False

    def follow(self, soles: Floats, reference_soles: Floats, bearing: Bools) -> None:
        """Points (P, 3) under the feet, now and in the reference, and which of them bear on the ground."""
        if not bearing.any():
            return
        away = (soles - reference_soles)[bearing].mean(axis=0)
        along = away - (away @ self._normal) * self._normal
        self.offset = self.offset + (self._share if self._lies else 1.0) * (along - self.offset)
        self._lies = True
