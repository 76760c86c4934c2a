"""Armatures that move as a clip does: bones laid out in the clip's rest pose, and an action that makes them follow it.

Clips come from whichever Heft the caller runs, installed or not, so nothing of it is imported here; a clip has a
skeleton, `fps` and `world()`, as in sim_core/motion/clip.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import bpy
from bpy.types import Object, PoseBone, Scene
from mathutils import Matrix, Quaternion, Vector

_SHORTEST = 0.01  # [m] Blender deletes bones without a length
_NO_TURN = Quaternion()
_TOUCHING = 1e-5  # [m] between a tail and the next head


@dataclass(frozen=True, kw_only=True)
class RigBone:
    """A bone in the rest pose of the figure, in metres in the world."""

    name: str
    parent: str  # empty for a root
    head: Vector
    tail: Vector
    follows: str  # the bone of the clip that it turns with
    roll: float = 0.0  # [rad] on top of Blender's own choice
    to_clip_rest: Quaternion = _NO_TURN  # from this rig's rest pose to that of the clip, as from T-pose to hanging arms

    def named(self, name: str, names: Mapping[str, str]) -> "RigBone":
        return replace(self, name=name, parent=names.get(self.parent, self.parent))


def bones_of(skeleton: Any) -> list[RigBone]:
    """The skeleton's own bones, each pointing to what hangs on it."""
    frames = rest_frames(skeleton)
    heads = {name: frame.translation for name, frame in frames.items()}
    ends: dict[str, list[Vector]] = {name: [] for name in skeleton.names}
    for name, parent in zip(skeleton.names[1:], skeleton.parents[1:], strict=True):
        ends[skeleton.names[parent]].append(heads[name])
    for bone, tip in zip(skeleton.tip_parents, skeleton.tip_offsets, strict=True):
        ends[skeleton.names[bone]].append(frames[skeleton.names[bone]] @ Vector(tip))
    bones = []
    for name, parent in zip(skeleton.names, skeleton.parents, strict=True):
        above = skeleton.names[parent] if parent >= 0 else ""
        onward = sum(ends[name], Vector()) / max(len(ends[name]), 1) - heads[name] if ends[name] else Vector()
        if onward.length < _SHORTEST:
            onward = Vector((0.0, 0.0, 0.1))
        bones.append(RigBone(name=name, parent=above, head=heads[name], tail=heads[name] + onward, follows=name))
    return bones


def rest_frames(skeleton: Any) -> dict[str, Matrix]:
    """Each bone's frame in the world, in the rest pose."""
    frames: list[Matrix] = []
    for offset, turn, parent in zip(skeleton.offsets, skeleton.rest_rotations, skeleton.parents, strict=True):
        local = Matrix.LocRotScale(Vector(offset), Quaternion(turn), None)
        frames.append(frames[parent] @ local if parent >= 0 else local)
    return dict(zip(skeleton.names, frames, strict=True))


def add_armature(name: str, bones: Sequence[RigBone], *, matrix_world: Matrix | None = None) -> Object:
    """An armature with these bones, active and in Object Mode. `matrix_world` places the object, not the figure."""
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.collection.objects.link(armature)
    if matrix_world is not None:
        armature.matrix_world = matrix_world
    _make_active(armature)
    into_armature = armature.matrix_basis.inverted()
    bpy.ops.object.mode_set(mode="EDIT")
    made = armature.data.edit_bones
    tails = {bone.name: bone.tail for bone in bones}
    for bone in bones:
        new = made.new(bone.name)
        new.head, new.tail = into_armature @ bone.head, into_armature @ bone.tail
        new.roll += bone.roll
        if bone.parent:
            new.parent = made[bone.parent]
            new.use_connect = (tails[bone.parent] - bone.head).length < _TOUCHING
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    return armature


