"""The character: whether Heft sees its body, and a fix for every bone that it does not."""

from bpy.types import Context, Panel, UILayout

from ...sim_core.rig.segments import SIDES, kind
from ..active_rig import rig_of
from .body_check import BodyCheck, Part, check_body
from .panel_base import HeftPanel, RigPanel
from .status_icons import light
from .wrapped_text import sentence

_LIGHTS = {"FOUND": "GREEN", "CHOSEN": "GREEN", "GUESSED": "YELLOW", "MISSING": "RED", "ABSENT": "GREY"}

_MOST_HERE = 6  # doubtful parts; where there are more, the bone map below has room for them


class HEFT_PT_character(HeftPanel, Panel):
    bl_idname = "HEFT_PT_character"
    bl_label = "Character"
    bl_order = 0

    def draw(self, context: Context) -> None:
        layout = self.layout
        armature = rig_of(context)
        if armature is None:
            sentence(layout, context, "Select the armature of a character, or its mesh.", icon="ARMATURE_DATA")
            return
        check = check_body(armature, context.scene)
        column = layout.column(align=True)
        column.label(text=armature.name, icon="ARMATURE_DATA")
        sentence(column, context, check.headline, light=light(check.light))
        if check.trouble:
            sentence(layout, context, check.trouble, icon="BLANK1")
        _draw_doubts(layout, context, check)


def _draw_doubts(layout: UILayout, context: Context, check: BodyCheck) -> None:
    """What asks for a look, right here; everything else is in the bone map."""
    doubtful = [part for part in check.parts if part.needs_a_look]
    if check.light == "YELLOW" and check.notes:
        sentence(layout, context, check.notes[0], icon="BLANK1")
    if 0 < len(doubtful) <= _MOST_HERE:
        column = layout.column(align=True)
        column.enabled = not context.window_manager.heft.running
        for part in doubtful:
            draw_part(column, part)


class HEFT_PT_bone_map(RigPanel, Panel):
    bl_idname = "HEFT_PT_bone_map"
    bl_label = "Bone Map"
    bl_parent_id = "HEFT_PT_character"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        layout = self.layout
        check = check_body(rig_of(context), context.scene)
        column = layout.column(align=True)
        column.enabled = not context.window_manager.heft.running
        for part in check.parts:
            draw_part(column, part)
        for note in check.notes:
            sentence(layout, context, note, icon="INFO")


def draw_part(layout: UILayout, part: Part) -> None:
    """A part of the body, its bone, and the ways to set it."""
    split = layout.split(factor=0.44, align=True)
    split.label(text=_short_name(part.segment), icon_value=light(_LIGHTS[part.finding]))
    row = split.row(align=True)
    bone = part.bone.rpartition(":")[2]  # the room is narrow, and all bones of a rig share what stands before a colon
    row.operator("heft.choose_bone", text=bone or "Choose...", translate=False).segment = part.segment
    row.operator("heft.pick_bone", text="", icon="EYEDROPPER").segment = part.segment
    if part.finding == "CHOSEN":
        row.operator("heft.clear_bone", text="", icon="X").segment = part.segment


def _short_name(segment: str) -> str:
    """As animators name bones: "Upper arm L"."""
    side = segment[-1].upper() if segment.endswith(SIDES) else ""
    return f"{kind(segment).replace('_', ' ').capitalize()} {side}".rstrip()


CLASSES = (HEFT_PT_character, HEFT_PT_bone_map)
