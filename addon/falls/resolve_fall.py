"""A fall with its handles, read while the person's scene stays at its own frame."""

from collections.abc import Generator
from dataclasses import replace

from ..aiming.read_handle import read_direction, read_place
from ..reading.read_motion import RigMotion
from .fall import Fall


def resolve_fall(fall: Fall, motion: RigMotion, bones: dict[str, str]) -> Generator[float, None, Fall]:
    """Without a handle; `bones` has the bone of every segment."""
    if fall.handle is not None:
        degrees = yield from read_direction("fall", fall.handle, fall.at, motion, bones)
        fall = replace(fall, direction_deg=degrees, handle=None)
    if fall.landing is not None:
        place = yield from read_place("fall", fall.landing, fall.at, motion)
        x, y, z = (float(value) for value in place[:3, 3])
        fall = replace(fall, land_at_m=(x, y, z), landing=None)
    return fall
