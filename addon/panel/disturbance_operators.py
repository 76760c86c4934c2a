"""The list of disturbances of a rig, and the empties to aim them with."""

from typing import Any

import bpy
from bpy.props import EnumProperty
from bpy.types import Context, Object, Operator
from mathutils import Vector

from ..active_rig import range_to_bake, rig_of, why_locked
from ..disturbances.kinds import KIND_ITEMS, NAMES, WITH_HANDLE
from ..disturbances.read_disturbances import handle_of
from ..disturbances.shown_body import ShownBody, body_at
from .body_check import bones_of, check_body

_PULL_N = 60.0  # a firm grip; a push begins with more
_AWAY_M = 1.5  # from what is hit: where the handle of a throw stands
_REACH_M = 0.5  # ahead of what is pulled
_SIZE_M = 0.4  # of an arrow


class _DisturbanceOperator:
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        if locked := why_locked(context):
            cls.poll_message_set(locked)
        return not locked


class HEFT_OT_add_disturbance(_DisturbanceOperator, Operator):
    bl_idname = "heft.add_disturbance"
    bl_label = "Add Disturbance"
    bl_description = "Let something happen to the character at the current frame"

    kind: EnumProperty(name="Kind", description="What happens", items=KIND_ITEMS, default="PUSH")

    def execute(self, context: Context) -> set[str]:
        armature = rig_of(context)
        rig = armature.heft
        item = rig.pushes.add()
        item.kind = self.kind
        item.name = f"{NAMES[self.kind]} {1 + sum(other.kind == self.kind for other in rig.pushes[:-1])}"
        frames = range_to_bake(armature)
        item.frame = context.scene.frame_current
        if frames is not None:
            item.frame = min(max(item.frame, frames.start), frames.end)
        if self.kind in ("PULL", "KEEP_LEVEL"):
            item.segment = "hand_r" if "hand_r" in bones_of(armature, context.scene) else "forearm_r"
        if self.kind == "PULL":
            item.strength, item.frames = _PULL_N, 30
            body = body_at(armature, context.scene, item.segment, item.frame)
            if body is not None:
                item.to = body.place + body.forward * _REACH_M / _metres(armature, context)
        rig.active_push = len(rig.pushes) - 1
        return {"FINISHED"}


class _ActiveDisturbanceOperator(_DisturbanceOperator):
    @classmethod
    def poll(cls, context: Context) -> bool:
        if not super().poll(context):
            return False
        rig = rig_of(context).heft
        if not 0 <= rig.active_push < len(rig.pushes):
            cls.poll_message_set("There is no disturbance in the list.")
            return False
        return True


class HEFT_OT_remove_disturbance(_ActiveDisturbanceOperator, Operator):
    bl_idname = "heft.remove_disturbance"
    bl_label = "Remove Disturbance"
    bl_description = "Remove the selected disturbance; its handle stays in the scene"

    def execute(self, context: Context) -> set[str]:
        rig = rig_of(context).heft
        rig.pushes.remove(rig.active_push)
        rig.active_push = max(0, min(rig.active_push, len(rig.pushes) - 1))
        return {"FINISHED"}


class HEFT_OT_add_handle(_ActiveDisturbanceOperator, Operator):
    bl_idname = "heft.add_handle"
    bl_label = "Add Handle"
    bl_description = "An arrow at the bone, to aim the selected disturbance with: turn it, move it or animate it"

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not super().poll(context):
            return False
        rig = rig_of(context).heft
        item = rig.pushes[rig.active_push]
        if item.kind not in WITH_HANDLE:
            cls.poll_message_set(f"A {NAMES[item.kind].lower()} has nothing to aim.")
            return False
        if handle_of(item) is not None:
            cls.poll_message_set("It has a handle already.")
            return False
        return True

    def execute(self, context: Context) -> set[str]:
        armature = rig_of(context)
        item = armature.heft.pushes[armature.heft.active_push]
        body = body_at(armature, context.scene, item.segment, item.frame)
        if body is None:
            self.report({"ERROR"}, "This part of the body was not found in the rig; choose another.")
            return {"CANCELLED"}
        units = 1.0 / _metres(armature, context)
        place, arrow = _aim(item, body, units)
        handle = bpy.data.objects.new(f"{item.name} of {armature.name}", None)
        handle.empty_display_type, handle.empty_display_size = "SINGLE_ARROW", _SIZE_M * units
        handle.location = place
        handle.rotation_mode = "QUATERNION"
        handle.rotation_quaternion = arrow.to_track_quat("Z", "Y")
        context.scene.collection.objects.link(handle)
        if item.kind == "PUSH":
            item.strength = Vector(item.force).length
        item.handle = handle
        return {"FINISHED"}


def _aim(item: Any, body: ShownBody, units: float) -> tuple[Vector, Vector]:
    """Where the handle goes and points to so that nothing changes yet."""
    if item.kind == "PUSH":
        force = body.in_world(Vector(item.force)) if item.space == "CHARACTER" else Vector(item.force)
        return body.place, force if force.length else body.forward
    if item.kind == "THROW":
        from_there = body.side(item.side, Vector(item.direction))
        return body.place + _AWAY_M * units * from_there, -from_there
    to = Vector(item.to)
    return to, to - body.place if (to - body.place).length else body.forward


def _metres(armature: Object, context: Context) -> float:
    return check_body(armature, context.scene).metres_per_unit


_CLASSES = (HEFT_OT_add_disturbance, HEFT_OT_remove_disturbance, HEFT_OT_add_handle)


def register() -> None:
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
