"""A Rigify character whose FK controls walk as a clip does."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import addon_utils
import bpy
from bpy.types import Object, PoseBone
from mathutils import Matrix, Quaternion, Vector

from sample_blends.rig_making import ClipMoves

_TORSO = "torso"
_DOWN = Vector((0.0, 0.0, -1.0))


class _Follower(NamedTuple):
    control: str
    part: str  # a bone of the clip, in the words of `PARTS`
    points: Vector | None = None  # where it points in the clip's rest pose; None where both rest poses agree


# Parents first; each row of a tuple can be set at once, because none of it hangs on another.
_LEVELS = (
    (_Follower(_TORSO, "hips"),),
    (_Follower("spine_fk.003", "chest"),),
    (
        _Follower("neck", "neck"),
        _Follower("upper_arm_fk.L", "upper_arm_l", _DOWN),
        _Follower("upper_arm_fk.R", "upper_arm_r", _DOWN),
        _Follower("thigh_fk.L", "thigh_l", _DOWN),
        _Follower("thigh_fk.R", "thigh_r", _DOWN),
    ),
    (
        _Follower("head", "head"),
        _Follower("forearm_fk.L", "forearm_l", _DOWN),
        _Follower("forearm_fk.R", "forearm_r", _DOWN),
        _Follower("shin_fk.L", "shin_l", _DOWN),
        _Follower("shin_fk.R", "shin_r", _DOWN),
    ),
    (
        _Follower("hand_fk.L", "forearm_l", _DOWN),
        _Follower("hand_fk.R", "forearm_r", _DOWN),
        _Follower("foot_fk.L", "foot_l"),
        _Follower("foot_fk.R", "foot_r"),
    ),
)
WALKER_PARTS = {
    **{"hips": "Hips", "chest": "Chest", "neck": "Neck", "head": "Head"},
    **{"upper_arm_l": "LeftArm", "forearm_l": "LeftForeArm", "upper_arm_r": "RightArm", "forearm_r": "RightForeArm"},
    **{"thigh_l": "LeftUpLeg", "shin_l": "LeftLeg", "foot_l": "LeftFoot"},
    **{"thigh_r": "RightUpLeg", "shin_r": "RightLeg", "foot_r": "RightFoot"},
}


def add_rigify_person() -> Object:
    """Rigify's basic human with its generated controls, limbs on FK; the metarig it grew from is gone."""
    addon_utils.enable("rigify", default_set=True)
    bpy.ops.object.armature_basic_human_metarig_add()
    metarig = bpy.context.object
    bpy.ops.pose.rigify_generate()
    rig = bpy.context.object
    bpy.data.armatures.remove(metarig.data)
    for bone in rig.pose.bones:
        if "IK_FK" in bone:
            bone["IK_FK"] = 1.0
    bpy.context.view_layer.update()
    return rig


def tidy_up(rig: Object) -> None:
    """Only the controls that are keyed, and no question about scripts when the file opens."""
    for collection in rig.data.collections_all:
        if collection.name.endswith(("(IK)", "(Tweak)")):
            collection.is_visible = False
    for text in bpy.data.texts:
        text.use_module = False


def key_rigify(
    rig: Object, clip: Any, *, parts: Mapping[str, str] = WALKER_PARTS, start: int = 1, every: int = 1
) -> int:
    """Keys the FK controls so that the rig does as a figure that faces -Y and rests with hanging arms; the last frame.

    The rig has its own proportions: its hips travel in the ratio of the legs, so that its feet tread where they stand.
    """
    moves = ClipMoves(clip)
    turns = {row.control: _to_clip_rest(rig, row) for level in _LEVELS for row in level}
    hips, ratio = moves.rest[parts["hips"]].translation, _legs_ratio(rig, moves, parts)
    frame = start
    for row in range(0, len(clip), every):
        frame = start + row // every
        travel = ratio * (moves.place(parts["hips"], hips, row) - hips)
        for level in _LEVELS:
            for follower in level:
                bone = rig.pose.bones[follower.control]
                rest = bone.bone.matrix_local
                turn = moves.turn(parts[follower.part], row) @ turns[follower.control] @ rest.to_quaternion()
                place = rest.translation + travel if follower.control == _TORSO else bone.matrix.translation
                _key(bone, Matrix.LocRotScale(place, turn, None), frame, with_location=follower.control == _TORSO)
            bpy.context.view_layer.update()  # the next level hangs on this one
    rig.animation_data.action.name = f"{rig.name} moves"
    return frame


def _key(bone: PoseBone, pose: Matrix, frame: int, *, with_location: bool) -> None:
    before = bone.rotation_quaternion.copy()
    location = bone.location.copy()
    bone.matrix = pose
    turn = bone.rotation_quaternion.copy()
    turn.make_compatible(before)
    bone.rotation_quaternion = turn
    bone.keyframe_insert("rotation_quaternion", frame=frame, group=bone.name)
    if with_location:
        bone.keyframe_insert("location", frame=frame, group=bone.name)
    else:
        bone.location = location  # limbs keep their place on the body


def _to_clip_rest(rig: Object, follower: _Follower) -> Quaternion:
    if follower.points is None:
        return Quaternion()
    bone = rig.data.bones[follower.control]
    return (bone.tail_local - bone.head_local).rotation_difference(follower.points)


def _legs_ratio(rig: Object, moves: ClipMoves, parts: Mapping[str, str]) -> float:
    bones = rig.data.bones
    own = bones["thigh_fk.L"].length + bones["shin_fk.L"].length
    hip, knee, ankle = (moves.rest[parts[part]].translation for part in ("thigh_l", "shin_l", "foot_l"))
    return own / ((knee - hip).length + (ankle - knee).length)
