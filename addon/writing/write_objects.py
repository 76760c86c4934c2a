"""Loose objects get keys too: for each a new action that puts it where it was simulated, whatever it hangs on."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
import numpy as np

from ...sim_core.arrays import Floats
from ..compat import action_curves, copy_parent, new_action, new_curve, source_action
from ..found_again import find_again
from ..generators import LongPieceAhead
from ..leftovers import mark, unmark
from ..reading.preview import copy_with_action
from ..reading.read_motion import RigMotion, scene_of_its_own
from ..takes.take_objects import BakedObject
from ..world.placements import Path as Moves
from ..world.scene_file import world_matrices
from ..world.world import Loose, World, WorldObject
from .curve_keys import baked_keys, held_keys, write_keys
from .object_channels import object_channels, rotation_path

if TYPE_CHECKING:
    from bpy.types import Action, Object, Scene

_PROMISED_M = 1e-3  # what the keys keep of the bake, or say that they do not
_GROUP = "Object Transforms"  # as Blender groups the channels of an object


class LooseMotions(NamedTuple):
    """What the worker said of the loose objects of a world."""

    world: World | None
    moves: dict[str, Moves]

    def items(self) -> Iterator[tuple[WorldObject, Loose, Moves]]:
        for item in () if self.world is None else self.world.loose:
            if item.loose is not None:
                yield item, item.loose, self.moves[item.name]


class _Written(NamedTuple):
    name: str
    uid: int
    action: "Action"
    switched: dict[str, Any]


@dataclass
class WrittenObjects:
    """Actions that no object plays yet, and that are Heft's own for the moment until `keep`."""

    warnings: list[str] = field(default_factory=list)
    written: list[_Written] = field(default_factory=list)

    def keep(self) -> None:
        for item in self.written:
            unmark(item.action)
            item.action.is_runtime_data = False

    def discard(self) -> None:
        for item in self.written:
            with suppress(ReferenceError):  # the file may be another by now
                bpy.data.actions.remove(item.action)
        self.written.clear()

    def baked(self) -> tuple[BakedObject, ...]:
        """With the objects that are still there."""
        found = []
        for item in self.written:
            thing = find_again(bpy.data.objects, item.name, item.uid)
            if thing is not None:
                source = source_action(thing)
                found.append(BakedObject(object=thing, action=item.action, source=source, switched=item.switched))
        return tuple(found)


def write_objects(
    scene: "Scene", motion: RigMotion, loose: LooseMotions, take_name: str
) -> Generator[float, None, WrittenObjects]:
    """Yields 0, its work is small beside the rig's. Closed early, nothing is left behind."""
    result = WrittenObjects()
    units = 1.0 / motion.rig.metres_per_unit
    try:
        for item, told, moves in loose.items():
            thing = find_again(bpy.data.objects, told.object_name, item.uid)
            if thing is None:
                result.warnings.append(f"'{told.object_name}' was deleted while it was simulated, and has no keys.")
                continue
            wanted = world_matrices(moves, item.placement, units)
            action = new_action(thing, f"{thing.name} {take_name}")
            mark(action)
            action.is_runtime_data = True  # a file saved meanwhile is saved without it
            result.written.append(_Written(thing.name, item.uid, action, switched_values(thing)))
            before = yield from _read_before(thing, motion.frames)
            _write(thing, action, motion.frames, object_channels(thing, before, wanted))
            away = yield from _farthest(thing, action, motion, wanted)
            if away > _PROMISED_M:
                result.warnings.append(
                    f"'{thing.name}' ends up to {1000 * away:.0f} mm away from where it was simulated: drivers, "
                    "or what it hangs on, hold it there."
                )
            yield 0.0
    except BaseException:
        result.discard()
        raise
    return result


def switched_values(thing: "Object") -> dict[str, Any]:
    """What the take has keys on, as it is now."""
    values: dict[str, Any] = {name: list(getattr(thing, name)) for name in ("location", rotation_path(thing))}
    if thing.rigid_body is not None:
        values["rigid_body.kinematic"] = bool(thing.rigid_body.kinematic)
    return values | {
        constraint.path_from_id("influence"): constraint.influence
        for constraint in thing.constraints
        if not constraint.mute
    }


def _write(thing: "Object", action: "Action", frames: Any, channels: dict[str, Floats]) -> None:
    """On top of a copy of what it played: other channels, as of its colour, stay."""
    for path, values in channels.items():
        for index in range(values.shape[1]):
            write_keys(_curve(thing, action, path, index), baked_keys(frames, values[:, index]))
    held = {path: 0.0 for path in switched_values(thing) if path.endswith(".influence")}
    if thing.rigid_body is not None:
        held["rigid_body.kinematic"] = 1.0  # Animated: Blender's own simulation follows the keys
    for path, value in held.items():
        write_keys(_curve(thing, action, path, 0), held_keys([float(frames[0])], [value]))


def _curve(thing: "Object", action: "Action", path: str, index: int) -> Any:
    curves = action_curves(action, thing)
    old = curves.find(path, index=index)
    if old is not None:
        curves.remove(old)
    return new_curve(action, thing, path, index, _GROUP)


def _read_before(thing: "Object", frames: Any) -> Generator[float, None, Floats]:
    """What the object's own transform is multiplied with, (T, 4, 4): where an empty in its place would be."""
    if thing.parent is None:
        return np.tile(np.eye(4), (len(frames), 1, 1))
    with _in_its_place(thing) as empty, scene_of_its_own(empty) as stage:
        yield LongPieceAhead(0.0)
        return (yield from _matrices(empty, stage, frames))


@contextmanager
def _in_its_place(thing: "Object") -> Iterator["Object"]:
    empty = bpy.data.objects.new("Heft reads a parent", None)
    try:
        mark(empty)
        empty.is_runtime_data = True
        copy_parent(thing, empty)
        yield empty
    finally:
        with suppress(ReferenceError):
            bpy.data.objects.remove(empty)


def _matrices(thing: "Object", stage: "Scene", frames: Any) -> Generator[float, None, Floats]:
    found = np.empty((len(frames), 4, 4))
    for row, frame in enumerate(frames):
        stage.frame_set(int(frame))
        found[row] = thing.evaluated_get(stage.view_layers[0].depsgraph).matrix_world
        yield 0.0
    return found


def _farthest(thing: "Object", action: "Action", motion: RigMotion, wanted: Floats) -> Generator[float, None, float]:
    """How far the object is from where it should be when it plays the action, at worst [m]."""
    with copy_with_action(thing, action) as copy, scene_of_its_own(copy) as stage:
        yield LongPieceAhead(0.0)
        played = yield from _matrices(copy, stage, motion.frames)
    return motion.rig.metres_per_unit * float(np.abs(played - wanted)[:, :3].max())
