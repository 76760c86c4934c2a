"""The button that bakes a fall six times, each time another one."""

import bpy
from bpy.props import IntProperty
from bpy.types import Context, Operator

from ..active_rig import rig_of, why_not
from . import handlers
from .bake_series import BakeSeries
from .bake_session import BakeSession
from .running_bake import IS_RUNNING, RunningBake

_SIX = 6
_OF_FALLS = "Six Takes bakes six different falls; choose Fall under Motion."


class HEFT_OT_six_takes(RunningBake, Operator):
    bl_idname = "heft.six_takes"
    bl_label = "Six Takes"
    bl_description = (
        "Bake six different falls, one after another, as six takes: Seed and the five that follow it. Stop keeps "
        "those that are done and the best so far of the one that is not; Cancel, or Esc, only those that are done"
    )

    count: IntProperty(name="Takes", description="How many", default=_SIX, min=1, options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def poll(cls, context: Context) -> bool:
        armature = rig_of(context)
        reason = IS_RUNNING if handlers.running() else why_not(armature, context.scene)
        if not reason and armature.heft.motion != "FALL":
            reason = _OF_FALLS
        if reason:
            cls.poll_message_set(reason)
        return not reason

    def new_session(self, context: Context) -> BakeSeries:
        armature = rig_of(context)
        seeds = range(armature.heft.seed, armature.heft.seed + self.count)
        return BakeSeries([BakeSession(armature, context.scene, seed=seed) for seed in seeds])


def register() -> None:
    bpy.utils.register_class(HEFT_OT_six_takes)


def unregister() -> None:
    bpy.utils.unregister_class(HEFT_OT_six_takes)
