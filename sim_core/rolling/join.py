"""One motion that becomes another: poses fade over, while the body goes on as fast as it went."""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..dynamics.state_space import difference, integrate
from .roll_times import eased

_LEVEL = np.array([1.0, 1.0, 0.0])


def joined(body: Body, one: Floats, other: Floats, overlap: int) -> Floats:
    """Rows of one (A, nq), of which the last so many become the first of the other (B, nq), and the rest of that.

    The other is moved along the ground to where the one has led; between them the centre of mass has a speed between.
    """
    share = eased((np.arange(overlap) + 1.0) / (overlap + 1.0))
    a, b = one[len(one) - overlap :], other[:overlap]
    com_a, com_b = pose(body, a).com, pose(body, other[: overlap + 1]).com
    start = pose(body, one[max(len(one) - overlap - 1, 0)]).com
    steps_a = np.diff(com_a, axis=0, prepend=start[None])
    steps_b = np.diff(com_b, axis=0)
    steps_b = np.concatenate([steps_b, np.zeros((overlap - len(steps_b), 3))])
    steps = (1.0 - share[:, None]) * steps_a + share[:, None] * steps_b
    path = (start + np.cumsum(steps, axis=0)) * _LEVEL
    faded = integrate(body, a, share[:, None] * difference(body, b, a))
    faded[:, :3] += path - pose(body, faded).com * _LEVEL
    rest = other[overlap:].copy()
    if len(rest):
        rest[:, :3] += path[-1] + steps_b[-1] * _LEVEL - com_b[-1] * _LEVEL
    return np.concatenate([one[: len(one) - overlap], faded, rest])
