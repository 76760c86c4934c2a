"""A bake's report as an animator reads it: what was wrong before, what is left of it, and what it cost."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import levels
from .fact import Fact
from .fall_words import fall_facts
from .given_up import GivenUp, given_up_of
from .levels import Level
from .lights import GREEN, GREY, RED, YELLOW, light_of
from .roll_words import roll_facts


@dataclass(frozen=True, kw_only=True)
class _Measure:
    key: str  # in the report
    label: str
    meaning: str
    unit: str
    per_si: float
    digits: int
    level: Level


_MEASURES = (
    _Measure(
        key="foot_skate_m_s",
        label="Foot skate",
        meaning="How fast the feet slide while they stand on the ground",
        unit="cm/s",
        per_si=100.0,
        digits=0,
        level=levels.SKATE,
    ),
    _Measure(
        key="penetration_m",
        label="Penetration",
        meaning="How deep the body is in the ground, on average",
        unit="mm",
        per_si=1000.0,
        digits=1,
        level=levels.PENETRATION,
    ),
    _Measure(
        key="float_m",
        label="Floating",
        meaning="How far the body hangs over the ground without jumping, on average",
        unit="mm",
        per_si=1000.0,
        digits=1,
        level=levels.FLOATING,
    ),
    _Measure(
        key="physics_error_bw",
        label="Physics error",
        meaning="Force that would have to come out of nowhere for this motion to happen, in percent of the body weight",
        unit="%",
        per_si=100.0,
        digits=0,
        level=levels.PHYSICS_ERROR,
    ),
)
_JERK_MEANING = "How jittery the motion is. A lively motion has more of it, so compare before with after"
_CALMER, _WILDER = 1.05, 1.5  # after over before: up to the first nothing was lost, from the second on it shows
_STILL, _TREMBLE = 15.0, 50.0  # next to a source that hardly moves any jerk is much; less than this cannot be seen


@dataclass(frozen=True, kw_only=True)
class Line:
    """One number before and after, with the lights to show."""

    label: str
    meaning: str
    unit: str
    before: str
    after: str
    before_light: str
    after_light: str


@dataclass(frozen=True, kw_only=True)
class Result:
    headline: str
    headline_light: str
    lines: tuple[Line, ...]
    assist: str
    assist_light: str
    foot_torque: str  # empty where nothing could steady the feet
    foot_torque_light: str
    likeness: str
    warnings: tuple[str, ...]
    given_up: tuple[GivenUp, ...]
    motion: str  # of the report: "track", "roll", ...
    facts: tuple[Fact, ...]  # of a roll or a fall


def read_result(report_json: str) -> Result | None:
    """The report of a take; None where it is not one, as after an edit by hand."""
    try:
        return _result(json.loads(report_json))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _result(report: Mapping[str, Any]) -> Result:
    before, after = report["before"], report["after"]
    assist = report["assist"]
    headline, headline_light = _headline(report)
    foot_torque, foot_torque_light = _foot_torque(report)
    return Result(
        headline=headline,
        headline_light=headline_light,
        lines=(*(_line(m, before[m.key], after[m.key]) for m in _MEASURES), _shake(before, after)),
        assist=f"{100 * assist['mean_bw']:.0f} %, peak {100 * assist['peak_bw']:.0f} %",
        assist_light=light_of(assist["mean_bw"], levels.ASSIST),
        foot_torque=foot_torque,
        foot_torque_light=foot_torque_light,
        likeness=f"{report['tracking']['joint_deg']:.1f}° and {100 * report['tracking']['root_drift_m']:.0f} cm off",
        warnings=tuple(report["warnings"]),
        given_up=given_up_of(report),
        motion=str(report.get("motion", "")),
        facts=(*roll_facts(report), *fall_facts(report)),
    )


def _headline(report: Mapping[str, Any]) -> tuple[str, str]:
    """With its light."""
    if report["completed"]:
        return f"Kept for all {report['frames']} frames", GREEN
    frame, simulated_to = report["fell_at_frame"], report.get("simulated_to_frame")
    if frame is None and simulated_to is not None:
        return f"Stopped at frame {simulated_to}; the rest is the source's", YELLOW
    where = "" if frame is None else f" at frame {frame}"
    return f"Lost{where}: it {report['why']}", RED


def _foot_torque(report: Mapping[str, Any]) -> tuple[str, str]:
    """With its light."""
    torque = report.get("foot_torque")
    if torque is None:
        return "", GREY
    words = f"{torque['mean_nm']:.0f} N m, peak {torque['peak_nm']:.0f} N m"
    return words, light_of(torque["mean_nm"], levels.FOOT_TORQUE)


def _line(measure: _Measure, before: float, after: float) -> Line:
    old, new = measure.per_si * before, measure.per_si * after
    return Line(
        label=measure.label,
        meaning=measure.meaning,
        unit=measure.unit,
        before=f"{old:.{measure.digits}f}",
        after=f"{new:.{measure.digits}f}",
        before_light=light_of(before, measure.level),
        after_light=light_of(after, measure.level),
    )


def _shake(before: Mapping[str, float], after: Mapping[str, float]) -> Line:
    """Measured against the source: how lively a motion should be, only its animator knows."""
    old, new = before["jerk_m_s3"], after["jerk_m_s3"]
    return Line(
        label="Jerk",
        meaning=_JERK_MEANING,
        unit="m/s³",
        before=f"{old:.0f}",
        after=f"{new:.0f}",
        before_light=GREY,
        after_light=light_of(new, Level(max(_CALMER * old, _STILL), max(_WILDER * old, _TREMBLE))),
    )
