"""Where the next step goes: beside its place in the reference by what the capture point is off.

The capture point c + c'/omega (Pratt et al. 2006) is where a foot must stand for the body to come to rest over it. It runs away
exponentially, so its error grows by exp(omega t) until the foot lands.
"""

import numpy as np

from ...arrays import Floats

OMEGA = 3.4  # sqrt(g / height of the centre of mass) of a person [1/s]
_HORIZON_S = 0.35
_FARTHEST_M = 0.35


def step_offset(com_error: Floats, com_velocity_error: Floats, until_landing: float, *, flying: bool) -> Floats:
    """(3,) how far to move the foot that lands in so many seconds; errors are along the ground, simulation - reference."""
    if not np.isfinite(until_landing):
        return np.zeros(3)
    ahead = min(until_landing, _HORIZON_S)
    if flying:  # errors in the air grow with their speed alone
        offset = com_error + com_velocity_error * (ahead + 1.0 / OMEGA)
    else:
        offset = (com_error + com_velocity_error / OMEGA) * np.exp(OMEGA * ahead)
    length = float(np.linalg.norm(offset))
    offset = offset * (min(length, _FARTHEST_M) / max(length, 1e-9))
    shown: Floats = offset * np.clip(1.0 - until_landing / _HORIZON_S, 0.0, 1.0)
    return shown
