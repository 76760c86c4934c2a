"""The takes of a rig: baked actions, what they were baked from, and what there is to show of them."""

import json
from dataclasses import dataclass
from typing import Any

import bpy
from bpy.types import Action, Object

from ...sim_core.errors import HeftError
from ..compat import assign_action

NO_TAKE = -1
# Custom properties of a take's action: what there is to draw, what there is to say, what to turn back, metres per unit,
# and the name under which more of it is kept outside of the file.
_DATA, _REPORT, _SWITCHED, _UNITS, _ID = "heft_take", "heft_report", "heft_switched", "heft_units", "heft_id"


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


def add_take(armature: Object, action: Action, baked: BakedTake) -> int:
    """Put the take on the rig's list and into use; returns its place."""
    action[_DATA] = baked.data
    action[_REPORT] = json.dumps(baked.report)
    action[_SWITCHED] = json.dumps(baked.switched)
    action[_UNITS] = baked.metres_per_unit
    action[_ID] = baked.id
    if take_in_use(armature) != NO_TAKE:
        use_take(armature, NO_TAKE)  # whatever that take turned, this one may not turn
    take = armature.heft.takes.add()
    take.name = _next_name(armature)
    take.action, take.source = action, baked.source
    take.frame_start, take.frame_end = baked.frame_start, baked.frame_end
    take.completed = baked.completed
    armature.heft.active_take = len(armature.heft.takes) - 1
    _keep_what_plays(armature)
    assign_action(armature, action)
    return int(armature.heft.active_take)


def take_id(action: Action) -> str:
    """Empty for a take of an earlier version; copies of a take have the same."""
    return str(action.get(_ID, ""))


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
    if before != NO_TAKE:
        assign_action(armature, takes[before].source)
        _turn_back(armature, takes[before].action)
    if place != NO_TAKE:
        _keep_what_plays(armature)
        assign_action(armature, takes[place].action)
        armature.heft.active_take = place


def delete_take(armature: Object, place: int) -> None:
    """Take and action are gone; an action that is used elsewhere, as in the NLA, stays."""
    rig = armature.heft
    if take_in_use(armature) == place:
        use_take(armature, NO_TAKE)
    action = rig.takes[place].action
    rig.takes[place].action = None
    rig.takes.remove(place)
    if rig.active_take >= place:
        rig.active_take = max(rig.active_take - 1, min(len(rig.takes) - 1, 0))
    if action is not None and action.users == int(action.use_fake_user):
        bpy.data.actions.remove(action)


def is_linked(armature: Object, place: int) -> bool:
    """Whether the take came with the linked character that this one overrides; Blender lets nobody remove it here."""
    override = armature.override_library
    return override is not None and place < len(override.reference.heft.takes)


def next_number(armature: Object) -> int:
    """The number of the next take: one more than the highest, so that a name is never used twice in a row."""
    numbers = [int(last) for take in armature.heft.takes if (last := take.name.rpartition(" ")[2]).isdecimal()]
    return max(numbers, default=0) + 1


def _next_name(armature: Object) -> str:
    return f"Take {next_number(armature)}"


def _keep_what_plays(armature: Object) -> None:
    """An action of the person's own that nothing else uses would be gone with the next save."""
    action = None if armature.animation_data is None else armature.animation_data.action
    if action is not None and action.library is None and action.users == 1:
        action.use_fake_user = True


def _turn_back(armature: Object, action: Action) -> None:
    """Values that the take has keys on keep what it gave them last; the source may not have keys on them."""
    for path, value in json.loads(action.get(_SWITCHED, "{}")).items():
        try:
            if path.endswith('"]'):  # a custom property, such as a rig's switch between FK and IK
                owner, _, name = path.rpartition("[")
                armature.path_resolve(owner)[json.loads(name[:-1])] = value
            else:
                owner, _, name = path.rpartition(".")
                setattr(armature.path_resolve(owner), name, value)
        except (ValueError, AttributeError, KeyError, TypeError):  # the constraint or bone was deleted since
            continue
