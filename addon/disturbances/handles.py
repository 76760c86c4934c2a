"""Disturbances with a handle: where it is in the frames that matter, while the person's scene stays at its own."""

from collections.abc import Generator, Sequence
from dataclasses import replace

import bpy
import numpy as np
from bpy.types import Object

from ...sim_core.arrays import Floats
from ...sim_core.errors import SettingsError
from ..found_again import find_again
from ..generators import LongPieceAhead
from ..reading.read_motion import RigMotion, scene_of_its_own
from ..world.world import World
from .aimed import aimed
from .disturbance import Disturbance

_MOST_POINTS = 60  # of a handle that moves: command lines have an end


def with_handles(
    disturbances: Sequence[Disturbance], motion: RigMotion, world: World | None, bones: dict[str, str]
) -> Generator[float, None, tuple[Disturbance, ...]]:
    """All in metres, and none with a handle. `bones` has the bone of every segment."""
    done = []
    for item in disturbances:
        if item.handle is None:
            metres = motion.rig.metres_per_unit
            done.append(replace(item, points=tuple((metres * x, metres * y, metres * z) for x, y, z in item.points)))
            continue
        follows = _thing_of(item, world)
        if item.kind == "PULL" and follows:
            done.append(replace(item, by=follows, handle=None))
            continue
        thing = find_again(bpy.data.objects, item.handle.name, item.handle.uid)
        if thing is None:
            raise SettingsError(f"The handle '{item.handle.name}' of a {item.word} was deleted; give it another.")
        places = yield from places_of(thing, _frames(item), motion.rig.metres_per_unit)
        done.append(aimed(item, places, _bone_place(item, motion, bones)))
    return tuple(done)


def _thing_of(item: Disturbance, world: World | None) -> str:
    """The moving object of the world that the handle is; a name of the scene file."""
    for thing in () if world is None else world.objects:
        if thing.uid == item.handle.uid and (thing.path is not None or thing.loose is not None):
            return thing.name
    return ""


def _frames(item: Disturbance) -> list[int]:
    if item.kind != "PULL":
        return [item.frame]
    count = min(item.frames, _MOST_POINTS)
    return [round(frame) for frame in np.linspace(item.frame, item.frame + item.frames - 1, count)]


def places_of(thing: Object, frames: Sequence[int], metres: float) -> Generator[float, None, Floats]:
    """(T, 4, 4) in metres, at these frames."""
    found = np.empty((len(frames), 4, 4))
    with scene_of_its_own(thing) as stage:
        yield LongPieceAhead(1.0)
        for row, frame in enumerate(frames):
            stage.frame_set(frame)
            found[row] = thing.evaluated_get(stage.view_layers[0].depsgraph).matrix_world
            yield 1.0
    found[:, :3, 3] *= metres
    return found


def _bone_place(item: Disturbance, motion: RigMotion, bones: dict[str, str]) -> Floats:
    names = motion.clip.skeleton.names
    bone = bones.get(item.segment, "")
    row = int(np.clip(item.frame - int(motion.frames[0]), 0, len(motion.frames) - 1))
    if bone not in names:
        raise SettingsError(f"The rig has no {item.segment.replace('_', ' ')} to aim a {item.word} at; choose another.")
    place: Floats = motion.clip.world().positions[row, names.index(bone)]
    return place
