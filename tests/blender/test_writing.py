"""A take played by Blender is the bake, however the rig is made; the source stays as it was, to the last bit."""

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest
from bpy.types import Object

from tests.blender import rigs
from tests.blender.writing import Writer

LEGS = [f"{side}{part}" for side in ("Left", "Right") for part in ("UpLeg", "Leg", "Foot")]
ARMS = [f"{side}{part}" for side in ("Left", "Right") for part in ("Arm", "ForeArm")]
BODY = ["Hips", "Chest", "Neck", "Head", *LEGS, *ARMS]
FIRST, LAST = 20, 41  # inside of the walk, and between its keys


@pytest.fixture
def writer(heft: Callable[[str], Any]) -> Writer:
    return Writer(heft)


@pytest.fixture
def walker(walk_motion: Any, writer: Writer) -> Object:
    """One second of walking, keyed by hand: at every seventh frame, with smooth curves between."""
    armature = rigs.from_clip(walk_motion, every=2)
    for curve in writer.curves(armature).values():
        kept = [tuple(point.co) for point in curve.keyframe_points][::7]
        curve.keyframe_points.clear()
        for frame, value in kept:
            curve.keyframe_points.insert(frame, value)
    return armature


def _whole_range() -> range:
    return range(bpy.context.scene.frame_start, bpy.context.scene.frame_end + 1)


def _assert_take_in_the_middle(writer: Writer, armature: Object, bones: Any = BODY, **settings: Any) -> Any:
    """The bake within its frames, the source in all others."""
    every = _whole_range()
    inside = np.isin(every, range(FIRST, LAST + 1))
    source = writer.read(armature, every)
    motion = writer.read(armature, range(FIRST, LAST + 1))
    result = writer.bake(motion, bones, bones[0])
    written = writer.take(armature, motion, result, bones, **settings)
    played = writer.read(armature, every)
    assert writer.far(result, writer.read(armature, range(FIRST, LAST + 1))) == {}
    np.testing.assert_allclose(played.pose[~inside], source.pose[~inside], atol=2e-6)
    assert written.warnings == ()
    return written


def test_every_rotation_mode(writer: Writer, walk_motion: Any) -> None:
    armature = rigs.mixed_modes_rig(walk_motion, every=4)
    frames = _whole_range()
    motion = writer.read(armature, frames)
    result = writer.bake(motion, BODY, "Hips")
    written = writer.take(armature, motion, result, BODY)
    # Neither hangs with its rotation on anything, so that both keep their own.
    assert writer.far(result, writer.read(armature, frames)).keys() <= {"LeftFinger", "Sword"}
    assert written.key_count == written.every_frame_key_count > len(BODY) * 3 * len(frames)


def test_rotations_do_not_jump(writer: Writer, walk_motion: Any) -> None:
    armature = rigs.mixed_modes_rig(walk_motion, every=4)
    motion = writer.read(armature, _whole_range())
    writer.take(armature, motion, writer.bake(motion, BODY, "Hips", degrees=170.0), BODY)
    for (path, _), curve in writer.curves(armature).items():
        values = np.array([curve.evaluate(frame) for frame in motion.frames])
        if "rotation_quaternion" in path:
            assert np.max(np.abs(np.diff(values))) < 0.7, path
        elif "rotation_euler" in path:
            assert np.max(np.abs(np.diff(values))) < 3.0, path


def test_a_rig_in_centimetres(writer: Writer, walk_motion: Any) -> None:
    armature = rigs.mixamo_rig(walk_motion, every=4)
    bones = [bone.name for bone in armature.pose.bones]
    motion = writer.read(armature, _whole_range())
    result = writer.bake(motion, bones, bones[0])
    writer.take(armature, motion, result, bones)
    assert writer.far(result, writer.read(armature, motion.frames)) == {}


def test_bones_that_do_not_inherit(writer: Writer, walker: Object) -> None:
    kinds = ("NONE", "AVERAGE", "ALIGNED", "FIX_SHEAR", "NONE_LEGACY")
    for place, name in enumerate(("Chest", "LeftUpLeg", "LeftLeg", "Head", "RightArm")):
        bone = walker.data.bones[name]
        bone.use_inherit_rotation = place % 2 == 1
        bone.inherit_scale = kinds[place]
        bone.use_local_location = place != 1
    walker.pose.bones["Hips"].scale = (1.1, 1.1, 1.1)
    _assert_take_in_the_middle(writer, walker)


def test_the_middle_of_an_action(writer: Writer, walker: Object) -> None:
    written = _assert_take_in_the_middle(writer, walker)
    keys = [key for curve in writer.curves(walker).values() for key in curve.keyframe_points]
    assert {key.type for key in keys if FIRST <= key.co.x <= LAST} == {"GENERATED"}
    assert "KEYFRAME" in {key.type for key in keys if not FIRST <= key.co.x <= LAST}
    assert {curve.group.name for curve in writer.curves(walker).values()} <= set(BODY)
    assert written.switched == {}


