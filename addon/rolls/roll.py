"""One roll as the worker is told of it, and refused in a sentence where it cannot be; no bpy here."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..disturbances.disturbance import Handle
from ..given_options import given_options
from ..own_time import check_begin
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
    check_begin("roll", roll.at, first, last)
    return given_options(
        {
            "--roll": roll.kind.lower(),
            "--roll-speed": roll.speed,
            "--rolls": roll.rolls,
            "--distance": roll.distance_m,
            "--direction": roll.direction_deg,  # may begin with a minus
            "--roll-at": roll.at,
            "--then": None if roll.then is None else roll.then.lower(),
            "--poses": poses if roll.poses else None,
        }
    )
