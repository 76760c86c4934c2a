"""The settings that the command line's options of a roll stand for."""

import argparse

from .errors import SettingsError
from .roll_options import ENDS, KINDS
from .settings import RollSettings

_OF_ROLL = ("roll", "rolls", "distance", "direction", "roll_speed", "roll_at", "then", "poses")
_OF_MADE = ("distance", "direction", "roll_at", "poses")
_MOST_ROLLS = 100


def roll_from(options: argparse.Namespace) -> RollSettings:
    given = [name for name in _OF_ROLL if getattr(options, name) is not None]
    if options.motion == "fall" and "then" in given:  # which has ends of its own
        given.remove("then")
    if options.motion != "roll":
        if given:
            raise SettingsError(
                f"{_option(given[0])} is for --motion roll, not {options.motion}; leave it out, or choose that motion."
            )
        return RollSettings()
    if options.controller != "qp":
        raise SettingsError(f"--motion roll is for --controller qp, not {options.controller}; leave that out.")
    if options.from_frame is not None or options.after is not None:
        raise SettingsError("A roll is baked as a whole; leave out --from and --after.")
    if options.then is not None and options.then not in ENDS:
        raise SettingsError(f"--then {options.then} is for --motion fall; after a roll, choose {', '.join(ENDS)}.")
    kind = options.roll or RollSettings().kind
    for name in _OF_MADE:
        if kind == "clip" and getattr(options, name) is not None:
            raise SettingsError(
                f"{_option(name)} is for a roll that is made, and the clip's own goes where it goes; choose a kind "
                f"with --roll {'|'.join(KINDS[1:])}."
            )
    if options.rolls is not None and options.distance is not None:
        raise SettingsError("--rolls and --distance both tell how far to roll; give one of them.")
    for name, low, high in (
        ("rolls", 1, _MOST_ROLLS),
        ("distance", 0.2, 200.0),
        ("direction", -180.0, 180.0),
        ("roll_speed", 0.3, 2.0),
    ):
        value = getattr(options, name)
        if value is not None and not low <= value <= high:
            raise SettingsError(f"{_option(name)} takes a number from {low:g} to {high:g}, not {value:g}.")
    return RollSettings(
        kind=kind,
        rolls=options.rolls,
        distance_m=options.distance,
        direction_deg=options.direction,
        speed=options.roll_speed or 1.0,
        at=options.roll_at,
        then=options.then,
        poses=options.poses,
    )


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