def test_cycles_straight_ends_and_muted_curves(writer: Writer, walker: Object) -> None:
    for place, curve in enumerate(writer.curves(walker).values()):
        if place % 3 == 0:
            curve.modifiers.new("CYCLES")
        elif place % 3 == 1:
            curve.extrapolation = "LINEAR"
        curve.mute = place % 7 == 0
    bpy.context.scene.frame_end += 30
    _assert_take_in_the_middle(writer, walker)


def test_constraints_are_switched_off_while_the_take_plays(writer: Writer, walker: Object) -> None:
    goal = bpy.data.objects.new("Goal", None)
    bpy.context.scene.collection.objects.link(goal)
    goal.location = (0.2, -0.5, 0.4)
    goal.keyframe_insert("location", frame=1)
    goal.location = (0.4, -1.5, 0.6)
    goal.keyframe_insert("location", frame=40)
    bones = walker.pose.bones
    reach = bones["LeftLeg"].constraints.new("IK")
    reach.target, reach.chain_count = goal, 2
    look = bones["Head"].constraints.new("DAMPED_TRACK")
    look.target = goal
    copy = bones["RightArm"].constraints.new("COPY_ROTATION")
    copy.target, copy.subtarget = walker, "LeftArm"
    for frame, influence in ((10, 0.2), (40, 0.9)):
        copy.influence = influence
        copy.keyframe_insert("influence", frame=frame)
    muted = bones["Neck"].constraints.new("COPY_ROTATION")
    muted.target, muted.mute = goal, True
    written = _assert_take_in_the_middle(writer, walker)
    paths = {constraint.path_from_id("influence") for constraint in (reach, look, copy)}
    assert written.switched.keys() == paths
    assert written.switched[reach.path_from_id("influence")] == 1.0


def test_a_rig_that_only_constraints_move(writer: Writer, walker: Object) -> None:
    writer.use(walker, None)
    walker.animation_data_clear()
    copy = walker.pose.bones["Hips"].constraints.new("COPY_LOCATION")
    copy.target = bpy.data.objects.new("Goal", None)
    bpy.context.scene.collection.objects.link(copy.target)
    for frame in (1, 60):
        copy.target.location = (0.0, -0.02 * frame, 1.0)
        copy.target.keyframe_insert("location", frame=frame)
    _assert_take_in_the_middle(writer, walker)


def test_strips_instead_of_an_action(writer: Writer, walker: Object) -> None:
    _put_into_strip(walker)
    _assert_take_in_the_middle(writer, walker)


def test_an_action_over_strips(writer: Writer, walker: Object) -> None:
    _put_into_strip(walker)
    bone = walker.pose.bones["Chest"]
    for frame in (1, 50):
        bone.rotation_quaternion = (1.0, 0.01 * frame, 0.0, 0.0)
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    _assert_take_in_the_middle(writer, walker)


def test_a_rig_without_any_motion(writer: Writer, walker: Object) -> None:
    writer.use(walker, None)
    walker.animation_data_clear()
    motion = writer.read(walker, range(FIRST, LAST + 1))
    result = writer.bake(motion, BODY, "Hips")
    writer.take(walker, motion, result, BODY)
    played = writer.read(walker, range(FIRST, LAST + 11))
    assert writer.far(result, writer.read(walker, motion.frames)) == {}
    np.testing.assert_allclose(played.pose[-1], played.pose[LAST - FIRST])  # it does not jump back


def test_an_action_that_two_rigs_share(writer: Writer, walker: Object) -> None:
    other = walker.copy()
    bpy.context.scene.collection.objects.link(other)
    shared = other.animation_data.action
    _assert_take_in_the_middle(writer, walker)
    assert other.animation_data.action == shared


def test_only_some_bones(writer: Writer, walker: Object) -> None:
    motion = writer.read(walker, range(FIRST, LAST + 1))
    result = writer.bake(motion, BODY, "Hips")
    chosen = frozenset({"LeftArm", "LeftForeArm", "RightLeg"})
    source = {key: [curve.evaluate(f) for f in motion.frames] for key, curve in writer.curves(walker).items()}
    writer.take(walker, motion, result, BODY, only=chosen)
    played = writer.read(walker, motion.frames)
    for bone, name in enumerate(motion.clip.skeleton.names):
        wanted = result if name in chosen else motion.clip
        np.testing.assert_allclose(
            np.abs(np.sum(played.clip.rotations[:, bone] * wanted.rotations[:, bone], axis=-1)), 1.0, atol=1e-6
        )
    for key, curve in writer.curves(walker).items():
        if not any(f'"{name}"' in key[0] for name in chosen):
            assert source[key] == [curve.evaluate(f) for f in motion.frames]


