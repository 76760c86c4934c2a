"""Moving rigs of the kinds that animators have. Each maker returns the armature; the scene plays its action."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import pytest
from bpy.types import Object
from mathutils import Matrix, Quaternion, Vector

from sample_blends.rig_making import RigBone, add_armature, bones_of, key_clip, play_range
from sample_blends.rigify_making import add_rigify_person, key_rigify

MOCAP = Path(__file__).parents[2].parent / "shared" / "mocap"
EULERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
AS_FBX_COMES = Matrix.Rotation(math.radians(90.0), 4, "X") @ Matrix.Scale(0.01, 4)


def bvh_rig(path: str | Path | None = None, *, clip_name: str = "cmu_16_15", last_frame: int | None = None) -> Object:
    """A BVH file as Blender imports it; without a path one of the CMU clips."""
    path = MOCAP / f"{clip_name}.bvh" if path is None else Path(path)
    if not path.is_file():
        pytest.skip("Runs where the CMU clips lie in shared/mocap beside the repository.")
    bpy.ops.import_anim.bvh(filepath=str(path), update_scene_fps=True, update_scene_duration=True)
    scene = bpy.context.scene
    scene.frame_end = scene.frame_end if last_frame is None else min(last_frame, scene.frame_end)
    return bpy.context.object


def from_clip(
    clip: Any,
    *,
    names: Mapping[str, str] | None = None,
    object_scale: float = 1.0,
    rotation_modes: Mapping[str, str] | None = None,
    matrix_world: Matrix | None = None,
    every: int = 1,
) -> Object:
    """The clip's own skeleton, moving as the clip does; `names` renames bones, modes go by the new names."""
    renamed = {name: (names or {}).get(name, name) for name in clip.skeleton.names}
    bones = [bone.named(renamed[bone.name], renamed) for bone in bones_of(clip.skeleton)]
    placed = (matrix_world or Matrix()) @ Matrix.Scale(object_scale, 4)
    return _moving("Walker", bones, clip, placed, rotation_modes or {}, every=every)


def mixamo_rig(clip: Any, *, every: int = 1) -> Object:
    """A T-posed rig with Mixamo's bones, in centimetres, lying under an object that scales it and stands it up."""
    return _moving("Armature", mixamo_bones(clip.skeleton), clip, AS_FBX_COMES, {}, every=every)


def mixed_modes_rig(clip: Any, *, every: int = 1) -> Object:
    """Every rotation mode, rolled bones, a finger and a sword whose rotation is not inherited."""
    bones = bones_of(clip.skeleton)
    bones = [replace(bone, roll=0.4 * place) for place, bone in enumerate(bones)]
    at = {bone.name: bone for bone in bones}
    fingertip = at["LeftForeArm"].tail
    bones += [
        _rider("LeftFinger", at["LeftForeArm"], fingertip, fingertip + Vector((0.0, 0.0, -0.05))),
        _rider(
            "Sword", at["RightForeArm"], at["RightForeArm"].tail, at["RightForeArm"].tail + Vector((0.0, -0.8, 0.0))
        ),
        RigBone(name="Mark", parent="", head=Vector((0.5, 0, 0)), tail=Vector((0.5, 0, 0.2)), follows="Hips"),
    ]
    cycle = ("QUATERNION", *EULERS, "AXIS_ANGLE")
    modes = {bone.name: cycle[place % len(cycle)] for place, bone in enumerate(bones)}
    armature = add_armature("Mixed", bones, matrix_world=Matrix.Translation((1.0, 2.0, 0.0)))
    for name in ("LeftFinger", "Sword"):
        armature.data.bones[name].use_inherit_rotation = False
    return _keyed(armature, bones, clip, modes, every=every)


def rigify_rig(clip: Any, *, every: int = 1) -> Object:
    """Rigify's basic human with generated controls, walking on its FK controls."""
    rig = add_rigify_person()
    play_range(bpy.context.scene, clip, key_rigify(rig, clip, every=every), every=every)
    return rig


def crowded_rig(clip: Any, *, bones: int, every: int = 1) -> Object:
    """The walker with as many bones as a rig with fingers and a face has, all of them keyed."""
    own = bones_of(clip.skeleton)
    hands = [bone for bone in own if bone.name in ("LeftForeArm", "RightForeArm", "Head")]
    extra = [
        _rider(
            f"Finger.{place:03d}",
            hands[place % 3],
            hands[place % 3].tail,
            hands[place % 3].tail + Vector((0, -0.03, 0)),
        )
        for place in range(bones - len(own))
    ]
    return _moving("Crowded", [*own, *extra], clip, Matrix(), {}, every=every)


