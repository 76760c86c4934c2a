"""Going between the takes of a rig and their source."""

import bpy
from bpy.props import IntProperty
from bpy.types import Context, Event, Object, Operator

from ...sim_core.errors import HeftError
from ..active_rig import rig_of, why_locked
from .takes import NO_TAKE, delete_take, is_linked, take_in_use, use_take


def selected_take(armature: Object) -> int:
    """The take that is selected in the list, or NO_TAKE."""
    rig = armature.heft
    return rig.active_take if 0 <= rig.active_take < len(rig.takes) else NO_TAKE


class _TakeOperator:
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        reason = why_locked(context)
        if not reason and not rig_of(context).heft.takes:
            reason = "There is no take yet; bake one."
        if reason:
            cls.poll_message_set(reason)
        return not reason


class SelectedTakeOperator(_TakeOperator):
    @classmethod
    def poll(cls, context: Context) -> bool:
        if not super().poll(context):
            return False
        if selected_take(rig_of(context)) == NO_TAKE:
            cls.poll_message_set("Select a take in the list; the source is not one.")
            return False
        return True


class HEFT_OT_use_take(_TakeOperator, Operator):
    bl_idname = "heft.use_take"
    bl_label = "Use"
    bl_description = "Let the character play this take"

    take: IntProperty(name="Take", description="Place in the list, from 0; -1 is the source", default=NO_TAKE)

    @classmethod
    def description(cls, context: Context, properties: "HEFT_OT_use_take") -> str:
        return "Let the character play the source again" if properties.take == NO_TAKE else cls.bl_description

    def execute(self, context: Context) -> set[str]:
        armature = rig_of(context)
        if not NO_TAKE <= self.take < len(armature.heft.takes):
            self.report({"ERROR"}, f"'{armature.name}' has no take number {self.take + 1}.")
            return {"CANCELLED"}
        try:
            use_take(armature, self.take)
        except HeftError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class HEFT_OT_compare_take(SelectedTakeOperator, Operator):
    bl_idname = "heft.compare_take"
    bl_label = "Compare"
    bl_description = "Play the selected take and show its source as a ghost; press again to hide the ghost"

    def execute(self, context: Context) -> set[str]:
        armature = rig_of(context)
        view = context.scene.heft_view
        view.compare = not view.compare
        place = selected_take(armature)
        if not view.compare or take_in_use(armature) == place:
            return {"FINISHED"}
        try:
            use_take(armature, place)
        except HeftError as error:
            view.compare = False
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class HEFT_OT_delete_take(SelectedTakeOperator, Operator):
    bl_idname = "heft.delete_take"
    bl_label = "Delete"
    bl_description = "Delete the selected take and its keys. The source stays"

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not super().poll(context):
            return False
        armature = rig_of(context)
        if is_linked(armature, selected_take(armature)):
            cls.poll_message_set("This take came with the linked character; delete it in that file.")
            return False
        return True

    def invoke(self, context: Context, event: Event) -> set[str]:
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, context: Context) -> set[str]:
        armature = rig_of(context)
        delete_take(armature, selected_take(armature))
        if not armature.heft.takes:
            context.scene.heft_view.compare = False
        return {"FINISHED"}


_CLASSES = (HEFT_OT_use_take, HEFT_OT_compare_take, HEFT_OT_delete_take)


def register() -> None:
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
