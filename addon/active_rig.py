"""Which rig the panel is about, and whether it can be baked as it is."""

from typing import NamedTuple

from bpy.types import Action, Context, NlaStrip, Object, Scene

from .compat import frame_range, source_action
from .reading.read_motion import why_unreadable
from .takes.takes import NO_TAKE, take_in_use


class FrameRange(NamedTuple):
    start: int
    end: int  # included


def rig_of(context: Context) -> Object | None:
    """The active armature, or the armature that the active mesh is bound to."""
    active = context.active_object
    if active is None or active.type == "ARMATURE":
        return active
    return active.find_armature()


def source_of(armature: Object) -> Action | None:
    """The action that a bake reads: the one that plays, or the source of the take that plays."""
    place = take_in_use(armature)
    return source_action(armature) if place == NO_TAKE else armature.heft.takes[place].source


def animated_range(armature: Object) -> FrameRange | None:
    """The frames of the source, or of the rig's NLA strips; None where it has neither."""
    action = source_of(armature)
    if action is not None:
        start, end = frame_range(action, armature)
        return FrameRange(round(start), round(end))
    strips = playing_strips(armature)
    if not strips:
        return None
    return FrameRange(round(min(s.frame_start for s in strips)), round(max(s.frame_end for s in strips)))


def playing_strips(armature: Object) -> list[NlaStrip]:
    """The strips by which the NLA moves the armature."""
    data = armature.animation_data
    if data is None or not data.use_nla:
        return []
    return [strip for track in data.nla_tracks if not track.mute for strip in track.strips if not strip.mute]


def range_to_bake(armature: Object) -> FrameRange | None:
    """The frames as they are set in the panel."""
    rig = armature.heft
    return FrameRange(rig.frame_start, rig.frame_end) if rig.use_range else animated_range(armature)


def why_locked(context: Context) -> str:
    """What keeps a person from changing what is set on the rig, as a sentence; empty where nothing does."""
    if locked := _why_not_editable(rig_of(context)):
        return locked
    return "A bake is running; wait for it or cancel it." if context.window_manager.heft.running else ""


def _why_not_editable(armature: Object | None) -> str:
    if armature is None:
        return "Select the armature of a character, or its mesh."
    if not armature.is_editable:
        return f"'{armature.name}' is linked from another file; make a library override of it first."
    return ""


def why_not(armature: Object | None, scene: Scene, frames: FrameRange | None = None) -> str:
    """What stands in the way of a bake, of the frames in the panel or of others; empty where nothing does."""
    if locked := _why_not_editable(armature):
        return locked
    if armature.name not in scene.objects:
        return f"'{armature.name}' is not in this scene."
    if unreadable := why_unreadable(armature, scene) or _why_not_seen(armature):
        return unreadable
    if frames is not None:
        return ""
    frames = range_to_bake(armature)
    lasts = frames is not None and frames.end > frames.start
    if armature.heft.motion == "HOLD" and not lasts and not armature.heft.use_range:
        return f"Nothing says for how long '{armature.name}' is to hold its pose; set a range of frames under Frames."
    if frames is None:
        return (
            f"'{armature.name}' has no animation; give it an action, or set a range of frames if other things move it."
        )
    if not lasts and not armature.heft.use_range:
        return f"The animation of '{armature.name}' is a single pose; give it more keys, or set a range of frames."
    if not lasts:
        return "The last frame to bake must come after the first; see Frames."
    return ""


def _why_not_seen(armature: Object) -> str:
    """Why a take would not show as it was simulated: it is an action, and the NLA may hide or mix actions."""
    data = armature.animation_data
    if data is None or not data.use_nla:
        return ""
    if data.use_tweak_mode:
        return f"A strip of '{armature.name}' is being edited in the NLA; leave Tweak Mode with Tab."
    solo = next((track.name for track in data.nla_tracks if track.is_solo), None)
    if solo is not None:
        return f"Only the track '{solo}' of '{armature.name}' plays; turn off its star in the NLA."
    mixed = data.action_blend_type != "REPLACE" or data.action_influence != 1.0
    if mixed and data.action is not None and len(data.nla_tracks):
        return (
            f"The action of '{armature.name}' is mixed with its NLA strips, and so would be the take; "
            "push it down in the NLA, and all of them are baked together."
        )
    return ""
