"""What a report says of a fall, as lines for the panel; no bpy here."""

from collections.abc import Mapping
from typing import Any

from ..falls.kinds import style_name
from .fact import Fact, blow
from .lights import GREEN, GREY, YELLOW

_STYLE = "How it falls"
_BALANCE = "When it loses its balance, after the first frame of the take"
_RESTS = "When it lies still, after the first frame of the take"
_HEAD = (
    "How hard the head is hit at most, within a hundredth of a second; in brackets, on a body that goes limp. A head "
    "that drops to the ground from 10 cm gets about 6 N s"
)
_BODY = "The hardest blows on all parts together, the head's counted ten times; in brackets, on a body that goes limp"
_HARDEST = "The parts that are hit hardest, and how hard, in N s"


def fall_facts(report: Mapping[str, Any]) -> tuple[Fact, ...]:
    """None where the take is no fall; what is not known is left out."""
    fall = report.get("fall") or {}
    facts = []
    if fall.get("style") is not None:
        facts.append(Fact("Style", style_name(fall["style"]), GREY, _STYLE))
    if fall.get("at_s") is not None:
        facts.append(Fact("Falls", _at(fall["at_s"], report), GREY, _BALANCE))
        facts.append(_rests(fall.get("rests_at_s"), report))
    for name, label, meaning in (("head", "Head", _HEAD), ("blows", "Body", _BODY)):
        if fall.get(f"{name}_ns") is not None:
            limp = None if fall.get("style") == "limp" else fall.get(f"limp_{name}_ns")
            facts.append(blow(label, fall[f"{name}_ns"], limp, "N s", meaning))
    if fall.get("hardest"):
        parts = ", ".join(f"{part} {size:.0f}" for part, size in fall["hardest"][:2])  # more would not fit
        facts.append(Fact("Hardest", parts, GREY, _HARDEST))
    return tuple(facts)


def _rests(rests_at_s: float | None, report: Mapping[str, Any]) -> Fact:
    if rests_at_s is None:
        return Fact("Lies still", "not to the end", YELLOW, _RESTS)
    return Fact("Lies still", _at(rests_at_s, report), GREEN, _RESTS)


def _at(seconds: float, report: Mapping[str, Any]) -> str:
    frames = f", {round(seconds * report['fps'])} frames in" if "fps" in report else ""
    return f"at {seconds:.1f} s{frames}"
