"""What Heft reads from a rig is what Blender shows, however the rig is made."""

import time
from typing import Any

import bpy
import numpy as np
import pytest
from bpy.types import Object
from mathutils import Matrix, Quaternion, Vector

from sim_core import rotations
from tests.blender import rigs
from tests.blender.rigs import animate_object
from tests.blender.shown import METRES, assert_as_shown, assert_rests_as_shown, read

RIGS = {
    "BVH": lambda clip: rigs.bvh_rig(last_frame=60),
    "plain": lambda clip: rigs.from_clip(clip, every=4),
    "Mixamo": lambda clip: rigs.mixamo_rig(clip, every=4),
    "mixed modes": lambda clip: rigs.mixed_modes_rig(clip, every=4),
    "Rigify": lambda clip: rigs.rigify_rig(clip, every=12),
}


@pytest.mark.parametrize("kind", RIGS)
def test_every_kind_of_rig_is_read_as_shown(reading, walk_motion, kind):
    armature = RIGS[kind](walk_motion)
    motion = read(reading, armature)
    assert_as_shown(motion, armature)
    assert_rests_as_shown(motion, armature)
    moved = np.ptp(motion.clip.world().positions, axis=0)
    assert np.max(moved) > 0.3  # it is a walk, not a pose


def test_a_made_rig_moves_as_its_clip_did(reading, walk_motion):
    """The makers themselves: heads of the armature's bones go where the clip's go."""
    motion = read(reading, rigs.mixed_modes_rig(walk_motion, every=10))
    wanted, found = walk_motion.world(), motion.clip.world()
    for bone, name in enumerate(walk_motion.skeleton.names):
        there = found.positions[:, motion.clip.skeleton.index(name)]
        np.testing.assert_allclose(there, wanted.positions[::10, bone], atol=1e-4, err_msg=name)


def test_the_mixamo_rig_is_a_person_in_metres(reading, walk_motion, heft):
    motion = read(reading, rigs.mixamo_rig(walk_motion, every=10))
    assert motion.rig.guesses == ()
    assert motion.rig.metres_per_unit == 1.0
    body = heft("sim_core.rig.bone_map").map_bones(motion.rig.skeleton, clip=motion.clip)
    assert (body.family, len(body.segments)) == ("Mixamo", 22)


def test_rigify_is_read_from_its_deform_bones_in_whole_chains(reading, walk_motion, heft):
    armature = rigs.rigify_rig(walk_motion, every=12)
    motion = read(reading, armature)
    skeleton = motion.clip.skeleton
    assert motion.rig.control_rig == "rigify"
    assert all(name.startswith("DEF-") for name in skeleton.names)
    above = {name: skeleton.names[parent] for name, parent in zip(skeleton.names, skeleton.parents, strict=True)}
    assert above["DEF-thigh.L"] == "DEF-spine"
    assert above["DEF-upper_arm.R"] == "DEF-shoulder.R"
    assert above["DEF-shoulder.R"] == "DEF-spine.003"
    assert skeleton.names[0] == "DEF-spine"
    body = heft("sim_core.rig.bone_map").map_bones(skeleton, clip=motion.clip)
    assert len(body.segments) == 22
    lowest = motion.clip.world().positions[:, [skeleton.index("DEF-toe.L"), skeleton.index("DEF-toe.R")], 2].min(axis=1)
    assert np.all(np.abs(lowest) < 0.06)  # it treads on the ground


def test_the_rate_of_the_scene_counts(reading, walker):
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 30, 1.001
    assert read(reading, walker).clip.fps == pytest.approx(29.97, abs=1e-3)


def test_any_frames_in_any_order(reading, walker):
    motion = read(reading, walker, [9, 2, 5])
    assert motion.frames.tolist() == [9, 2, 5]
    assert_as_shown(motion, walker)


# The object


def _moved(armature: Object) -> None:
    armature.matrix_world = Matrix.LocRotScale(
        Vector((3.0, -2.0, 1.0)), Quaternion((0.5, 0.5, 0.1, 0.7)).normalized(), None
    )


def _half_turned_by_two_negative_scales(armature: Object) -> None:
    armature.scale = (-1.0, -1.0, 1.0)


def _on_a_moving_cart(armature: Object) -> None:
    wheel, cart = (bpy.data.objects.new(name, None) for name in ("Wheel", "Cart"))
    for empty in (wheel, cart):
        bpy.context.collection.objects.link(empty)
    cart.parent, armature.parent = wheel, cart
    cart.location, armature.location = (1.0, 0.0, 0.5), (0.0, 0.3, 0.0)
    for frame, turn in ((1, 0.0), (13, 2.0)):
        wheel.rotation_euler = (0.0, 0.0, turn)
        wheel.keyframe_insert("rotation_euler", frame=frame)


