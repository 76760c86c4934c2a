"""What the boxes of a roll and of a fall both have: a button for the current frame, and handles."""

from typing import Any, ClassVar

import bpy
from bpy.types import Context, Object
from mathutils import Matrix

from ..active_rig import range_to_bake, rig_of, why_locked
from ..aiming.chosen_handle import is_deleted
from ..disturbances.shown_body import ShownBody, body_at
from .body_check import check_body


class RigOperator:
    """Changes what is set on the rig."""

    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        if locked := why_locked(context):
            cls.poll_message_set(locked)
        return not locked


class _AimOperator(RigOperator):
    motion: ClassVar[str]  # "roll" or "fall": the settings on the rig, and the word

    @classmethod
    def settings(cls, context: Context) -> Any:
        return getattr(rig_of(context).heft, cls.motion)


class AtCurrentFrame(_AimOperator):
    def execute(self, context: Context) -> set[str]:
        item = self.settings(context)
        item.use_frame, item.frame = True, context.scene.frame_current
        return {"FINISHED"}


class AddHandle(_AimOperator):
    """An arrow that leads where the direction does, so that nothing changes yet."""

    pointer = "handle"  # which of the settings holds it
    shape = "SINGLE_ARROW"
    size_m = 0.8  # it begins in the middle of the body

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not super().poll(context):
            return False
        handle = getattr(cls.settings(context), cls.pointer)
        if handle is not None and not is_deleted(handle):
            cls.poll_message_set("It has a handle already.")
            return False
        return True

    def execute(self, context: Context) -> set[str]:
        armature = rig_of(context)
        item, frames = self.settings(context), range_to_bake(armature)
        first = context.scene.frame_current if frames is None else frames.start
        body = body_at(armature, context.scene, "pelvis", item.frame if item.use_frame else first)
        if body is None:
            self.report({"ERROR"}, "Heft must see a body in the rig first; see Character.")
            return {"CANCELLED"}
        handle = bpy.data.objects.new(self.handle_name(armature), None)
        handle.empty_display_type = self.shape
        units = 1.0 / check_body(armature, context.scene).metres_per_unit
        handle.empty_display_size = self.size_m * units
        self.put(handle, body, item, armature, units)
        context.scene.collection.objects.link(handle)
        setattr(item, self.pointer, handle)
        return {"FINISHED"}

    def handle_name(self, armature: Object) -> str:
        return f"{self.motion.capitalize()} of {armature.name}"

    def put(self, handle: Object, body: ShownBody, item: Any, _armature: Object, _units: float) -> None:
        handle.location = body.place
        handle.rotation_mode = "QUATERNION"
        way = Matrix.Rotation(item.direction, 3, "Z") @ body.forward
        handle.rotation_quaternion = way.to_track_quat("Z", "Y")
