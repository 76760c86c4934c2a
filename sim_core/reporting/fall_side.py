"""To which side a body fell: where it is beside its reference, as the character sees it."""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..posing.heading import facing
from .given_up import Side

_UP = np.array([0.0, 0.0, 1.0])


def fall_side(body: Body, q: Floats, reference_q: Floats) -> Side:
    """Of one pose (nq,) against that of the reference at the same step."""
    where, wanted = pose(body, np.stack([q, reference_q])).com
    ahead = facing(body, pose(body, reference_q[None]))
    off = where - wanted
    forward, left = float(off @ ahead), float(off @ np.cross(_UP, ahead))
    if abs(forward) >= abs(left):
        return "forward" if forward >= 0.0 else "backward"
    return "left" if left > 0.0 else "right"
