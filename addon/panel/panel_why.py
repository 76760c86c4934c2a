"""Why a take is not all of the performance: where something was given up, and what would help."""

from bpy.types import Context, Panel, UILayout

from ..active_rig import rig_of
from ..takes.given_up import GivenUp
from .panel_base import HeftPanel, summary
from .panel_result import selected_result
from .status_icons import light
from .wrapped_text import sentence

_MOST = 4  # more are no help in a sidebar
_ARROW = 26  # width of the button at the right [pixels at scale 1]


class HEFT_PT_why(HeftPanel, Panel):
    bl_idname = "HEFT_PT_why"
    bl_label = "Why"
    bl_parent_id = "HEFT_PT_result"

    @classmethod
    def poll(cls, context: Context) -> bool:
        armature = rig_of(context)
        result = None if armature is None else selected_result(armature)
        return result is not None and bool(result.given_up)

    def draw_header_preset(self, context: Context) -> None:
        count = len(selected_result(rig_of(context)).given_up)
        summary(self.layout, "1 place" if count == 1 else f"{count} places")

    def draw(self, context: Context) -> None:
        layout = self.layout
        given_up = selected_result(rig_of(context)).given_up
        for item in given_up[:_MOST]:
            _draw_given_up(layout, context, item)
        if len(given_up) > _MOST:
            row = layout.row()
            row.active = False
            row.label(text=f"and {len(given_up) - _MOST} more")


def _draw_given_up(layout: UILayout, context: Context, item: GivenUp) -> None:
    row = layout.row()
    said = row.column(align=True)
    sentence(said, context, item.sentence, light=light(item.light), indent=_ARROW)
    for advice in item.advice:
        subdued = said.column()
        subdued.active = False
        sentence(subdued, context, advice, icon="BLANK1", indent=_ARROW)
    row.operator("heft.go_to_frame", text="", icon="TRIA_RIGHT", emboss=False).frame = item.first_frame


CLASSES = (HEFT_PT_why,)
