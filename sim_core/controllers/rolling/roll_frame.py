"""The directions that matter to who rolls, as the land lies under it."""

from typing import NamedTuple

import numpy as np

from ... import rotations
from ...arrays import Floats
from ...body.body import Body
from ...roll_span import RollSpan
from ...rolling.level_feet import root_axes
from ...rotations import cross

_ALONG = np.cos(np.radians(45.0))


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


def lies_along(body: Body, q: Floats, span: RollSpan) -> bool:
    """Whether a body lies along the axis of its roll, as a log does."""
    up = rotations.rotate(q[3:7], root_axes(body)[2])
    return bool(abs(up @ span.axis) > _ALONG)


def _along(direction: Floats, up: Floats) -> Floats:
    along = direction - (direction @ up) * up
    unit: Floats = along / max(float(np.linalg.norm(along)), 1e-9)
    return unit
