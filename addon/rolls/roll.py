"""One roll as the worker is told of it, and refused in a sentence where it cannot be; no bpy here."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ...sim_core.errors import SettingsError
from ..disturbances.disturbance import Handle
from .kinds import Kind, Then

FEWEST_POSES = 2


class PoseKey(NamedTuple):
    """An action of Blender by name and number."""

    name: str
    uid: int


@dataclass(frozen=True, kw_only=True)
class Roll:
    """The clip's own roll has `rolls` and `speed` only. A handle is still to be looked up: see resolve_roll.py."""

    kind: Kind
    speed: float
    rolls: int | None = None  # how often, or
    distance_m: float | None = None  # how far
    at: int | None = None  # frame of the scene; None is the first that is simulated
    direction_deg: float | None = None  # from where the character faces, to the left; None is as usual
    handle: Handle | None = None  # which tells the direction instead
    then: Then | None = None
    poses: tuple[PoseKey, ...] = ()  # empty: Heft's own


def roll_options(roll: Roll, poses: Path, first: int, last: int) -> list[str]:
    """For a bake whose simulated frames are first to last; `poses` is the file that holds the key poses."""
    if roll.at is not None and not first <= roll.at <= last:
        raise SettingsError(
            f"The roll begins at frame {roll.at}, and frames {first} to {last} are simulated; let it begin at one of "
            "these."
        )
    arguments = ["--roll", roll.kind.lower(), "--roll-speed", f"{roll.speed:.6g}"]
    for option, value in (
        ("--rolls", roll.rolls),
        ("--distance", None if roll.distance_m is None else f"{roll.distance_m:.6g}"),
        ("--direction", None if roll.direction_deg is None else f"{roll.direction_deg:.6g}"),
        ("--roll-at", roll.at),
        ("--then", None if roll.then is None else roll.then.lower()),
        ("--poses", poses if roll.poses else None),
    ):
        if value is not None:
            arguments.append(f"{option}={value}")  # a direction may begin with a minus
    return arguments
