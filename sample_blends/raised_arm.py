"""An arm that carries something: the upper arm hangs, the forearm points ahead, all through the clip."""

from math import pi

from bpy.types import Object, Scene
from mathutils import Matrix, Quaternion, Vector

from sample_blends.figure import Figure
from sample_blends.rig_making import rotation_path, set_rotation
from scripts.installed_extension import heft


def hold_out_forearm(scene: Scene, armature: Object, figure: Figure, side: str) -> Vector:
    """The place of the forearm's end in the first frame."""
    upper, fore = (armature.pose.bones[figure.bones[f"{part}_{side}"]] for part in ("upper_arm", "forearm"))
    for bone, turn in ((upper, _hanging(upper, armature)), (fore, _ahead(fore, armature, figure))):
        path = bone.path_from_id(rotation_path(bone))
        curves = heft("addon.compat").action_curves(armature.animation_data.action, armature)
        for curve in [curve for curve in curves if curve.data_path == path]:
            curves.remove(curve)
        set_rotation(bone, turn, first=True)
        bone.keyframe_insert(rotation_path(bone), frame=scene.frame_start, group=bone.name)
    scene.frame_set(scene.frame_start)
    end: Vector = armature.matrix_world @ fore.tail
    return end


def _hanging(bone, armature: Object) -> Quaternion:
    """Down in the rest pose of the chest."""
    return _turned_onto(bone, armature, Vector((0.0, 0.0, -1.0)))


def _ahead(bone, armature: Object, figure: Figure) -> Quaternion:
    """A quarter turn from a hanging upper arm."""
    axis = armature.matrix_world.to_3x3().inverted() @ figure.left
    rest = bone.bone.matrix_local.to_3x3()
    along = rest.col[1].normalized()
    hanging = along.rotation_difference(armature.matrix_world.to_3x3().inverted() @ Vector((0.0, 0.0, -1.0)))
    return _in_bone(rest, hanging.inverted() @ Quaternion(axis, -pi / 2.0) @ hanging)


def _turned_onto(bone, armature: Object, direction: Vector) -> Quaternion:
    rest = bone.bone.matrix_local.to_3x3()
    wanted = armature.matrix_world.to_3x3().inverted() @ direction
    return _in_bone(rest, rest.col[1].normalized().rotation_difference(wanted))


def _in_bone(rest: Matrix, turn: Quaternion) -> Quaternion:
    """A rotation of the armature's space as one of the bone's own."""
    return (rest.inverted() @ turn.to_matrix() @ rest).to_quaternion()
