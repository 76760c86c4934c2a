"""A pose that is held: one frame of a source, again and again."""

from typing import NamedTuple

import numpy as np

from .source_clip import SourceClip
from .source_rows import of_rows

FEWEST_FRAMES = 3  # that a clip of motion has
_USUAL_S = 2.0  # where a clip is too short to say how long


class Hold(NamedTuple):
    """That a pose is held, and how long; None is for as many frames as are asked for."""

    seconds: float | None

    def needs(self, in_source: int) -> int:
        """The fewest frames that have to be asked for, of so many in the source."""
        return FEWEST_FRAMES if self.seconds is None and in_source >= FEWEST_FRAMES else 1

    def frames(self, asked: int, fps: float) -> int:
        """For how many frames the pose is held, where so many are asked for."""
        if self.seconds is None and asked >= FEWEST_FRAMES:
            return asked
        seconds = _USUAL_S if self.seconds is None else self.seconds
        return max(FEWEST_FRAMES, int(np.floor(seconds * fps + 1e-6)) + 1)


def held(source: SourceClip, row: int, frames: int) -> SourceClip:
    """The source as it is before a row, which then stays for so many frames; what followed it is left out."""
    rows = np.concatenate([np.arange(row), np.full(frames, row)])
    return of_rows(source, rows)
