"""From simulated steps to clean frames: contact chatter out, sampled where the keyframes are."""

import numpy as np
from scipy.interpolate import CubicSpline

from ..arrays import Floats
from ..body.body import Body
from ..filters import low_pass
from .body_motion import normalised


def frames_from_steps(body: Body, q: Floats, rate: float, *, frames: int, fps: float, cutoff_hz: float) -> Floats:
    """(frames, nq) of a recording (S, nq): filtered without delay, then read at the frames' own times.

    Where a simulation was stopped early, the last pose stands for what is missing.
    """
    if len(q) == 1:
        return np.repeat(q, frames, axis=0)
    smooth = low_pass(q, rate, cutoff_hz)
    times = np.minimum(np.arange(frames) / fps, (len(q) - 1) / rate)
    return normalised(CubicSpline(np.arange(len(q)) / rate, smooth, axis=0)(times), body)
