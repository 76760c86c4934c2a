"""The dial from unfallable to realistic, in the panel's words; its numbers are the worker's. No bpy here."""

from typing import NamedTuple

_AS_SHOWN = 0.005  # two digits stand on the dial: what reads the same is the same


class Place(NamedTuple):
    """A place of the dial that has a name."""

    name: str
    realism: float
    meaning: str


# From left to right, as the slider goes.
PLACES: dict[str, Place] = {
    "UNFALLABLE": Place("Unfallable", 0.0, "All the help it takes not to fall"),
    "PLAUSIBLE": Place("Plausible", 0.5, "Some help where it would fall"),
    "REALISTIC": Place("Realistic", 1.0, "No help: pure physics, it may fall"),
}
_STRONGER = "Strong help; only a hard blow fells it"
_WEAKER = "A little help where it would fall"


def place_at(realism: float) -> str | None:
    """The place with a name that the dial shows; None in between."""
    return next((key for key, place in PLACES.items() if abs(realism - place.realism) < _AS_SHOWN), None)


def realism_in_words(realism: float) -> str:
    place = place_at(realism)
    if place is not None:
        return f"{PLACES[place].meaning}."
    return f"{_STRONGER if realism < PLACES['PLAUSIBLE'].realism else _WEAKER}."
