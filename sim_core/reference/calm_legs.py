"""Legs that were bent to reach, made calm again where that snapped a knee.

A foot that has to stand just out of reach straightens its leg within milliseconds, and a leg so straight turns by much
for a millimetre. No muscle follows that, and who tries is thrown off balance. A foot that is a centimetre beside its
place for a moment is the lesser fault.
"""

import numpy as np
from scipy.ndimage import maximum_filter1d

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..filters import low_pass
from ..rig.segments import SIDES

_JOINTS = ("thigh", "shin", "foot")
_HARDEST = 2000.0  # [rad/s^2] joints of captured legs stay below 600, of legs that land below 1700
_AROUND_S = 0.08
_EASE_HZ = 8.0
_CALMER_HZ = (12.0, 8.0, 6.0, 4.0, 3.0)


def calm_legs(q: Floats, body: Body, rate: float) -> Floats:
    """The motion q (S, nq) with legs that are filtered the more, the harder they snap."""
    calm = q.copy()
    for side in SIDES:
        columns = [body.q_slice[name + side] for name in _JOINTS]
        for cutoff_hz in _CALMER_HZ:
            snaps = np.zeros(len(q), dtype=bool)
            for joint in columns:
                snaps |= _hardness(calm[:, joint], rate) > _HARDEST
            if not snaps.any():
                break
            around = maximum_filter1d(snaps.astype(float), 2 * round(_AROUND_S * rate) + 1)
            share = np.clip(low_pass(around, rate, _EASE_HZ), 0.0, 1.0)[:, None]
            for joint in columns:
                now = calm[:, joint]
                eased = now + share * (low_pass(now, rate, cutoff_hz) - now)
                calm[:, joint] = eased / np.linalg.norm(eased, axis=1, keepdims=True) if now.shape[1] == 4 else eased
    return calm


def _hardness(joint: Floats, rate: float) -> Floats:
    """(S,) how fast the speed of a joint changes [rad/s^2]; joint is (S, 4), or (S, 1) for a hinge."""
    if joint.shape[1] == 1:
        bending: Floats = np.abs(np.gradient(np.gradient(joint[:, 0], 1.0 / rate), 1.0 / rate))
        return bending
    turned = rotations.log(rotations.multiply(rotations.inverse(joint[:-1]), joint[1:])) * rate
    speeds = np.concatenate([turned, turned[-1:]])
    hardness: Floats = np.linalg.norm(np.gradient(speeds, 1.0 / rate, axis=0), axis=1)
    return hardness