def test_blending_in_and_out(writer: Writer, walker: Object) -> None:
    motion = writer.read(walker, range(FIRST, LAST + 1))
    result = writer.bake(motion, BODY, "Hips")
    writer.take(walker, motion, result, BODY, blend_in=6, blend_out=4)
    played = writer.read(walker, motion.frames)
    np.testing.assert_allclose(played.pose[[0, -1]], motion.pose[[0, -1]], atol=2e-6)
    assert writer.far(result.frames(6, len(result) - 4), _rows(writer, walker, FIRST + 6, LAST - 4)) == {}
    halfway = writer.far(result.frames(3, 4), _rows(writer, walker, FIRST + 3, FIRST + 3))
    assert 0.0 < halfway["Hips"][0] < 1000.0 * np.linalg.norm(result.positions[3, 0] - motion.clip.positions[3, 0])


def test_bones_that_were_not_simulated_keep_their_curves(writer: Writer, walk_motion: Any) -> None:
    armature = rigs.crowded_rig(walk_motion, bones=30, every=4)
    motion = writer.read(armature, _whole_range())
    fingers = {key: curve for key, curve in writer.curves(armature).items() if "Finger" in key[0]}
    before = {key: [tuple(point.co) for point in curve.keyframe_points] for key, curve in fingers.items()}
    result = writer.bake(motion, BODY, "Hips")
    writer.take(armature, motion, result, BODY)
    after = writer.curves(armature)
    assert before
    assert before == {key: [tuple(point.co) for point in after[key].keyframe_points] for key in before}
    assert writer.far(result, writer.read(armature, motion.frames)) == {}


def test_a_bone_with_a_driver_is_left_out_and_named(writer: Writer, walker: Object) -> None:
    driver = walker.pose.bones["LeftArm"].driver_add("rotation_quaternion", 1)
    driver.driver.expression = "frame * 0.01"
    motion = writer.read(walker, range(FIRST, LAST + 1))
    result = writer.bake(motion, BODY, "Hips")
    written = writer.take(walker, motion, result, BODY)
    assert [sentence for sentence in written.warnings if "'LeftArm'" in sentence and "driver" in sentence]
    assert writer.far(result, writer.read(walker, motion.frames)).keys() == {"LeftArm", "LeftForeArm"}


def test_few_keys(writer: Writer, walker: Object) -> None:
    motion = writer.read(walker, _whole_range())
    result = writer.bake(motion, BODY, "Hips")
    written = writer.take(walker, motion, result, BODY, keys="REDUCED", tolerance_mm=2.0)
    off = result.world().positions - writer.read(walker, motion.frames).clip.world().positions
    assert np.max(np.linalg.norm(off, axis=-1)) < 0.0021
    assert written.key_count < written.every_frame_key_count / 3
    assert written.warnings == ()


@pytest.mark.parametrize("share", [0.0, 0.2, 0.4, 0.7])
def test_stopping_leaves_nothing_behind(writer: Writer, walker: Object, share: float) -> None:
    motion = writer.read(walker, _whole_range())
    result = writer.bake(motion, BODY, "Hips")
    before = [sorted(item.name for item in items) for items in (bpy.data.objects, bpy.data.scenes, bpy.data.actions)]
    steps = writer.steps(walker, motion, result, BODY)
    fraction = next(fraction for fraction in steps if fraction >= share)
    steps.close()
    assert fraction < 1.0
    after = [sorted(item.name for item in items) for items in (bpy.data.objects, bpy.data.scenes, bpy.data.actions)]
    assert after == before


def test_tweak_mode_is_refused_in_a_sentence(writer: Writer, walker: Object, heft: Callable[[str], Any]) -> None:
    strip = _put_into_strip(walker)
    motion = writer.read(walker, range(FIRST, LAST + 1))
    walker.animation_data.nla_tracks[0].select = strip.select = True
    walker.animation_data.nla_tracks.active = walker.animation_data.nla_tracks[0]
    walker.animation_data.use_tweak_mode = True
    with pytest.raises(heft("sim_core.errors").HeftError, match="tweak mode"):
        writer.write(walker, motion, motion.clip, BODY)


def _rows(writer: Writer, armature: Object, first: int, last: int) -> Any:
    return writer.read(armature, range(first, last + 1))


def _put_into_strip(armature: Object) -> Any:
    data = armature.animation_data
    action, track = data.action, data.nla_tracks.new()
    strip = track.strips.new("Walk", 1, action)
    if hasattr(strip, "action_slot"):
        strip.action_slot = action.slots[0]
    data.action = None
    return strip
