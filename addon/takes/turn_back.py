"""Values that a take has keys on, and what they were before: the source may not have keys on them."""

import json

from bpy.types import Action, Object

SWITCHED = "heft_switched"  # custom property of a take's action: RNA paths and values, as JSON


def turn_back(item: Object, action: Action) -> None:
    """Without keys, a value keeps what the take gave it last."""
    for path, value in json.loads(action.get(SWITCHED, "{}")).items():
        try:
            if path.endswith('"]'):  # a custom property, such as a rig's switch between FK and IK
                owner, _, name = path.rpartition("[")
                item.path_resolve(owner)[json.loads(name[:-1])] = value
            else:
                owner, _, name = path.rpartition(".")
                setattr(item.path_resolve(owner) if owner else item, name, value)
        except (ValueError, AttributeError, KeyError, TypeError):  # the constraint or bone was deleted since
            continue