def _held_by_a_constraint(armature: Object) -> None:
    target = bpy.data.objects.new("Target", None)
    bpy.context.collection.objects.link(target)
    target.location, target.rotation_euler = (0.0, 5.0, 0.0), (0.1, 0.2, 0.9)
    armature.constraints.new("COPY_TRANSFORMS").target = target


@pytest.mark.parametrize(
    "place", [_moved, _half_turned_by_two_negative_scales, animate_object, _on_a_moving_cart, _held_by_a_constraint]
)
def test_wherever_the_object_is(reading, walker, place):
    place(walker)
    bpy.context.view_layer.update()
    motion = read(reading, walker)
    assert_as_shown(motion, walker)
    assert_rests_as_shown(motion, walker)


def test_what_is_read_does_not_depend_on_the_frame_shown(reading, walker):
    animate_object(walker)
    clips = []
    for frame in (1, 13):
        bpy.context.scene.frame_set(frame)
        clips.append(read(reading, walker).clip)
    np.testing.assert_array_equal(clips[0].skeleton.offsets, clips[1].skeleton.offsets)
    np.testing.assert_array_equal(clips[0].positions, clips[1].positions)


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        ((1.0, 1.0, 2.0), "is scaled unevenly (1, 1, 2); apply it"),
        ((-1.0, 1.0, 1.0), "is mirrored by a negative scale; apply it"),
        ((0.0, 0.0, 0.0), "is scaled to nothing in frame 1"),
    ],
)
def test_scales_that_no_body_has_are_refused_in_a_sentence(reading, walker, scale, words):
    walker.scale = scale
    with pytest.raises(reading.RigError, match="'Walker' ") as refusal:
        read(reading, walker)
    assert words in str(refusal.value)
    assert [scene.name for scene in bpy.data.scenes] == ["Scene"]


def test_a_growing_object_is_refused_in_a_sentence(reading, walker):
    for frame, scale in ((1, 1.0), (13, 2.0)):
        walker.scale = (scale, scale, scale)
        walker.keyframe_insert("scale", frame=frame)
    with pytest.raises(reading.RigError, match="'Walker' grows or shrinks from frame to frame"):
        read(reading, walker)


# Units


def test_a_rig_in_centimetres_in_a_scene_that_says_so(reading, walk_motion):
    armature = rigs.from_clip(walk_motion, every=10)
    armature.scale = (100.0, 100.0, 100.0)
    bpy.context.scene.unit_settings.scale_length = 0.01
    motion = read(reading, armature)
    assert motion.rig.metres_per_unit == pytest.approx(0.01)
    assert motion.rig.guesses == ()
    hips = motion.clip.skeleton.index("Hips")
    np.testing.assert_allclose(motion.clip.skeleton.offsets[hips], walk_motion.skeleton.offsets[0], atol=1e-4)


def test_a_giant_is_made_a_person_and_says_so(reading, walker):
    walker.scale = (100.0, 100.0, 100.0)
    motion = read(reading, walker)
    assert motion.rig.metres_per_unit == pytest.approx(0.01)
    (sentence,) = motion.rig.guesses
    assert sentence.startswith("'Walker' measures 170 m")
    assert "it is baked as one of 1.70 m" in sentence
    assert_as_shown(motion, walker)


def test_units_that_are_switched_off_do_not_count(reading, walker):
    bpy.context.scene.unit_settings.scale_length = 0.01
    bpy.context.scene.unit_settings.system = "NONE"
    assert reading.read_rig(walker, bpy.context.scene).metres_per_unit == 1.0


# The bones


def _inherits_nothing(armature: Object) -> None:
    for name in ("LeftLeg", "Head"):
        armature.data.bones[name].use_inherit_rotation = False


def _inherits_scale_in_every_way(armature: Object) -> None:
    ways = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")
    for bone, way in zip(list(armature.data.bones)[1:], ways * 3, strict=False):
        bone.inherit_scale = way
    armature.pose.bones["Hips"].scale = (1.2, 0.8, 1.0)


def _local_location_off(armature: Object) -> None:
    armature.data.bones["LeftUpLeg"].use_local_location = False
    armature.pose.bones["LeftUpLeg"].location = (0.1, 0.2, 0.05)


def _constrained(armature: Object) -> None:
    constraint = armature.pose.bones["RightForeArm"].constraints.new("COPY_ROTATION")
    constraint.target, constraint.subtarget = armature, "LeftForeArm"


def _with_ik(armature: Object) -> None:
    target = bpy.data.objects.new("Goal", None)
    bpy.context.collection.objects.link(target)
    for frame, place in ((1, (0.3, -0.4, 0.2)), (13, (0.1, -2.0, 0.4))):
        target.location = place
        target.keyframe_insert("location", frame=frame)
    constraint = armature.pose.bones["LeftLeg"].constraints.new("IK")
    constraint.target, constraint.chain_count = target, 2


