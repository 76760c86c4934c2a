"""Variations that have worked, by the kind of motion: what a search tries first.

The file beside this one is made by bench/remember.py, from clips of the tuning half and shoves.
"""

import json
from functools import cache
from importlib.resources import files

from ..controllers.variation import AS_IT_IS, Variation
from .kinds import KINDS, Kind

FILE = "remembered.json"


def remembered(kind: Kind) -> tuple[Variation, ...]:
    """The best first."""
    return _all().get(kind, ())


@cache
def _all() -> dict[Kind, tuple[Variation, ...]]:
    content = json.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    return {kind: tuple(AS_IT_IS._replace(**changes) for changes in content.get(kind, ())) for kind in KINDS}


def changes_of(variation: Variation) -> dict[str, float]:
    """What a variation does differently, rounded as a person would write it."""
    usual = AS_IT_IS._asdict()
    return {
        name: round(value, 3)
        for name, value in variation._asdict().items()
        if name != "fall" and abs(value - usual[name]) > 1e-9
    }
