"""The directions that matter to who rolls, as the land lies under it."""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats
from ...roll_span import RollSpan
from ...rotations import cross


class RollFrame(NamedTuple):
    axis: Floats  # (3,) about which it turns, along the ground
    ahead: Floats  # (3,) where it goes, along the ground
    aside: Floats  # (3,) to the left of that
    up: Floats  # (3,) out of the ground

    @property
    def rows(self) -> Floats:
        """(3, 3) ahead, aside, up."""
        return np.stack([self.ahead, self.aside, self.up])


def frame_on(span: RollSpan, up: Floats) -> RollFrame:
    axis, ahead = _along(span.axis, up), _along(span.ahead, up)
    return RollFrame(axis, ahead, cross(up, ahead), up)


def _along(direction: Floats, up: Floats) -> Floats:
    along = direction - (direction @ up) * up
    unit: Floats = along / max(float(np.linalg.norm(along)), 1e-9)
    return unit
