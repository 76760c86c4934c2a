"""The disturbances of the active rig as arrows, in the frames in which they act, before anything is baked."""

from typing import Any

import numpy as np
from bpy.types import Context, SpaceView3D

from ..active_rig import rig_of
from ..disturbances.read_disturbances import disturbance_of, handle_of
from ..disturbances.shown_body import ShownBody, body_at
from ..panel.body_check import check_body
from ..takes.takes import NO_TAKE, take_in_use
from . import colours
from .arrow_painting import paint_arrows, write_beside
from .colours import faded, lightened
from .disturbance_arrows import Stance, arrow, is_shown
from .draw_handlers import DrawHandlers, Drawing
from .paint import paint_on_ground, ui_scale
from .shown_take import view_of
from .view_projection import circle

_RING_M = 0.12  # radius
_WITH_RING = frozenset({"KEEP_LEVEL", "STANCE"})
_BESIDE_A_TAKE = 0.4  # opacity: the take has arrows of its own
_UP = np.array([0.0, 0.0, 1.0])


def draw_arrows(context: Context) -> None:
    """Over all else."""
    colour = colours.PUSH if _is_alone(context) else faded(colours.PUSH, _BESIDE_A_TAKE)
    for item, stance in _shown(context):
        disturbance, handle = disturbance_of(item), handle_of(item)
        found = arrow(disturbance, stance, None if handle is None else np.array(handle.matrix_world))
        if found is None:
            continue
        view, pixel = view_of(context), ui_scale()
        tails, tips = paint_arrows(view, pixel, found.tail[None], found.tip[None], colour, held=found.held)
        ends = (tails, tips) if found.held == "tip" else (tips, tails)
        write_beside(pixel, *ends, found.words, lightened(colour))


def draw_rings(context: Context) -> None:
    """In the scene: around what is kept level, and around feet that are told what to do."""
    colour = colours.PUSH if _is_alone(context) else faded(colours.PUSH, _BESIDE_A_TAKE)
    for item, stance in _shown(context):
        if item.kind in _WITH_RING:
            ring = circle(stance.place, _UP, _RING_M * stance.units_per_metre)
            size = (context.region.width, context.region.height)
            paint_on_ground(ring, faded(colour, 0.25), colour, 2.0 * ui_scale(), size)


def _shown(context: Context) -> list[tuple[Any, Stance]]:
    """The disturbances of this frame, each with where the character is."""
    armature = rig_of(context)
    view = context.scene.heft_view
    if armature is None or not (view.show_disturbances and context.space_data.overlay.show_overlays):
        return []
    now = [item for item in armature.heft.pushes if is_shown(disturbance_of(item), context.scene.frame_current)]
    if not now:
        return []
    units = 1.0 / check_body(armature, context.scene).metres_per_unit
    bodies = [body_at(armature, context.scene, _segment(item)) for item in now]
    return [(item, _stance(body, units)) for item, body in zip(now, bodies, strict=True) if body is not None]


def _segment(item: Any) -> str:
    if item.kind == "STANCE":
        return "foot_l" if item.foot == "LEFT" else "foot_r"
    return "pelvis" if item.kind == "TURN" else item.segment


def _stance(body: ShownBody, units: float) -> Stance:
    return Stance(place=np.array(body.place), forward=np.array(body.forward), units_per_metre=units)


def _is_alone(context: Context) -> bool:
    armature = rig_of(context)
    return armature is None or take_in_use(armature) == NO_TAKE


_handlers = DrawHandlers(
    "The disturbances",
    (Drawing(SpaceView3D, "POST_VIEW", draw_rings), Drawing(SpaceView3D, "POST_PIXEL", draw_arrows)),
)


def register() -> None:
    _handlers.add()


def unregister() -> None:
    _handlers.remove()
