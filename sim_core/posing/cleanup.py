"""From simulated steps to clean frames: contact chatter out, sampled where the keyframes are."""

import numpy as np
from scipy.interpolate import CubicSpline

from ..arrays import Floats
from ..body.body import Body
from ..filters import low_pass
from .body_motion import normalised

_CRISP_HZ = 30.0  # a blow is no faster in keys than this,
_OF_FPS = 0.4  # nor than frames can tell


def frames_from_steps(
    body: Body, q: Floats, rate: float, *, frames: int, fps: float, cutoff_hz: float, crisp: Floats | None = None
) -> Floats:
    """(frames, nq) of a recording (S, nq): filtered without delay, then read at the frames' own times.

    Crisp (S,) is where it is filtered less, from 0 to 1.
    Where a simulation was stopped early, the last pose stands for what is missing.
    """
    if len(q) == 1:
        return np.repeat(q, frames, axis=0)
    smooth = low_pass(q, rate, cutoff_hz)
    if crisp is not None and crisp.any():
        smooth += crisp[:, None] * (low_pass(q, rate, max(cutoff_hz, min(_CRISP_HZ, _OF_FPS * fps))) - smooth)
    times = np.minimum(np.arange(frames) / fps, (len(q) - 1) / rate)
    return normalised(CubicSpline(np.arange(len(q)) / rate, smooth, axis=0)(times), body)
