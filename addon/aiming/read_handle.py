"""Where a handle is, and which way it shows, while the person's scene stays at its own frame."""

from collections.abc import Generator

import bpy
import numpy as np

from ...sim_core.arrays import Floats
from ...sim_core.errors import SettingsError
from ..disturbances.disturbance import Handle
from ..disturbances.handles import places_of
from ..found_again import find_again
from ..reading.read_motion import RigMotion
from .direction import direction_of


def read_direction(
    what: str, handle: Handle, at: int | None, motion: RigMotion, bones: dict[str, str]
) -> Generator[float, None, float]:
    """From where the character faces in that frame, or in the first, to the left [deg]; `what` is "roll" or "fall"."""
    place = yield from read_place(what, handle, at, motion)
    row = int(np.clip(_frame(at, motion) - int(motion.frames[0]), 0, len(motion.frames) - 1))
    heads = motion.clip.frames(row, row + 1).world().positions[0]
    left_hip, right_hip = (_joint(what, segment, heads, motion, bones) for segment in ("thigh_l", "thigh_r"))
    return direction_of(what, handle.name, place, left_hip, right_hip)


def read_place(what: str, handle: Handle, at: int | None, motion: RigMotion) -> Generator[float, None, Floats]:
    """(4, 4) in metres, in that frame or in the first."""
    thing = find_again(bpy.data.objects, handle.name, handle.uid)
    if thing is None:
        raise SettingsError(f"The handle '{handle.name}' of the {what} was deleted; add another.")
    places = yield from places_of(thing, [_frame(at, motion)], motion.rig.metres_per_unit)
    place: Floats = places[0]
    return place


def _frame(at: int | None, motion: RigMotion) -> int:
    return int(motion.frames[0]) if at is None else at


def _joint(what: str, segment: str, heads: Floats, motion: RigMotion, bones: dict[str, str]) -> Floats:
    names = motion.clip.skeleton.names
    if bones.get(segment, "") not in names:
        raise SettingsError(f"The rig has no thighs that tell where it faces; clear the field Handle of the {what}.")
    place: Floats = heads[names.index(bones[segment])]
    return place
