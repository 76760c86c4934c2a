"""The button that keeps the first frames of a take and simulates only the rest."""

import bpy
from bpy.types import Context, Operator

from ...sim_core.errors import SettingsError
from ..active_rig import rig_of, why_not
from ..takes.take_operators import SelectedTakeOperator, selected_take
from . import handlers
from .bake_session import BakeSession
from .earlier_take import EarlierTake, earlier_take
from .running_bake import IS_RUNNING, RunningBake


class HEFT_OT_resimulate(RunningBake, SelectedTakeOperator, Operator):
    bl_idname = "heft.resimulate"
    bl_label = "Re-Simulate From Here"
    bl_description = (
        "Simulate the source as it is now from the current frame on, with the current settings, and put the result on "
        "the character as a new take. The frames before are those of the selected take"
    )

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not super().poll(context):
            return False
        reason = IS_RUNNING if handlers.running() else _why_not_selected(context)
        if reason:
            cls.poll_message_set(reason)
        return not reason

    def new_session(self, context: Context) -> BakeSession:
        return BakeSession(rig_of(context), context.scene, after=_selected(context))


def _why_not_selected(context: Context) -> str:
    try:
        earlier = _selected(context)
    except SettingsError as error:
        return str(error)
    return why_not(rig_of(context), context.scene, earlier.frames)


def _selected(context: Context) -> EarlierTake:
    armature = rig_of(context)
    return earlier_take(armature, selected_take(armature), context.scene)


def register() -> None:
    bpy.utils.register_class(HEFT_OT_resimulate)


def unregister() -> None:
    bpy.utils.unregister_class(HEFT_OT_resimulate)
