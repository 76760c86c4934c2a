"""The take that is drawn, and the viewport that it is drawn in."""

from typing import NamedTuple

import numpy as np
from bpy.types import Context, Object, Scene

from ...sim_core.reporting.take import Take
from ..active_rig import rig_of
from ..takes.given_up import GivenUp
from ..takes.take_cache import TakeCache
from .view_projection import View

_cache = TakeCache()


class ShownTake(NamedTuple):
    take: Take
    frame_start: int  # the scene's frame of its first row
    units_per_metre: float  # Blender's units
    given_up: tuple[GivenUp, ...] = ()

    def row(self, scene: Scene) -> int | None:
        """The row of the scene's current frame; None outside of the take."""
        row = scene.frame_current - self.frame_start
        return row if 0 <= row < len(self.take) else None


def selected_take(context: Context) -> ShownTake | None:
    """The take that is selected in the list of the active rig, where it has something to show."""
    armature = rig_of(context)
    if armature is None or not 0 <= armature.heft.active_take < len(armature.heft.takes):
        return None
    chosen = armature.heft.takes[armature.heft.active_take]
    data = None if chosen.action is None else _cache.data_of(chosen.action)
    if data is None:
        return None
    return ShownTake(data.take, chosen.frame_start, 1.0 / data.metres_per_unit, data.given_up)


def playing_take(context: Context) -> ShownTake | None:
    """The selected take, unless the rig plays another action: arrows beside the feet would only confuse."""
    shown = selected_take(context)
    return shown if shown is not None and _plays_selected(rig_of(context)) else None


def forget() -> None:
    _cache.clear()


def _plays_selected(armature: Object) -> bool:
    """True also where no action is assigned, as with a take that was pushed down to the NLA."""
    data = armature.animation_data
    action = None if data is None else data.action
    return action is None or action == armature.heft.takes[armature.heft.active_take].action


def view_of(context: Context) -> View:
    """The viewport that is being drawn."""
    region, region_3d = context.region, context.region_data
    inverse = region_3d.view_matrix.inverted()
    return View(
        matrix=np.array(region_3d.perspective_matrix),
        size=(region.width, region.height),
        eye=np.array(inverse.translation),
        direction=-np.array(inverse.col[2][:3]),
        is_perspective=region_3d.is_perspective,
    )
