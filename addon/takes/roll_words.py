"""What a report says of a roll, as lines for the panel; no bpy here."""

from collections.abc import Mapping
from typing import Any

from .fact import Fact, blow
from .levels import Level
from .lights import GREEN, GREY, RED, light_of

_ROLLS = "How often the character rolled, of what was asked for"
_DIRECTION = "How far the way that it rolled is from the one that was asked for"
_HEAD = "How hard the ground hits the head at most; in brackets, for a body that falls limp"
_OFF_DEG = Level(10.0, 30.0)


def roll_facts(report: Mapping[str, Any]) -> tuple[Fact, ...]:
    """None where the take is no roll, or of a version that said nothing of it; what is not known is left out."""
    roll = report.get("roll") or {}
    facts = []
    if roll.get("rolls") is not None:
        facts.append(_rolls(roll["rolls"], roll.get("asked")))
    if roll.get("direction_off_deg") is not None:
        off = abs(float(roll["direction_off_deg"]))
        facts.append(Fact("Direction", f"{off:.0f}° off", light_of(off, _OFF_DEG), _DIRECTION))
    if roll.get("head_peak_n") is not None:
        facts.append(blow("Head", roll["head_peak_n"], roll.get("head_limp_n"), "N", _HEAD))
    return tuple(facts)


def _rolls(rolls: float, asked: float | None) -> Fact:
    if asked is None:
        return Fact("Rolls", f"{rolls:.3g}", GREY, _ROLLS)
    return Fact("Rolls", f"{rolls:.3g} of {asked:.3g}", GREEN if rolls >= asked else RED, _ROLLS)
