"""How a person falls: where the search begins, and what it stays near to. Another seed is another fall of the style."""

import numpy as np

from ..settings import FallStyle
from .fall_script import AS_USUAL, COUNT, SINGLE, SPLINE_NUMBERS, SPLINES, Numbers, as_numbers

_DIFFERENT = {"weight": 0.3, "turn": 0.6, "arms": 0.9}  # by how much seeds differ, in a script's own units
_DIFFERENT_SINGLE = 0.5

# What a style adds: turns and weight as (along, left, up) at the control points, arms as (pitch, roll, twist).
_ROLL = as_numbers(
    turn=((0.0, 0.6, 0.0), (0.0, 1.8, 0.0), (0.0, 2.6, 0.0)),
    weight=((0.2, 0.0, 0.0), (0.8, 0.0, 0.0), (1.5, 0.0, 0.0)),
    fold=1.0,
    curl=1.5,
    elbow=0.6,
)
_STUNT = as_numbers(
    turn=((0.5, 0.2, 0.3), (1.2, 0.4, 0.8), (1.5, 0.5, 1.0)),
    arms=((1.2, -1.0, 0.0), (0.8, -1.2, 0.0), (0.0, -0.6, 0.0)),
    weight=((0.2, 0.0, 0.3), (0.5, 0.0, 0.2), (0.8, 0.0, 0.0)),
    fold=-0.5,
)
_STYLES: dict[FallStyle, Numbers] = {"brace": AS_USUAL, "roll": _ROLL, "stunt": _STUNT, "limp": AS_USUAL}


def style_of(style: FallStyle, seed: int) -> Numbers:
    """Seed 0 is the style itself."""
    numbers = np.array(_STYLES[style])
    if seed == 0:
        return tuple(numbers.tolist())
    splines = [np.full(SPLINE_NUMBERS, _DIFFERENT[name]) for name in SPLINES]
    spread = np.concatenate([*splines, np.full(len(SINGLE), _DIFFERENT_SINGLE)])
    different = numbers + spread * np.random.default_rng(seed).standard_normal(COUNT)
    return tuple(different.tolist())
