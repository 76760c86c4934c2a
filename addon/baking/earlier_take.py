"""A take that is simulated again from one of its frames on: which one, and what may stand in the way."""

from dataclasses import dataclass
from pathlib import Path

from bpy.types import Action, Object, Scene

from ...sim_core.errors import SettingsError
from ..active_rig import FrameRange, playing_strips
from ..own_time import own_time
from ..takes.result_words import read_result
from ..takes.takes import take_id
from .kept_states import MOST_TAKES, kept_states


@dataclass(frozen=True, kw_only=True)
class EarlierTake:
    place: int  # in the list of takes
    name: str
    frames: FrameRange  # all that it has; the new one has the same
    from_frame: int  # the first that is simulated again
    states: Path


def earlier_take(armature: Object, place: int, scene: Scene) -> EarlierTake:
    """The take from the scene's current frame on; raises where it cannot be."""
    take, frame = armature.heft.takes[place], scene.frame_current
    if what := own_time(armature.heft.motion) or _own_time_of(take.action):
        raise SettingsError(f"A {what} is simulated as a whole; press Bake to Physics.")
    states = None if take.action is None else kept_states(take_id(take.action))
    if states is None:
        raise SettingsError(
            f"The states of '{take.name}' are not on this computer, where those of the last {MOST_TAKES} bakes are "
            "kept; bake it again as a whole."
        )
    if take.source is None and not (playing_strips(armature) or armature.heft.use_range):
        raise SettingsError(f"The source of '{take.name}' was deleted; give the character an action, and bake that.")
    if not take.frame_start <= frame <= take.frame_end:
        raise SettingsError(
            f"Frame {frame} is outside of '{take.name}'; go to one of its frames, {take.frame_start + 1} to "
            f"{take.frame_end}."
        )
    if frame == take.frame_start:
        raise SettingsError(
            f"'{take.name}' begins at frame {frame}, and nothing before it could stay; go to a later frame, or press "
            "Bake to Physics."
        )
    return EarlierTake(
        place=place,
        name=take.name,
        frames=FrameRange(take.frame_start, take.frame_end),
        from_frame=frame,
        states=states,
    )


def _own_time_of(action: Action | None) -> str:
    result = None if action is None else read_result(action.get("heft_report", ""))
    return "" if result is None else own_time(result.motion)
