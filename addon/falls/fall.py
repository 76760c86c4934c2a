"""One fall as the worker is told of it, and refused in a sentence where it cannot be; no bpy here."""

from dataclasses import dataclass

from ..disturbances.disturbance import Handle, Triple
from ..given_options import given_options
from ..own_time import check_begin
from .kinds import Style, Then


@dataclass(frozen=True, kw_only=True)
class Fall:
    """Handles are still to be looked up: see resolve_fall.py."""

    style: Style
    strength: float
    reaction_s: float
    then: Then
    at: int | None = None  # frame of the scene; None is where it loses its balance
    direction_deg: float | None = None  # from where the character faces, to the left; None is where it is carried
    handle: Handle | None = None  # which tells the direction instead
    landing: Handle | None = None  # where it is to land
    land_at_m: Triple | None = None  # the same, looked up
    protect: tuple[str, ...] = ()  # segments


def fall_options(fall: Fall, first: int, last: int) -> list[str]:
    """For a bake whose simulated frames are first to last."""
    check_begin("fall", fall.at, first, last)
    place = None if fall.land_at_m is None else ":".join(f"{value:.9g}" for value in fall.land_at_m)
    options = given_options(
        {
            "--fall-style": fall.style.lower(),
            "--strength": fall.strength,
            "--reaction": fall.reaction_s,
            "--fall-at": fall.at,
            "--fall-to": fall.direction_deg,  # may begin with a minus
            "--land-at": place,
            "--then": None if fall.then == "LIE" else fall.then.lower(),  # who falls lies
        }
    )
    return options + [f"--protect={segment}" for segment in fall.protect]