def mixamo_bones(skeleton: Any) -> list[RigBone]:
    """Mixamo's hierarchy over the walker's joints; the arms stand out to the sides, as its rest pose has them."""
    at = {bone.name: bone for bone in bones_of(skeleton)}
    heads = {name: bone.head for name, bone in at.items()}
    low, high = heads["Hips"], heads["Chest"]
    rows = [
        _row("Hips", "", low, low.lerp(high, 0.3), "Hips"),
        _row("Spine", "Hips", low.lerp(high, 0.3), low.lerp(high, 0.65), "Hips"),
        _row("Spine1", "Spine", low.lerp(high, 0.65), high, "Hips"),
        _row("Spine2", "Spine1", high, heads["Neck"], "Chest"),
        _row("Neck", "Spine2", heads["Neck"], heads["Head"], "Neck"),
        _row("Head", "Neck", heads["Head"], at["Head"].tail, "Head"),
    ]
    for side, outward in (("Left", 1.0), ("Right", -1.0)):
        rows += _arm(side, outward, at) + _leg(side, at)
    return rows


def _arm(side: str, outward: float, at: Mapping[str, RigBone]) -> list[RigBone]:
    shoulder, elbow, tip = at[f"{side}Arm"].head, at[f"{side}ForeArm"].head, at[f"{side}ForeArm"].tail
    wrist = elbow.lerp(tip, 0.75)
    hang = Quaternion((0.0, 1.0, 0.0), outward * math.pi / 2.0)  # from the T-pose to the clip's hanging arms
    raised = [shoulder + hang.inverted() @ (point - shoulder) for point in (shoulder, elbow, wrist, tip)]
    collar = shoulder.lerp(Vector((0.0, shoulder.y, shoulder.z)), 0.8)
    return [
        _row(f"{side}Shoulder", "Spine2", collar, shoulder, "Chest"),
        _row(f"{side}Arm", f"{side}Shoulder", raised[0], raised[1], f"{side}Arm", hang),
        _row(f"{side}ForeArm", f"{side}Arm", raised[1], raised[2], f"{side}ForeArm", hang),
        _row(f"{side}Hand", f"{side}ForeArm", raised[2], raised[3], f"{side}ForeArm", hang),
    ]


def _leg(side: str, at: Mapping[str, RigBone]) -> list[RigBone]:
    hip, knee, ankle, tip = *(at[f"{side}{n}"].head for n in ("UpLeg", "Leg", "Foot")), at[f"{side}Foot"].tail
    ball = Vector((ankle.x, ankle.y * 0.4 + tip.y * 0.6, tip.z))
    return [
        _row(f"{side}UpLeg", "Hips", hip, knee, f"{side}UpLeg"),
        _row(f"{side}Leg", f"{side}UpLeg", knee, ankle, f"{side}Leg"),
        _row(f"{side}Foot", f"{side}Leg", ankle, ball, f"{side}Foot"),
        _row(f"{side}ToeBase", f"{side}Foot", ball, tip, f"{side}Foot"),
    ]


def _row(name: str, parent: str, head: Vector, tail: Vector, follows: str, turn: Quaternion | None = None) -> RigBone:
    above = f"mixamorig:{parent}" if parent else ""
    turn = Quaternion() if turn is None else turn
    return RigBone(name=f"mixamorig:{name}", parent=above, head=head, tail=tail, follows=follows, to_clip_rest=turn)


def _rider(name: str, parent: RigBone, head: Vector, tail: Vector) -> RigBone:
    return RigBone(name=name, parent=parent.name, head=head, tail=tail, follows=parent.follows)


def _moving(
    name: str, bones: Sequence[RigBone], clip: Any, matrix_world: Matrix, modes: Mapping[str, str], *, every: int
) -> Object:
    return _keyed(add_armature(name, bones, matrix_world=matrix_world), bones, clip, modes, every=every)


def _keyed(armature: Object, bones: Sequence[RigBone], clip: Any, modes: Mapping[str, str], *, every: int) -> Object:
    for name, mode in modes.items():
        armature.pose.bones[name].rotation_mode = mode
    play_range(bpy.context.scene, clip, key_clip(armature, bones, clip, every=every), every=every)
    return armature


def animate_object(armature: Object) -> None:
    """The object itself turns and travels, below whatever its bones do."""
    for frame, place, turn in ((1, 0.0, 0.0), (13, 4.0, 1.5)):
        armature.location.y, armature.rotation_euler.z = place, turn
        armature.keyframe_insert("location", frame=frame)
        armature.keyframe_insert("rotation_euler", frame=frame)
