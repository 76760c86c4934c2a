"""The settings that the command line's options of a fall stand for."""

import argparse

from .errors import SettingsError
from .fall_options import ENDS
from .settings import FallSettings

_OF_FALL = ("fall_at", "fall_to", "fall_style", "protect", "land_at", "strength", "reaction")


def fall_from(options: argparse.Namespace) -> FallSettings:
    given = [name for name in _OF_FALL if getattr(options, name) is not None]
    if options.motion != "fall":
        if given:
            raise SettingsError(
                f"{_option(given[0])} is for --motion fall, not {options.motion}; leave it out, or choose that motion."
            )
        return FallSettings()
    if options.controller != "qp":
        raise SettingsError(f"--motion fall is for --controller qp, not {options.controller}; leave that out.")
    if options.from_frame is not None or options.after is not None:
        raise SettingsError("A fall is baked as a whole; leave out --from and --after.")
    for name, low, high in (("fall_to", -180.0, 180.0), ("strength", 0.1, 3.0), ("reaction", 0.0, 2.0)):
        value = getattr(options, name)
        if value is not None and not low <= value <= high:
            raise SettingsError(f"{_option(name)} takes a number from {low:g} to {high:g}, not {value:g}.")
    if options.then is not None and options.then not in ENDS:
        raise SettingsError(f"--then {options.then} is for --motion roll; after a fall, choose {', '.join(ENDS)}.")
    usual = FallSettings()
    return FallSettings(
        at=options.fall_at,
        direction_deg=options.fall_to,
        style=options.fall_style or usual.style,
        protect=tuple(options.protect or ()),
        land_at_m=None if options.land_at is None else _place(options.land_at),
        strength=usual.strength if options.strength is None else options.strength,
        then=options.then or usual.then,
        delay_s=usual.delay_s if options.reaction is None else options.reaction,
    )


def _place(text: str) -> tuple[float, float, float]:
    try:
        x, y, z = (float(part) for part in text.split(":"))
    except ValueError:
        raise SettingsError(f"--land-at takes three numbers in metres such as 0.5:-1:0, not '{text}'.") from None
    return x, y, z


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
