"""What to bake and how: motion, world, the dial and the budget in sight, the rest behind closed headers."""

from bpy.types import Context, Object, Panel

from ..active_rig import range_to_bake, rig_of, source_of
from ..controller_choice import has_balance, has_presets
from ..engine_choice import installed_engines
from ..own_time import own_time
from . import panel_disturbances, panel_roll
from .body_check import check_body
from .panel_base import ClosedPanel, RigPanel, summary
from .panel_fall import draw_fall
from .panel_roll import draw_roll
from .realism_dial import draw_dial, draw_own_limits
from .wrapped_text import sentence


class HEFT_PT_motion(RigPanel, Panel):
    bl_idname = "HEFT_PT_motion"
    bl_label = "Motion"
    bl_order = 1

    def draw(self, context: Context) -> None:
        layout = self.settings_layout(context)
        armature = rig_of(context)
        rig = armature.heft
        column = layout.column()
        column.prop(rig, "motion")
        if rig.motion == "ROLL":
            draw_roll(column, context, rig.roll)
        elif rig.motion == "FALL":
            draw_fall(column, context, armature)
        column.prop(rig, "ground", placeholder="Flat floor")
        if rig.motion != "FALL":  # nobody helps who falls
            draw_dial(column, context, rig)
        column.prop(rig, "budget_choice")
        if rig.budget_choice == "SECONDS":
            column.prop(rig, "budget_s")


class HEFT_PT_frames(ClosedPanel, Panel):
    bl_idname = "HEFT_PT_frames"
    bl_label = "Frames"

    def draw_header_preset(self, context: Context) -> None:
        frames = range_to_bake(rig_of(context))
        summary(self.layout, "none" if frames is None else f"{frames.start} to {frames.end}")

    def draw(self, context: Context) -> None:
        layout = self.settings_layout(context)
        armature = rig_of(context)
        rig = armature.heft
        layout.prop(rig, "use_range")
        column = layout.column(align=True)
        column.enabled = rig.use_range
        column.prop(rig, "frame_start")
        column.prop(rig, "frame_end")
        if words := _frames_in_words(armature):
            sentence(layout, context, words, icon="INFO")
        column = layout.column(align=True)
        column.prop(rig, "blend_in")
        out = column.row()
        out.enabled = not own_time(rig.motion)  # which ends elsewhere than the source
        out.prop(rig, "blend_out")


def _frames_in_words(armature: Object) -> str:
    """What a range of one's own leaves to be said, if anything."""
    frames, holds = range_to_bake(armature), armature.heft.motion == "HOLD"
    if frames is None:
        why = "to say for how long its pose is held" if holds else "if other things move it"
        return f"The character has no action; switch on Own Range {why}."
    if holds:
        return f"Frame {frames.start} is held up to frame {frames.end}."
    if what := own_time(armature.heft.motion):
        return f"Frames {frames.start} to {frames.end} are read; the take is as long as the {what}."
    if armature.heft.use_range:
        return ""
    action = source_of(armature)
    where = "its NLA strips" if action is None else f"'{action.name}'"
    return f"All frames of {where} are baked: {frames.start} to {frames.end}."


class HEFT_PT_keys(ClosedPanel, Panel):
    bl_idname = "HEFT_PT_keys"
    bl_label = "Keys"

    def draw_header_preset(self, context: Context) -> None:
        rig = rig_of(context).heft
        summary(self.layout, "every frame" if rig.keys == "EVERY" else f"reduced, {rig.tolerance_mm:.1f} mm")

    def draw(self, context: Context) -> None:
        layout = self.settings_layout(context)
        armature = rig_of(context)
        rig = armature.heft
        layout.prop(rig, "keys")
        if rig.keys == "REDUCED":
            layout.prop(rig, "tolerance_mm")
        layout.prop(rig, "only_selected")
        if check_body(armature, context.scene).control_rig:
            layout.prop(rig, "target")


class HEFT_PT_advanced(ClosedPanel, Panel):
    bl_idname = "HEFT_PT_advanced"
    bl_label = "Advanced"

    def draw(self, context: Context) -> None:
        layout = self.settings_layout(context)
        rig = rig_of(context).heft
        layout.prop(rig, "engine")
        installed = installed_engines()
        if not installed:
            sentence(layout, context, "No physics engine is installed; install Heft again from its zip.", icon="ERROR")
        elif rig.engine != "AUTO" and rig.engine not in installed:
            name = next(iter(installed.values()))
            sentence(layout, context, f"This engine is not installed; choose {name} or Automatic.", icon="ERROR")
        column = layout.column()
        column.enabled = not own_time(rig.motion)  # which has its own
        column.prop(rig, "controller")
        row = column.row()
        row.enabled = has_presets(rig.controller)
        row.prop(rig, "preset")
        if has_balance(rig.controller, rig.preset):
            column.prop(rig, "balance")
        draw_own_limits(layout, context, rig)
        layout.prop(rig, "friction")
        layout.prop(rig, "stiffness", slider=True)
        column = layout.column(align=True)
        column.prop(rig, "height", text="Height (m)")
        column.prop(rig, "mass", text="Weight (kg)")
        layout.prop(rig, "source_fps")
        sentence(layout, context, "0 leaves it to Heft.", icon="INFO")
        layout.prop(rig, "seed")


CLASSES = (
    *panel_roll.CLASSES,
    HEFT_PT_motion,
    HEFT_PT_frames,
    *panel_disturbances.CLASSES,
    HEFT_PT_keys,
    HEFT_PT_advanced,
)
