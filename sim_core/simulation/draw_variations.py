"""Variations drawn at random about others: a few things changed at a time, by little or by much."""

import numpy as np

from ..controllers.variation import Variation

# Of factors: the spread of their logarithm. Of shifts: their spread.
_FACTORS = {
    "joints": 0.35,
    "arms": 0.8,
    "trunk": 0.6,
    "balance": 0.7,
    "height": 0.5,
    "momentum": 1.0,
    "spin": 0.4,
    "swing": 0.6,
    "reach": 0.4,
    "grip": 0.8,
    "steps": 0.35,
    "near": 0.4,
}
_SHIFTS = {
    "ahead_m": 0.03,
    "aside_m": 0.03,
    "up_m": 0.015,
    "ahead_m_s": 0.1,
    "aside_m_s": 0.1,
    "up_m_s": 0.1,
    "foot_ahead_m": 0.05,
    "foot_aside_m": 0.05,
    "lean_ahead": 0.08,
    "lean_aside": 0.08,
    "roll": 0.03,
    "pitch": 0.05,
    "yaw": 0.03,
    "lead_s": 0.015,
}
_CHANGED = 0.4  # of all, in one draw
_SIZES = (0.4, 0.8, 1.3)
_OTHER_READING = 0.25  # how often another reading of the clip is followed
_MOST_FACTOR = 6.0
_MOST_SHIFTS = 4.0  # spreads


def draw(about: Variation, rng: np.random.Generator, readings: int) -> Variation:
    size = float(rng.choice(_SIZES))
    names = [*_FACTORS, *_SHIFTS]
    chosen = rng.random(len(names)) < _CHANGED
    steps = size * rng.standard_normal(len(names))
    changed: dict[str, float | int] = {}
    for name, is_chosen, step in zip(names, chosen, steps, strict=True):
        if not is_chosen:
            continue
        now = getattr(about, name)
        if name in _FACTORS:
            changed[name] = float(np.clip(now * np.exp(_FACTORS[name] * step), 1.0 / _MOST_FACTOR, _MOST_FACTOR))
        else:
            most = _MOST_SHIFTS * _SHIFTS[name]
            changed[name] = float(np.clip(now + _SHIFTS[name] * step, -most, most))
    if rng.random() < _OTHER_READING:
        changed["reading"] = int(rng.integers(readings))
    return about._replace(**changed)  # type: ignore[arg-type]
