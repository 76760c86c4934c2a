"""What the box of a roll does: presets, where it begins, its handle, and the poses that it goes through."""

import bpy
from bpy.props import BoolProperty, EnumProperty
from bpy.types import Context, Operator

from ..active_rig import rig_of
from ..rolls.kinds import PRESETS
from ..writing.stored_pose import store_pose
from .aim_operators import AddHandle, AtCurrentFrame, RigOperator

_PRESET_ITEMS = [(identifier, preset.name, preset.meaning) for identifier, preset in PRESETS.items()]


class HEFT_OT_roll_preset(RigOperator, Operator):
    bl_idname = "heft.roll_preset"
    bl_label = "Roll Preset"
    bl_description = "Set kind, number, speed and end of the roll. Direction, frame and poses stay"

    preset: EnumProperty(name="Preset", description="Which roll", items=_PRESET_ITEMS)

    def execute(self, context: Context) -> set[str]:
        rig, preset = rig_of(context).heft, PRESETS[self.preset]
        rig.motion = "ROLL"
        roll = rig.roll
        roll.kind, roll.then = preset.kind, preset.then
        roll.repeat, roll.rolls, roll.speed = "NUMBER", preset.rolls, 1.0
        return {"FINISHED"}


class HEFT_OT_roll_at_current_frame(AtCurrentFrame, Operator):
    bl_idname = "heft.roll_at_current_frame"
    bl_label = "Current Frame"
    bl_description = "Let the roll begin at the current frame"
    motion = "roll"


class HEFT_OT_add_roll_handle(AddHandle, Operator):
    bl_idname = "heft.add_roll_handle"
    bl_label = "Add Handle"
    bl_description = "An arrow at the character that shows where it rolls: turn it, or move it to where the roll goes"
    motion = "roll"


class HEFT_OT_add_roll_pose(RigOperator, Operator):
    bl_idname = "heft.add_roll_pose"
    bl_label = "Add Pose"
    bl_description = "Add a place for a pose of the pose library, or another action"

    def execute(self, context: Context) -> set[str]:
        roll = rig_of(context).heft.roll
        roll.poses.add()
        roll.active_pose = len(roll.poses) - 1
        return {"FINISHED"}


class HEFT_OT_add_current_pose(RigOperator, Operator):
    bl_idname = "heft.add_current_pose"
    bl_label = "Add Current Pose"
    bl_description = "Keep the pose that the rig has now as an action, and roll through it"

    def execute(self, context: Context) -> set[str]:
        armature = rig_of(context)
        roll = armature.heft.roll
        action = store_pose(armature, f"{armature.name} Roll Pose {len(roll.poses) + 1}")
        roll.poses.add().action = action
        roll.active_pose = len(roll.poses) - 1
        return {"FINISHED"}


class _ActivePoseOperator(RigOperator):
    @classmethod
    def poll(cls, context: Context) -> bool:
        if not super().poll(context):
            return False
        roll = rig_of(context).heft.roll
        if not 0 <= roll.active_pose < len(roll.poses):
            cls.poll_message_set("There is no pose in the list.")
            return False
        return True


class HEFT_OT_remove_roll_pose(_ActivePoseOperator, Operator):
    bl_idname = "heft.remove_roll_pose"
    bl_label = "Remove Pose"
    bl_description = "Take the selected pose out of the list; its action stays in the file"

    def execute(self, context: Context) -> set[str]:
        roll = rig_of(context).heft.roll
        roll.poses.remove(roll.active_pose)
        roll.active_pose = max(0, min(roll.active_pose, len(roll.poses) - 1))
        return {"FINISHED"}


class HEFT_OT_move_roll_pose(_ActivePoseOperator, Operator):
    bl_idname = "heft.move_roll_pose"
    bl_label = "Move Pose"
    bl_description = "Roll through the selected pose earlier or later"

    up: BoolProperty(name="Up", description="Earlier", default=True)

    def execute(self, context: Context) -> set[str]:
        roll = rig_of(context).heft.roll
        place = max(0, min(roll.active_pose + (-1 if self.up else 1), len(roll.poses) - 1))
        roll.poses.move(roll.active_pose, place)
        roll.active_pose = place
        return {"FINISHED"}


_CLASSES = (
    HEFT_OT_roll_preset,
    HEFT_OT_roll_at_current_frame,
    HEFT_OT_add_roll_handle,
    HEFT_OT_add_roll_pose,
    HEFT_OT_add_current_pose,
    HEFT_OT_remove_roll_pose,
    HEFT_OT_move_roll_pose,
)


def register() -> None:
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
