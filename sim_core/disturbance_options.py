"""What happens to the character, from the texts that the command line has for it."""

import argparse
from collections.abc import Callable, Mapping
from typing import NamedTuple

from .disturbances import (
    Disturbance,
    FootDoes,
    FootSide,
    InFrames,
    KeepLevel,
    Pull,
    Push,
    Side,
    Space,
    Stance,
    Throw,
    Triple,
    Turn,
)
from .errors import SettingsError
from .options import KEEP_LEVEL_EXAMPLE, PULL_EXAMPLE, PUSH_EXAMPLE, STANCE_EXAMPLE, THROW_EXAMPLE, TURN_EXAMPLE

_SPACES: dict[str, Space] = {"world": "world", "character": "character"}
_SIDES: dict[str, Side] = {"left": "left", "right": "right", "front": "front", "back": "back"}
_FEET: dict[str, FootSide] = {"left": "left", "right": "right"}
_FEET_DO: dict[str, FootDoes] = {"stands": "stands", "swings": "swings", "slides": "slides"}


class _Form(NamedTuple):
    """How an option is written."""

    option: str
    example: str
    needs: frozenset[str]
    may_have: frozenset[str]
    lasts: bool  # it has a length besides its beginning
    timed: bool  # its time must be said


_PUSH = _Form("--push", PUSH_EXAMPLE, frozenset({"bone", "force"}), frozenset({"space"}), lasts=True, timed=True)
_PULL = _Form("--pull", PULL_EXAMPLE, frozenset({"bone", "force"}), frozenset({"to", "by"}), lasts=True, timed=True)
_THROW = _Form(
    "--throw",
    THROW_EXAMPLE,
    frozenset({"target", "mass", "speed", "from"}),
    frozenset({"radius"}),
    lasts=False,
    timed=True,
)
_KEEP_LEVEL = _Form("--keep-level", KEEP_LEVEL_EXAMPLE, frozenset({"bone"}), frozenset(), lasts=True, timed=False)
_TURN = _Form("--turn", TURN_EXAMPLE, frozenset({"angle"}), frozenset(), lasts=False, timed=True)
_STANCE = _Form("--stance", STANCE_EXAMPLE, frozenset({"foot", "is"}), frozenset(), lasts=True, timed=True)


class _Times(NamedTuple):
    """Seconds as they are given; where frames are, they stand in for them until the clip's rate is known."""

    at_s: float
    for_s: float


def disturbances_from(options: argparse.Namespace) -> tuple[Disturbance | InFrames, ...]:
    return (
        *(_read(_PUSH, text, _push) for text in options.push),
        *(_read(_PULL, text, _pull) for text in options.pull),
        *(_read(_THROW, text, _throw) for text in options.throw),
        *(_read(_KEEP_LEVEL, text, _keep_level) for text in options.keep_level),
        *(_read(_TURN, f"angle={text}", _turn) for text in options.turn),
        *(_read(_STANCE, text, _stance) for text in options.stance),
    )


def _read(form: _Form, text: str, make: Callable[[Mapping[str, str], _Times], Disturbance]) -> Disturbance | InFrames:
    parts = [part.partition("=") for part in text.split(",")]
    given = {name: value for name, _, value in parts}
    in_seconds, in_frames = ({"at", "for"}, {"frame", "frames"}) if form.lasts else ({"at"}, {"frame"})
    timings = [in_seconds, in_frames] if form.timed else [set(), in_seconds, in_frames]
    timing = given.keys() - form.needs - form.may_have
    if len(given) < len(parts) or not all(given.values()) or not form.needs <= given.keys() or timing not in timings:
        shown = text.removeprefix("angle=") if form is _TURN else text
        with_frames = form.example.replace("at=1.2", "frame=30").replace("for=0.2", "frames=6")
        raise SettingsError(f"{form.option} takes {form.example} or {with_frames}, not '{shown}'.")
    if "frame" not in given:
        at_s, for_s = (
            _number(f"{form.option} takes {name}= in seconds", given.get(name, "0")) for name in ("at", "for")
        )
        return make(given, _Times(at_s, for_s))
    first, count = (
        _whole_number(f"{form.option} takes {name}= as a whole number", given.get(name, "1"))
        for name in ("frame", "frames")
    )
    return InFrames(of=make(given, _Times(0.0, 1.0)), frame=first, frames=count if form.lasts else None)


def _push(given: Mapping[str, str], times: _Times) -> Push:
    space = given.get("space", "world")
    if space not in _SPACES:
        raise SettingsError(f"--push takes space=world or space=character, not '{space}'.")
    force = _triple("--push takes a force", "in newtons", given["force"])
    return Push(bone=given["bone"], at_s=times.at_s, for_s=times.for_s, force=force, space=_SPACES[space])


def _pull(given: Mapping[str, str], times: _Times) -> Pull:
    points = given["to"].split("/") if "to" in given else []
    return Pull(
        bone=given["bone"],
        at_s=times.at_s,
        for_s=times.for_s,
        to=tuple(_triple("--pull takes to=", "in metres", point) for point in points),
        by=given.get("by"),
        force=_number("--pull takes force= in newtons", given["force"]),
    )


def _throw(given: Mapping[str, str], times: _Times) -> Throw:
    side = given["from"]
    if side not in _SIDES and ":" not in side:
        raise SettingsError(f"--throw takes from=left, right, front, back or x:y:z, not '{side}'.")
    return Throw(
        bone=given["target"],
        at_s=times.at_s,
        mass=_number("--throw takes mass= in kilograms", given["mass"]),
        speed=_number("--throw takes speed= in metres a second", given["speed"]),
        comes_from=_SIDES[side] if side in _SIDES else _triple("--throw takes from=", "as a direction", side),
        radius=_number("--throw takes radius= in metres", given["radius"]) if "radius" in given else None,
    )


def _keep_level(given: Mapping[str, str], times: _Times) -> KeepLevel:
    for_s = times.for_s if given.keys() & {"for", "frames"} else None
    return KeepLevel(bone=given["bone"], at_s=times.at_s, for_s=for_s)


def _turn(given: Mapping[str, str], times: _Times) -> Turn:
    return Turn(angle_deg=_number("--turn takes an angle in degrees", given["angle"]), at_s=times.at_s)


def _stance(given: Mapping[str, str], times: _Times) -> Stance:
    foot, what = given["foot"], given["is"]
    if foot not in _FEET:
        raise SettingsError(f"--stance takes foot=left or foot=right, not '{foot}'.")
    if what not in _FEET_DO:
        raise SettingsError(f"--stance takes is=stands, is=swings or is=slides, not '{what}'.")
    return Stance(foot=_FEET[foot], at_s=times.at_s, for_s=times.for_s, what=_FEET_DO[what])


def _triple(what: str, unit: str, text: str) -> Triple:
    numbers = [_number(f"{what} as three numbers {unit}", part) for part in text.split(":")]
    if len(numbers) != 3:
        raise SettingsError(f"{what} as x:y:z {unit}, not '{text}'.")
    return numbers[0], numbers[1], numbers[2]


def _number(expected: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SettingsError(f"{expected}, not '{text}'.") from None


def _whole_number(expected: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise SettingsError(f"{expected}, not '{text}'.") from None
