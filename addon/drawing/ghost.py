"""Compare: the source as a soft blue ghost, in place or beside the take; drawn only, nothing is added to the scene."""

import numpy as np
from bpy.types import Context, SpaceView3D

from . import colours
from .body_outlines import joint_outlines, link_outlines, posed_shapes
from .draw_handlers import DrawHandlers, Drawing
from .figure_painting import silhouette
from .paint import paint_in_front, ui_scale
from .shown_take import ShownTake, playing_take, view_of

_DEPTHS = (-0.998, -0.996)  # behind the shapes of the take, before the scene
_FILL, _LINE = colours.faded(colours.SOURCE, 0.16), colours.faded(colours.SOURCE, 0.95)


def draw(context: Context) -> None:
    view_settings = context.scene.heft_view
    if not (view_settings.compare and context.space_data.overlay.show_overlays):
        return
    shown = playing_take(context)
    row = None if shown is None else shown.row(context.scene)
    if shown is not None and row is not None:
        _draw_ghost(context, shown, row, np.array(view_settings.ghost_offset))


def _draw_ghost(context: Context, shown: ShownTake, row: int, offset: np.ndarray) -> None:
    view, take = view_of(context), shown.take
    positions = take.before_positions[row] + offset / shown.units_per_metre
    shapes = posed_shapes(take, positions, take.before_rotations[row], shown.units_per_metre)
    outlines = np.concatenate([link_outlines(shapes, view).pixels, joint_outlines(take, shapes, view)])
    paint_in_front(silhouette(outlines, _FILL, _LINE, 2.0 * ui_scale(), _DEPTHS), view.size)


_handlers = DrawHandlers("The ghost", (Drawing(SpaceView3D, "POST_VIEW", draw),))


def register() -> None:
    _handlers.add()


def unregister() -> None:
    _handlers.remove()
