"""Smoothing that keeps timing: zero-phase filters and derivatives over a fixed stretch of time."""

import numpy as np
from scipy.ndimage import binary_closing, binary_opening
from scipy.signal import butter, filtfilt, savgol_filter

from .arrays import Bools, Floats


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


def without_blinks(labels: Bools, rate: float, *, gap_s: float, touch_s: float) -> Bools:
    """Labels over time (T, K) without gaps and touches too short to be real; the ends stay as they are."""
    gap, touch = (max(1, round(seconds * rate)) for seconds in (gap_s, touch_s))
    pad = max(gap, touch)
    padded = np.pad(labels, ((pad, pad), (0, 0)), mode="edge")
    steady: Bools = binary_opening(binary_closing(padded, np.ones((gap, 1))), np.ones((touch, 1)))
    return steady[pad:-pad]
