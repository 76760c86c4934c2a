"""Where a bake had to give something up, why, and what would help: sentences of its report; no bpy here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import levels
from .lights import RED, YELLOW


@dataclass(frozen=True, kw_only=True)
class GivenUp:
    first_frame: int  # of the scene, both included
    last_frame: int
    sentence: str
    advice: tuple[str, ...]
    light: str


def given_up_of(report: Mapping[str, Any]) -> tuple[GivenUp, ...]:
    """In the order of the report; takes of earlier versions have none."""
    return tuple(_given_up(item) for item in report.get("given_up", ()))


def _given_up(item: Mapping[str, Any]) -> GivenUp:
    bad = item["lost"] or item["assist_mean_bw"] >= levels.ASSIST.bad
    return GivenUp(
        first_frame=int(item["first_frame"]),
        last_frame=int(item["last_frame"]),
        sentence=str(item["sentence"]),
        advice=tuple(map(str, item["advice"])),
        light=RED if bad else YELLOW,
    )
