"""The loose objects of a take: each has an action of its own there, and gets back what it played before."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import bpy
from bpy.types import Action, Object

from ..compat import assign_action
from .turn_back import SWITCHED, turn_back


@dataclass(frozen=True, kw_only=True)
class BakedObject:
    object: Object
    action: Action
    source: Action | None  # None for an object that was only placed
    switched: dict[str, Any]  # paths of the values that the take has keys on, and what they are without it
    made: bool = False  # for this take alone, and gone with it


def note_objects(take: Any, objects: Iterable[BakedObject]) -> None:
    """Put them on a take's list."""
    for baked in objects:
        baked.action[SWITCHED] = json.dumps(baked.switched)
        item = take.objects.add()
        item.name = baked.object.name
        item.object, item.action, item.source, item.made = baked.object, baked.action, baked.source, baked.made
        if baked.source is not None and baked.source.library is None:
            baked.source.use_fake_user = True


def play_objects(take: Any) -> None:
    """Those that were deleted since are left out."""
    for item in take.objects:
        if item.object is None or item.action is None:
            continue
        keep_what_plays(item.object)
        assign_action(item.object, item.action)
        if item.object.rigid_body is not None:  # keyed too; said here, Blender forgets what it has simulated
            item.object.rigid_body.kinematic = True


def rest_objects(armature: Object) -> None:
    """Whatever plays a take of this rig plays its source again, also where the rig itself was given another action."""
    for take in armature.heft.takes:
        for item in take.objects:
            if item.object is None or item.action is None or _plays(item.object) != item.action:
                continue
            assign_action(item.object, item.source)
            turn_back(item.object, item.action)


def delete_made(take: Any) -> None:
    """The objects that are there for this take alone."""
    for item in take.objects:
        if item.made and item.object is not None:
            discard(item.object)


def discard(item: Object) -> None:
    mesh = item.data
    bpy.data.objects.remove(item)
    if mesh.users == 0:
        bpy.data.meshes.remove(mesh)


def delete_actions(actions: Iterable[Action]) -> None:
    """An action that is used elsewhere, as in the NLA, stays."""
    for action in actions:
        if action.users == int(action.use_fake_user):
            bpy.data.actions.remove(action)


def keep_what_plays(item: Object) -> None:
    """An action of the person's own that nothing else uses would be gone with the next save."""
    action = _plays(item)
    if action is not None and action.library is None and action.users == 1:
        action.use_fake_user = True


def _plays(item: Object) -> Action | None:
    return None if item.animation_data is None else item.animation_data.action