def _driven(armature: Object) -> None:
    armature.pose.bones["Head"].rotation_mode = "XYZ"
    curve = armature.pose.bones["Head"].driver_add("rotation_euler", 0)
    curve.driver.expression = "0.1 * frame"


def _hidden(armature: Object) -> None:
    bones = armature.data.collections.new("Hidden")
    bones.is_visible = False
    for bone in armature.data.bones:
        bones.assign(bone)
    armature.data.bones["Head"].hide = True
    armature.hide_set(True)


@pytest.mark.parametrize(
    "change",
    [_inherits_nothing, _inherits_scale_in_every_way, _local_location_off, _constrained, _with_ik, _driven, _hidden],
)
def test_whatever_moves_the_bones(reading, walker, change):
    change(walker)
    motion = read(reading, walker)
    if change is _inherits_scale_in_every_way:  # sheared: only heads and directions are Blender's own
        _assert_directions_as_shown(motion, walker)
    else:
        assert_as_shown(motion, walker)


def _assert_directions_as_shown(motion: Any, armature: Object) -> None:
    world = motion.clip.world()
    for row, frame in enumerate(motion.frames):
        bpy.context.scene.frame_set(int(frame))
        for bone, name in enumerate(motion.clip.skeleton.names):
            shown = armature.pose.bones[name]
            np.testing.assert_allclose(world.positions[row, bone], np.array(shown.head), atol=METRES)
            along = rotations.rotate(world.rotations[row, bone], np.array([0.0, 1.0, 0.0]))
            np.testing.assert_allclose(along, np.array(shown.vector.normalized()), atol=1e-4)


def test_a_prop_hidden_by_a_scale_of_nothing(reading, walk_motion):
    armature = rigs.mixed_modes_rig(walk_motion, every=10)
    for frame, scale in ((1, 0.0), (6, 0.0), (7, 1.0)):
        armature.pose.bones["Sword"].scale = (scale, scale, scale)
        armature.pose.bones["Sword"].keyframe_insert("scale", frame=frame)
    motion = read(reading, armature)
    assert np.all(np.isfinite(motion.clip.rotations))
    np.testing.assert_allclose(np.linalg.norm(motion.clip.rotations, axis=-1), 1.0, atol=1e-9)
    rest = motion.clip.skeleton.rest_rotations[motion.clip.skeleton.index("Sword")]
    sword = motion.clip.rotations[0, motion.clip.skeleton.index("Sword")]
    assert rotations.angle_between(rest, sword) < 1e-6


def test_strips_of_the_nla_without_an_action(reading, walker):
    data = walker.animation_data
    action = data.action
    data.action = None
    strip = data.nla_tracks.new().strips.new("Walk", 4, action)
    if hasattr(strip, "action_slot") and strip.action_slot is None:
        strip.action_slot = action.slots[0]
    motion = read(reading, walker)
    assert_as_shown(motion, walker)
    assert np.ptp(motion.clip.positions[:, 0, 1]) > 0.3


def test_several_roots_get_one_above_them(reading, walk_motion):
    armature = rigs.mixed_modes_rig(walk_motion, every=10)
    motion = read(reading, armature)
    skeleton = motion.clip.skeleton
    assert (skeleton.names[0], motion.rig.pose_rows[0], skeleton.translates[0]) == ("armature object", -1, False)
    np.testing.assert_allclose(motion.clip.positions[:, 0], [[1.0, 2.0, 0.0]] * len(motion.clip), atol=1e-6)
    assert {skeleton.names[bone] for bone in skeleton.children[0]} == {"Hips", "Mark"}


def test_translates_where_bones_are_not_connected(reading, walker):
    skeleton = reading.read_rig(walker, bpy.context.scene).skeleton
    for name, translates in zip(skeleton.names, skeleton.translates, strict=True):
        assert translates == (not walker.data.bones[name].use_connect)
    assert skeleton.translates[0]
    assert not np.all(skeleton.translates)


# Speed


def test_sixty_bones_over_300_frames_are_read_quickly(reading, walk_motion):
    armature = rigs.crowded_rig(walk_motion, bones=60, every=4)
    scene = bpy.context.scene
    rig = reading.read_rig(armature, scene)
    taken = []
    for _ in range(3):
        began, longest, last = time.perf_counter(), 0.0, time.perf_counter()
        for _ in reading.read_motion(armature, scene, rig, range(1, 301)):
            longest, last = max(longest, time.perf_counter() - last), time.perf_counter()
        taken.append((time.perf_counter() - began, longest))
    seconds, pause = np.min(taken, axis=0)
    print(f"read in {seconds:.3f} s, at most {1000 * pause:.1f} ms between two pauses")
    assert seconds < 1.0  # 0.3 on an idle machine
    assert pause < 0.05
