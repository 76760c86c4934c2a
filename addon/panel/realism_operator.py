"""A button that turns the dial to a place with a name."""

import bpy
from bpy.props import EnumProperty
from bpy.types import Context, Operator

from ..active_rig import rig_of, why_locked
from ..realism_choice import PLACES

_PLACE_ITEMS = [(identifier, place.name, place.meaning) for identifier, place in PLACES.items()]


class HEFT_OT_set_realism(Operator):
    bl_idname = "heft.set_realism"
    bl_label = "Set Realism"
    bl_description = "Turn the dial to this place"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    place: EnumProperty(name="Place", description="Where the dial goes", items=_PLACE_ITEMS, options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: Context) -> bool:
        why_not = why_locked(context)
        if not why_not and rig_of(context).heft.own_limits:
            why_not = "Own Limits, under Advanced, take the place of the dial."
        if why_not:
            cls.poll_message_set(why_not)
        return not why_not

    @classmethod
    def description(cls, _context: Context, properties: "HEFT_OT_set_realism") -> str:
        return PLACES[properties.place].meaning

    def execute(self, context: Context) -> set[str]:
        rig_of(context).heft.realism = PLACES[self.place].realism
        return {"FINISHED"}


def register() -> None:
    bpy.utils.register_class(HEFT_OT_set_realism)


def unregister() -> None:
    bpy.utils.unregister_class(HEFT_OT_set_realism)
