"""The takes of a rig: baked actions, what they were baked from, and what there is to show of them."""

import json
from dataclasses import dataclass
from typing import Any

from bpy.types import Action, Object

from ...sim_core.errors import HeftError
from ..compat import assign_action
from .take_objects import (
    BakedObject,
    delete_actions,
    delete_made,
    keep_what_plays,
    note_objects,
    play_objects,
    rest_objects,
)
from .turn_back import SWITCHED, turn_back

NO_TAKE = -1
# Custom properties of a take's action: what there is to draw, what there is to say, metres per unit, a picture for
# the list, and the name under which more of it is kept outside of the file.
_DATA, _REPORT, _UNITS, _PICTURE, _ID = "heft_take", "heft_report", "heft_units", "heft_picture", "heft_id"


@dataclass(frozen=True, kw_only=True)
class BakedTake:
    """All that makes a take, beside its action."""

    source: Action | None  # None where the NLA or other things moved the rig
    frame_start: int
    frame_end: int
    completed: bool
    report: dict[str, Any]
    data: bytes  # a Take, as sim_core writes it
    switched: dict[str, float]  # paths of the values that the take has keys on, and what they are without it
    metres_per_unit: float
    id: str
    label: str = ""  # what tells it from others
    picture: bytes = b""  # as take_picture.py keeps it; empty for a take that has none
    objects: tuple[BakedObject, ...] = ()  # what was loose


def add_take(armature: Object, action: Action, baked: BakedTake) -> int:
    """Put the take on the rig's list and into use; returns its place."""
    for name in (_DATA, _PICTURE):  # bytes over bytes, of a source that is a take itself, end at their first zero
        action.pop(name, None)
    action[_DATA] = baked.data
    action[_REPORT] = json.dumps(baked.report)
    action[SWITCHED] = json.dumps(baked.switched)
    action[_UNITS] = baked.metres_per_unit
    action[_ID] = baked.id
    if baked.picture:
        action[_PICTURE] = baked.picture
    if take_in_use(armature) != NO_TAKE:
        use_take(armature, NO_TAKE)  # whatever that take turned, this one may not turn
    take = armature.heft.takes.add()
    take.name = _next_name(armature, baked.label)
    take.action, take.source = action, baked.source
    take.frame_start, take.frame_end = baked.frame_start, baked.frame_end
    take.completed = baked.completed
    armature.heft.active_take = len(armature.heft.takes) - 1
    note_objects(take, baked.objects)
    keep_what_plays(armature)
    assign_action(armature, action)
    play_objects(take)
    return int(armature.heft.active_take)


def take_id(action: Action) -> str:
    """Empty for a take of an earlier version; copies of a take have the same."""
    return str(action.get(_ID, ""))


def picture_of(action: Action) -> bytes:
    """Empty where it has none."""
    kept = action.get(_PICTURE, b"")
    return kept if isinstance(kept, bytes) else b""


def take_in_use(armature: Object) -> int:
    """The place of the take that the rig plays now, or NO_TAKE."""
    data = armature.animation_data
    action = None if data is None else data.action
    if action is None:
        return NO_TAKE
    return next((place for place, take in enumerate(armature.heft.takes) if take.action == action), NO_TAKE)


def use_take(armature: Object, place: int) -> None:
    """Play a take; NO_TAKE goes back to the source of the one that plays now."""
    takes = armature.heft.takes
    before = take_in_use(armature)
    if place != NO_TAKE and takes[place].action is None:
        raise HeftError(f"The action of '{takes[place].name}' was deleted; delete the take too, or bake again.")
    rest_objects(armature)
    if before != NO_TAKE:
        assign_action(armature, takes[before].source)
        turn_back(armature, takes[before].action)
    if place != NO_TAKE:
        keep_what_plays(armature)
        assign_action(armature, takes[place].action)
        play_objects(takes[place])
        armature.heft.active_take = place


def delete_take(armature: Object, place: int) -> None:
    """Take and action are gone; an action that is used elsewhere, as in the NLA, stays."""
    rig = armature.heft
    if take_in_use(armature) == place:
        use_take(armature, NO_TAKE)
    take = rig.takes[place]
    actions = [action for action in (take.action, *(item.action for item in take.objects)) if action is not None]
    delete_made(take)
    take.action = None
    take.objects.clear()
    rig.takes.remove(place)
    if rig.active_take >= place:
        rig.active_take = max(rig.active_take - 1, min(len(rig.takes) - 1, 0))
    delete_actions(actions)


def is_linked(armature: Object, place: int) -> bool:
    """Whether the take came with the linked character that this one overrides; Blender lets nobody remove it here."""
    override = armature.override_library
    return override is not None and place < len(override.reference.heft.takes)


def next_number(armature: Object) -> int:
    """The number of the next take: one more than the highest, so that a name is never used twice in a row."""
    names = (take.name.partition(" (")[0] for take in armature.heft.takes)
    numbers = [int(last) for name in names if (last := name.rpartition(" ")[2]).isdecimal()]
    return max(numbers, default=0) + 1


def _next_name(armature: Object, label: str) -> str:
    return f"Take {next_number(armature)}{f' ({label})' if label else ''}"
