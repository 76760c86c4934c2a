"""The button, and the two that end what it began."""

import bpy
from bpy.types import Context, Operator

from ..active_rig import rig_of, why_not
from . import handlers
from .bake_session import BakeSession
from .running_bake import IS_RUNNING, RunningBake

_NOT_RUNNING = "No bake is running."


class HEFT_OT_bake(RunningBake, Operator):
    bl_idname = "heft.bake"
    bl_label = "Bake to Physics"
    bl_description = (
        "Simulate the animation and put the result on the character as a new take. The source stays as it is"
    )

    @classmethod
    def poll(cls, context: Context) -> bool:
        reason = IS_RUNNING if handlers.running() else why_not(rig_of(context), context.scene)
        if reason:
            cls.poll_message_set(reason)
        return not reason

    def new_session(self, context: Context) -> BakeSession:
        return BakeSession(rig_of(context), context.scene)


class HEFT_OT_stop(Operator):
    bl_idname = "heft.stop"
    bl_label = "Stop"
    bl_description = BakeSession.what_stop_does
    bl_options = {"INTERNAL"}

    @classmethod
    def description(cls, _context: Context, _properties: "HEFT_OT_stop") -> str:
        session = handlers.running()
        return cls.bl_description if session is None else session.what_stop_does

    @classmethod
    def poll(cls, context: Context) -> bool:
        session = handlers.running()
        reason = _NOT_RUNNING if session is None else session.why_not_stop()
        if reason:
            cls.poll_message_set(reason)
        return not reason

    def execute(self, context: Context) -> set[str]:
        handlers.running().stop()
        return {"FINISHED"}


class HEFT_OT_cancel(Operator):
    bl_idname = "heft.cancel"
    bl_label = "Cancel"
    bl_description = BakeSession.what_cancel_does
    bl_options = {"INTERNAL"}

    @classmethod
    def description(cls, _context: Context, _properties: "HEFT_OT_cancel") -> str:
        session = handlers.running()
        return cls.bl_description if session is None else session.what_cancel_does

    @classmethod
    def poll(cls, context: Context) -> bool:
        if handlers.running() is None:
            cls.poll_message_set(_NOT_RUNNING)
            return False
        return True

    def execute(self, context: Context) -> set[str]:
        context.window_manager.heft.cancel = True
        return {"FINISHED"}


_CLASSES = (HEFT_OT_bake, HEFT_OT_stop, HEFT_OT_cancel)


def register() -> None:
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    handlers.end()
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
