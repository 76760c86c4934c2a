"""Falls that were found before, by where they went: what a search begins with.

The file beside this one is made by bench/remember_falls.py, on the made stand.
"""

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from .fall_script import Numbers

FILE = "known_falls.json"
_NEAREST = 3


class KnownFall(NamedTuple):
    angle: float  # where to, from where the character faced, to the left [rad]
    pushed: str  # the segment
    numbers: Numbers


def known_falls(angle: float) -> tuple[Numbers, ...]:
    """Those that went about there, the nearest first."""
    falls = sorted(_all(), key=lambda fall: abs(np.angle(np.exp(1j * (fall.angle - angle)))))
    return tuple(fall.numbers for fall in falls[:_NEAREST])


@cache
def _all() -> tuple[KnownFall, ...]:
    content = json.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    return tuple(KnownFall(one["angle"], one["pushed"], tuple(one["numbers"])) for one in content)