def key_clip(armature: Object, bones: Sequence[RigBone], clip: Any, *, start: int = 1, every: int = 1) -> int:
    """Keys the rotation of every bone, and the location of roots, in a new action; the last frame."""
    moves = ClipMoves(clip)
    object_world = armature.matrix_world
    to_armature, scale = object_world.inverted(), Matrix.Diagonal((*object_world.to_scale(), 1.0))
    frame = start
    for row in range(0, len(clip), every):
        frame = start + row // every
        poses: dict[str, Matrix] = {}
        for bone in bones:
            posed = armature.pose.bones[bone.name]
            rest = object_world @ posed.bone.matrix_local
            turn = moves.turn(bone.follows, row) @ bone.to_clip_rest @ rest.to_quaternion()
            place = _place(posed, poses, object_world, moves.place(bone.follows, bone.head, row))
            poses[bone.name] = to_armature @ Matrix.LocRotScale(place, turn, None) @ scale
            _set_channels(posed, poses, first=row == 0)
            posed.keyframe_insert(rotation_path(posed), frame=frame, group=bone.name)
            if not bone.parent:
                posed.keyframe_insert("location", frame=frame, group=bone.name)
    armature.animation_data.action.name = f"{armature.name} moves"
    return frame


def play_range(scene: Scene, clip: Any, last: int, *, start: int = 1, every: int = 1) -> None:
    """The scene at the clip's speed, from its first frame to its last."""
    rate = clip.fps / every
    scene.render.fps = round(rate)
    scene.render.fps_base = scene.render.fps / rate
    scene.frame_start, scene.frame_end = start, last
    scene.frame_set(start)


def rotation_path(bone: PoseBone) -> str:
    modes = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
    return modes.get(bone.rotation_mode, "rotation_euler")


def set_rotation(bone: PoseBone, turn: Quaternion, *, first: bool) -> None:
    """In the bone's own mode, near to what it has, so that its curves never jump."""
    if bone.rotation_mode == "QUATERNION":
        if not first:
            turn.make_compatible(bone.rotation_quaternion)
        bone.rotation_quaternion = turn
    elif bone.rotation_mode == "AXIS_ANGLE":
        axis, angle = turn.to_axis_angle()
        bone.rotation_axis_angle = (angle, *axis)
    else:
        before = () if first else (bone.rotation_euler,)
        bone.rotation_euler = turn.to_euler(bone.rotation_mode, *before)


class ClipMoves:
    """What a clip does to a figure in its rest pose."""

    def __init__(self, clip: Any) -> None:
        self._names = {name: place for place, name in enumerate(clip.skeleton.names)}
        self.rest = rest_frames(clip.skeleton)
        self._world = clip.world()

    def turn(self, follows: str, row: int) -> Quaternion:
        now = Quaternion(self._world.rotations[row, self._names[follows]])
        return now @ self.rest[follows].to_quaternion().inverted()

    def place(self, follows: str, point: Vector, row: int) -> Vector:
        """Where a point of the rest pose goes that rides on the bone."""
        now = Vector(self._world.positions[row, self._names[follows]])
        return now + self.turn(follows, row) @ (point - self.rest[follows].translation)


def _place(bone: PoseBone, poses: Mapping[str, Matrix], object_world: Matrix, free: Vector) -> Vector:
    """The head in the world: bones keep their place on their parent."""
    if bone.parent is None:
        return free
    parent = bone.parent
    on_parent = parent.bone.matrix_local.inverted() @ bone.bone.head_local
    return object_world @ poses[parent.name] @ on_parent


def _set_channels(bone: PoseBone, poses: Mapping[str, Matrix], *, first: bool) -> None:
    above = {}
    if bone.parent is not None:
        above = {"parent_matrix": poses[bone.parent.name], "parent_matrix_local": bone.parent.bone.matrix_local}
    basis = bone.bone.convert_local_to_pose(poses[bone.name], bone.bone.matrix_local, invert=True, **above)
    set_rotation(bone, basis.to_quaternion(), first=first)
    if bone.parent is None:
        bone.location = basis.translation


def _make_active(armature: Object) -> None:
    for other in bpy.context.selected_objects:
        other.select_set(False)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
