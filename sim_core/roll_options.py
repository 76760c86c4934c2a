"""The command line's options of a roll, and the settings that they stand for."""

import argparse
from pathlib import Path

from .errors import SettingsError
from .settings import RollSettings

KINDS = ("clip", "forward", "backward", "sideways", "shoulder")
ENDS = ("stand", "clip", "roll")
_OF_ROLL = ("roll", "rolls", "distance", "direction", "roll_speed", "roll_at", "then", "poses")
_OF_MADE = ("distance", "direction", "roll_at", "poses")
_ROLL_HELP = "of roll: the clip's own roll, or one that is made for the character, out of poses"
_THEN_HELP = "of roll: what follows the last one: it stands up, the clip goes on, or it ends rolling"
_AT_HELP = "of roll: the frame of the clip at which it begins, instead of the first"
_DIRECTION_HELP = (
    "of roll: where to, from where the character faces, to the left where positive; ahead where nothing is said, "
    "and behind it for a backward roll"
)
_POSES_HELP = "of roll: a clip of the same rig, each frame of which is a pose to roll through, two or more"
_MOST_ROLLS = 100


def add_roll_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--roll", choices=KINDS, help=_ROLL_HELP)
    parser.add_argument("--rolls", type=int, metavar="N", help="of roll: how often; once where nothing is said")
    parser.add_argument("--distance", type=float, metavar="METRES", help="of roll: how far, instead of how often")
    parser.add_argument("--direction", type=float, metavar="DEG", help=_DIRECTION_HELP)
    parser.add_argument("--roll-speed", type=float, metavar="FACTOR", help="of roll: how fast; 1 is usual")
    parser.add_argument("--roll-at", type=int, metavar="F", help=_AT_HELP)
    parser.add_argument("--then", choices=ENDS, help=_THEN_HELP)
    parser.add_argument("--poses", type=Path, metavar="POSES.bvh", help=_POSES_HELP)


def roll_from(options: argparse.Namespace) -> RollSettings:
    given = [name for name in _OF_ROLL if getattr(options, name) is not None]
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
