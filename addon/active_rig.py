"""Which rig the panel is about, and whether it can be baked as it is."""

from typing import NamedTuple

from bpy.types import Action, Context, Object, Scene

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
    if place != NO_TAKE:
        return armature.heft.takes[place].source
    data = armature.animation_data
    return None if data is None else data.action


def animated_range(armature: Object) -> FrameRange | None:
    """The frames of the source, or of the rig's NLA strips; None where it has neither."""
    action = source_of(armature)
    if action is not None:
        start, end = action.frame_range
        return FrameRange(round(start), round(end))
    data = armature.animation_data
    tracks = [] if data is None or not data.use_nla else [track for track in data.nla_tracks if not track.mute]
    strips = [strip for track in tracks for strip in track.strips if not strip.mute]
    if not strips:
        return None
    return FrameRange(round(min(s.frame_start for s in strips)), round(max(s.frame_end for s in strips)))


def range_to_bake(armature: Object) -> FrameRange | None:
    """The frames as they are set in the panel."""
    rig = armature.heft
    return FrameRange(rig.frame_start, rig.frame_end) if rig.use_range else animated_range(armature)


def why_not(armature: Object | None, scene: Scene) -> str:
    """What stands in the way of a bake, as a sentence; empty where nothing does."""
    if armature is None:
        return "Select the armature of a character."
    if not armature.is_editable:
        return f'"{armature.name}" is linked from another file; make a library override of it first.'
    if armature.mode == "EDIT":
        return "Leave Edit Mode first; the bones are being edited."
    if armature.name not in scene.objects:
        return f'"{armature.name}" is not in this scene.'
    frames = range_to_bake(armature)
    if frames is None:
        return (
            f'"{armature.name}" has no animation; give it an action, or set a range of frames if other things move it.'
        )
    if frames.end <= frames.start:
        return "The last frame to bake must come after the first; see Frames."
    return ""
