"""Who has come to rest lies still: from then on the frames are one pose, into which the last of the fall settles."""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.state_space import difference, integrate
from ..rolling.roll_times import eased

_SETTLES_S = 0.3  # before it lies still: what limbs go then, they go in any case, and stop without a jerk


def lie_still(body: Body, q: Floats, rests_at_s: float, fps: float) -> Floats:
    """The frames q (T, nq) of a fall; engines keep what lies creeping, by hairs that a person sees."""
    first = min(int(np.ceil(rests_at_s * fps)), len(q) - 1)
    settles = eased((np.arange(len(q)) / fps - rests_at_s) / _SETTLES_S + 1.0)
    still = integrate(body, q, settles[:, None] * difference(body, q[first], q))
    still[first:] = still[first]
    return still
