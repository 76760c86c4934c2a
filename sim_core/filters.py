"""Smoothing that keeps timing: zero-phase filters and derivatives over a fixed stretch of time."""

import numpy as np
from scipy.signal import butter, filtfilt, savgol_filter

from .arrays import Floats


def low_pass(values: Floats, rate: float, cutoff_hz: float) -> Floats:
    """Zero-phase Butterworth over time (axis 0); unchanged where the rate cannot hold more than the cutoff anyway."""
    if cutoff_hz >= 0.45 * rate or len(values) < 4:
        return values.copy()
    b, a = butter(2, cutoff_hz / (0.5 * rate))
    padding = min(len(values) - 1, int(np.ceil(rate / cutoff_hz)))
    smooth: Floats = filtfilt(b, a, values, axis=0, padlen=padding)
    return smooth


def derivative(values: Floats, rate: float, order: int, window_s: float) -> Floats:
    """First or second derivative over time (axis 0) of parabolas fitted around each frame (Savitzky and Golay 1964).

    The window is the same stretch of time at any frame rate, so that 24 and 120 fps can be compared.
    """
    odd = max(round(window_s * rate) // 2 * 2 + 1, 3)
    longest = (len(values) - 1) // 2 * 2 + 1
    result: Floats = savgol_filter(values, min(odd, longest), polyorder=2, deriv=order, delta=1.0 / rate, axis=0)
    return result
