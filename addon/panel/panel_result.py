"""What a bake came to: the takes so far, and of the selected one before and after in numbers."""

from bpy.types import Context, Object, Panel, UILayout, UIList

from ..active_rig import rig_of, source_of
from ..own_time import own_time
from ..takes.result_words import Line, Result, read_result
from ..takes.take_operators import selected_take
from ..takes.takes import NO_TAKE, take_in_use
from .panel_base import HeftPanel
from .status_icons import light
from .take_icons import take_icon
from .wrapped_text import sentence

_PICTURE = 3.4  # rows high
_ROW = 0.85  # height in the table: all of it fits on a small screen under the takes
_NAME, _BEFORE, _AFTER = 0.34, 0.38, 0.6  # widths in the table, each of what is left of it

_ASSIST = "How strongly an invisible hand holds the character up, in percent of the body weight"
_FOOT_TORQUE = "How strongly standing feet are steadied from outside, so that they do not topple. Assist includes it"
_LIKENESS = "How far the take is from the source: the angle in its joints and the distance from its path, on average"

_FRAMES = "The frames of the take: a roll or a fall takes the time it takes, whatever the source has"


class _TakesPanel(HeftPanel):
    @classmethod
    def poll(cls, context: Context) -> bool:
        armature = rig_of(context)
        return armature is not None and len(armature.heft.takes) > 0


class HEFT_UL_takes(UIList):
    bl_idname = "HEFT_UL_takes"

    def draw_item(self, _context, layout, rig, take, _icon, _active_data, _active_property, index) -> None:
        in_use = take_in_use(rig.id_data) == index
        row = layout.row(align=True)
        row.operator(
            "heft.use_take", text="", icon="RADIOBUT_ON" if in_use else "RADIOBUT_OFF", emboss=False
        ).take = index
        picture = None if take.action is None else take_icon(take.action)
        if picture is not None:
            row.template_icon(picture, scale=_PICTURE)
        row.prop(take, "name", text="", emboss=False)
        if take.action is None:
            row.label(text="deleted", icon="ERROR")
        elif not take.completed:
            lost = row.row()
            lost.alignment = "RIGHT"
            lost.label(text="lost", icon_value=light("RED"))


class HEFT_PT_takes(_TakesPanel, Panel):
    bl_idname = "HEFT_PT_takes"
    bl_label = "Takes"
    bl_order = 3

    def draw(self, context: Context) -> None:
        layout = self.layout
        armature = rig_of(context)
        rig = armature.heft
        column = layout.column(align=True)
        _draw_source(column.box(), armature)
        column.template_list(
            HEFT_UL_takes.bl_idname, "", rig, "takes", rig, "active_take", rows=min(3, len(rig.takes)), maxrows=6
        )
        view = context.scene.heft_view
        place = selected_take(armature)
        row = layout.row(align=True)
        use = row.row(align=True)
        use.enabled = place != NO_TAKE
        use.operator("heft.use_take", icon="PLAY").take = place
        row.operator("heft.compare_take", icon="GHOST_ENABLED", depress=view.compare)
        row.operator("heft.delete_take", icon="TRASH")
        layout.operator("heft.resimulate", icon="TRACKING_FORWARDS")
        if view.compare:
            column = layout.column()
            column.use_property_split = True
            column.use_property_decorate = False
            column.prop(view, "ghost_offset")


def _draw_source(layout: UILayout, armature: Object) -> None:
    """The first row of the list, which is no take."""
    in_use = take_in_use(armature) == NO_TAKE
    place = selected_take(armature)
    source = source_of(armature) if in_use or place == NO_TAKE else armature.heft.takes[place].source
    row = layout.row(align=True)
    row.scale_y = 0.8
    row.operator(
        "heft.use_take", text="", icon="RADIOBUT_ON" if in_use else "RADIOBUT_OFF", emboss=False
    ).take = NO_TAKE
    row.label(text="Source" if source is None else f"Source: {source.name}", translate=False)


class HEFT_PT_result(_TakesPanel, Panel):
    bl_idname = "HEFT_PT_result"
    bl_label = "Result"
    bl_order = 4

    def draw_header_preset(self, context: Context) -> None:
        armature = rig_of(context)
        place = selected_take(armature)
        if place != NO_TAKE:
            row = self.layout.row()
            row.active = False
            row.label(text=armature.heft.takes[place].name, translate=False)

    def draw(self, context: Context) -> None:
        layout = self.layout
        armature = rig_of(context)
        place = selected_take(armature)
        if place == NO_TAKE:
            sentence(layout, context, "Select a take in the list.", icon="INFO")
            return
        result = selected_result(armature)
        if result is None:
            sentence(layout, context, "This take has no report; bake again to see its numbers.", icon="INFO")
            return
        take = armature.heft.takes[place]
        _draw_result(layout, context, result, f"{take.frame_start} to {take.frame_end}")


def selected_result(armature: Object) -> Result | None:
    """What is known of the selected take; None where there is none, or nothing is known."""
    place = selected_take(armature)
    action = None if place == NO_TAKE else armature.heft.takes[place].action
    return None if action is None else read_result(action.get("heft_report", ""))


def _draw_result(layout: UILayout, context: Context, result: Result, frames: str) -> None:
    sentence(layout, context, result.headline, light=light(result.headline_light))
    table = layout.column(align=True)
    table.scale_y = _ROW
    head = _cells(table)
    for cell, text in zip(head, ("", "Before", "After", ""), strict=True):
        cell.active = False
        cell.label(text=text)
    for line in result.lines:
        _draw_line(table, line)
    table.separator()
    _draw_fact(table, "Assist", result.assist_light, result.assist, _ASSIST)
    if result.foot_torque:
        _draw_fact(table, "Foot torque", result.foot_torque_light, result.foot_torque, _FOOT_TORQUE)
    _draw_fact(table, "Likeness", "GREY", result.likeness, _LIKENESS)
    if own_time(result.motion):
        table.separator()
        for fact in result.facts:
            _draw_fact(table, fact.label, fact.light, fact.text, fact.meaning)
        _draw_fact(table, "Frames", "GREY", frames, _FRAMES)


def _draw_line(table: UILayout, line: Line) -> None:
    name, before, after, unit = _cells(table)
    name.label(text=line.label)
    _draw_light(before, line.before_light, line.meaning)
    before.label(text=line.before, translate=False)
    _draw_light(after, line.after_light, line.meaning)
    after.label(text=line.after, translate=False)
    unit.active = False
    unit.label(text=line.unit, translate=False)


def _draw_fact(table: UILayout, label: str, colour: str, text: str, meaning: str) -> None:
    split = table.split(factor=_NAME)
    split.label(text=label)
    row = split.row(align=True)
    _draw_light(row, colour, meaning)
    row.label(text=text, translate=False)


def _draw_light(layout: UILayout, colour: str, meaning: str) -> None:
    """A label cannot say what it means when the mouse rests on it; a button can."""
    layout.operator("heft.explain", text="", icon_value=light(colour), emboss=False).meaning = meaning


def _cells(table: UILayout) -> tuple[UILayout, UILayout, UILayout, UILayout]:
    """Name, before, after and unit."""
    split = table.split(factor=_NAME)
    name = split.row(align=True)
    split = split.split(factor=_BEFORE)
    before = split.row(align=True)
    split = split.split(factor=_AFTER)
    return name, before, split.row(align=True), split.row(align=True)


CLASSES = (HEFT_UL_takes, HEFT_PT_takes, HEFT_PT_result)
