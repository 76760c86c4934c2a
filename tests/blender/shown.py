"""What Heft reads, held against what Blender shows bone by bone."""

from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Matrix

from sim_core import rotations

METRES, RADIANS = 2e-5, 5e-4  # Blender reckons in 32 bits


def read(reading: SimpleNamespace, armature: Object, frames: Any = None) -> Any:
    scene = bpy.context.scene
    frames = range(scene.frame_start, scene.frame_end + 1) if frames is None else frames
    return reading.run_to_end(reading.read_motion(armature, scene, reading.read_rig(armature, scene), frames))


def assert_as_shown(motion: Any, armature: Object) -> None:
    """Against Blender's own words, bone by bone, with the scene set to the frame."""
    world, metres = motion.clip.world(), motion.rig.metres_per_unit
    shown_range = motion.frames[:: max(len(motion.frames) // 5, 1)]
    for frame in shown_range:
        row = int(np.flatnonzero(motion.frames == frame)[0])
        bpy.context.scene.frame_set(int(frame))
        np.testing.assert_allclose(motion.object_world[row], np.array(armature.matrix_world), atol=1e-5)
        for place, pose_bone in enumerate(armature.pose.bones):
            np.testing.assert_allclose(motion.pose[row, place], np.array(pose_bone.matrix), atol=1e-4)
        for bone, name in enumerate(motion.clip.skeleton.names):
            if motion.rig.pose_rows[bone] < 0:
                continue
            assert armature.pose.bones[motion.rig.pose_rows[bone]].name == name
            shown = armature.matrix_world @ armature.pose.bones[name].matrix
            np.testing.assert_allclose(
                world.positions[row, bone], np.array(shown.translation) * metres, atol=METRES, err_msg=name
            )
            turned = rotations.angle_between(world.rotations[row, bone], np.array(shown.to_quaternion()))
            assert turned < RADIANS, (name, frame, turned)


def assert_rests_as_shown(motion: Any, armature: Object) -> None:
    """The skeleton's rest pose stands where the object is in the first frame, tips at the tails of the last bones."""
    skeleton, metres = motion.clip.skeleton, motion.rig.metres_per_unit
    placed = Matrix(motion.object_world[0].tolist())
    frames = [np.eye(4)] * len(skeleton)
    for bone, name in enumerate(skeleton.names):
        local = np.eye(4)
        local[:3, :3] = rotations.to_matrix(skeleton.rest_rotations[bone])
        local[:3, 3] = skeleton.offsets[bone]
        frames[bone] = local if bone == 0 else frames[skeleton.parents[bone]] @ local
        if motion.rig.pose_rows[bone] < 0:
            continue
        rest = placed @ armature.data.bones[name].matrix_local
        np.testing.assert_allclose(frames[bone][:3, 3], np.array(rest.translation) * metres, atol=METRES)
        turn = rotations.angle_between(rotations.from_matrix(frames[bone][:3, :3]), np.array(rest.to_quaternion()))
        assert turn < RADIANS, name
    for bone, offset in zip(skeleton.tip_parents, skeleton.tip_offsets, strict=True):
        tail = placed @ armature.data.bones[skeleton.names[bone]].tail_local
        np.testing.assert_allclose((frames[bone] @ [*offset, 1.0])[:3], np.array(tail) * metres, atol=METRES)
