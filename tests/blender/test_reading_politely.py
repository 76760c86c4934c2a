"""Reading leaves no trace, wherever it stops; and what cannot be read is said in a sentence."""

from typing import Any

import bpy
import numpy as np
import pytest
from bpy.types import Object

from tests.blender.rigs import animate_object
from tests.blender.shown import METRES, assert_as_shown, read

# What cannot be read, in a sentence


@pytest.mark.parametrize("mode", ["POSE", "OBJECT"])
def test_modes_in_which_a_rig_moves(reading, walker, mode):
    bpy.ops.object.mode_set(mode=mode)
    assert_as_shown(read(reading, walker), walker)
    assert walker.mode == mode


def _in_edit_mode(armature: Object) -> None:
    bpy.ops.object.mode_set(mode="EDIT")


def _at_rest(armature: Object) -> None:
    armature.data.pose_position = "REST"


def _disabled(armature: Object) -> None:
    armature.hide_viewport = True


def _disabled_later(armature: Object) -> None:
    for frame, disabled in ((1, False), (5, True)):
        armature.hide_viewport = disabled
        armature.keyframe_insert("hide_viewport", frame=frame)
    bpy.context.scene.frame_set(1)
    armature.hide_viewport = False


def _stretched_time(armature: Object) -> None:
    bpy.context.scene.render.frame_map_new = 200


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_in_edit_mode, "'Walker' is in Edit Mode, where nothing moves; leave it with Tab."),
        (_at_rest, "'Walker' is kept in its rest position; choose Pose Position"),
        (_disabled, "'Walker' is disabled in viewports, so Blender does not move it; enable it"),
        (_disabled_later, "'Walker' is disabled in viewports in frame 5, so"),
        (_stretched_time, "Time Stretching is on in this scene; set"),
    ],
)
def test_a_rig_that_does_not_move_is_refused_in_a_sentence(reading, walker, change, words):
    change(walker)
    with pytest.raises(reading.RigError) as refusal:
        read(reading, walker)
    assert str(refusal.value).startswith(words)
    assert [scene.name for scene in bpy.data.scenes] == ["Scene"]


def test_what_is_no_rig_is_refused_in_a_sentence(reading):
    empty = bpy.data.objects.new("Lamp", None)
    bare = bpy.data.objects.new("Bare", bpy.data.armatures.new("Bare"))
    for thing, words in ((empty, "'Lamp' is no armature;"), (bare, "'Bare' has no bones;")):
        with pytest.raises(reading.RigError, match=words):
            reading.read_rig(thing, bpy.context.scene)


@pytest.mark.parametrize("overridden", [False, True])
def test_linked_and_overridden_rigs(reading, walker, tmp_path, overridden):
    library = tmp_path / "library.blend"
    before = read(reading, walker).clip
    bpy.data.libraries.write(str(library), {walker})
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(library), link=True) as (source, target):
        target.objects = source.objects
    (linked,) = target.objects
    armature = linked.override_create() if overridden else linked
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.update()
    motion = read(reading, armature, range(1, 14))
    np.testing.assert_allclose(motion.clip.positions, before.positions, atol=METRES)
    assert_as_shown(motion, armature)


# No traces


def _state(armature: Object) -> tuple[Any, ...]:
    view_layer = bpy.context.view_layer
    return (
        [scene.name for scene in bpy.data.scenes],
        [item.name for kind in (bpy.data.objects, bpy.data.collections, bpy.data.worlds) for item in kind],
        bpy.context.scene.frame_current,
        armature.mode,
        armature.users,
        [item.name for item in bpy.context.selected_objects],
        view_layer.objects.active,
        [tuple(value for row in bone.matrix for value in row) for bone in armature.pose.bones],
        [tuple(value for row in bone.matrix_basis for value in row) for bone in armature.pose.bones],
        tuple(value for row in armature.matrix_world for value in row),
    )


@pytest.mark.parametrize("frames_read", [0, 1, 6, 13, 100])
def test_reading_leaves_no_trace_wherever_it_stops(reading, walker, frames_read):
    animate_object(walker)
    bpy.ops.object.mode_set(mode="POSE")
    scene = bpy.context.scene
    scene.frame_set(7)
    walker.pose.bones["Head"].rotation_quaternion = (0.0, 1.0, 0.0, 0.0)  # posed by hand, and not keyed yet
    bpy.context.view_layer.update()
    before = _state(walker)
    generator = reading.read_motion(walker, scene, reading.read_rig(walker, scene), range(1, 14))
    fractions = [fraction for fraction, _ in zip(generator, range(frames_read), strict=False)]
    generator.close()
    assert _state(walker) == before
    assert fractions == sorted(fractions)
    assert all(0.0 <= fraction <= 1.0 for fraction in fractions)


def test_a_file_saved_meanwhile_is_saved_without_traces(reading, walker, tmp_path):
    scene = bpy.context.scene
    generator = reading.read_motion(walker, scene, reading.read_rig(walker, scene), range(1, 14))
    next(generator)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "meanwhile.blend"), copy=True)
    generator.close()
    with bpy.data.libraries.load(str(tmp_path / "meanwhile.blend")) as (source, _):
        assert source.scenes == ["Scene"]


def test_a_rig_deleted_meanwhile_is_said_in_a_sentence(reading, walker):
    scene = bpy.context.scene
    generator = reading.read_motion(walker, scene, reading.read_rig(walker, scene), range(1, 14))
    next(generator)
    bpy.data.objects.remove(walker)
    with pytest.raises(reading.RigError, match="'Walker' was deleted while its motion was read"):
        next(generator)
    assert [scene.name for scene in bpy.data.scenes] == ["Scene"]


def test_bones_changed_meanwhile_are_said_in_a_sentence(reading, walker):
    scene = bpy.context.scene
    rig = reading.read_rig(walker, scene)
    generator = reading.read_motion(walker, scene, rig, range(1, 14))
    next(generator)
    bpy.ops.object.mode_set(mode="EDIT")
    walker.data.edit_bones.remove(walker.data.edit_bones["Head"])
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(reading.RigError, match="The bones of 'Walker' were changed"):
        reading.run_to_end(generator)


def test_another_file_loaded_meanwhile(reading, walker):
    scene = bpy.context.scene
    generator = reading.read_motion(walker, scene, reading.read_rig(walker, scene), range(1, 14))
    next(generator)
    bpy.ops.wm.read_homefile(use_empty=True)
    with pytest.raises(reading.RigError, match="'Walker' was deleted while"):
        next(generator)
