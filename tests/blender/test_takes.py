"""Takes where animators have them: on overrides of linked characters, beside the NLA, in shared actions, in files."""

import subprocess
import sys

import bpy
import pytest

from tests.blender import rigs
from tests.blender.baking import LAST_FRAME, curve_bytes, everything

WITHOUT_HEFT = """
import os, shutil, sys, tempfile
with tempfile.TemporaryDirectory() as folder:
    os.environ["BLENDER_USER_RESOURCES"] = folder
    import bpy
    bpy.ops.wm.open_mainfile(filepath=sys.argv[1])
    assert not hasattr(bpy.types.Object, "heft")
    bpy.ops.wm.save_mainfile()
    shutil.rmtree(bpy.app.tempdir)
os._exit(0)
"""


@pytest.fixture
def walker(walk_motion):
    return prepare(rigs.from_clip(walk_motion))


def prepare(armature):
    bpy.context.view_layer.objects.active = armature
    rig = armature.heft
    rig.use_range, rig.frame_start, rig.frame_end = True, 1, LAST_FRAME
    rig.own_limits, rig.assist, rig.assist_limit = True, "LIMIT", 40.0  # one simulation, instead of a search
    return armature


def names(armature):
    return [take.name for take in armature.heft.takes]


def test_redo_brings_all_of_it_back(walker):
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.heft.bake("EXEC_DEFAULT", True)
    after = everything()
    bpy.ops.ed.undo()
    bpy.ops.ed.redo()
    again = everything()
    assert [again[part] == after[part] for part in ("names", "keys", "frame")] == [True] * 3
    walker = bpy.data.objects["Walker"]
    assert (walker.heft.takes[0].action, names(walker)) == (walker.animation_data.action, ["Take 1"])
    bpy.ops.heft.delete_take("EXEC_DEFAULT", True)
    bpy.ops.ed.undo()
    walker = bpy.data.objects["Walker"]
    assert (walker.heft.takes[0].action, names(walker)) == (walker.animation_data.action, ["Take 1"])


def test_an_override_of_a_linked_character(walker, tmp_path):
    """It can be baked, it keeps its takes in the file, and the takes it came with stay where they belong."""
    bpy.ops.heft.bake()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "character.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "character.blend"), link=True) as (_, wanted):
        wanted.objects = ["Walker"]
    linked = bpy.data.objects["Walker"]
    bpy.context.scene.collection.objects.link(linked)
    bpy.context.view_layer.objects.active = linked
    for operator in (bpy.ops.heft.bake, bpy.ops.heft.delete_take):
        with pytest.raises(RuntimeError, match="linked from another file; make a library override"):
            operator("EXEC_DEFAULT")
    walker = linked.override_create(remap_local_usages=True)
    bpy.context.view_layer.objects.active = walker
    with pytest.raises(RuntimeError, match="came with the linked character"):
        bpy.ops.heft.delete_take("EXEC_DEFAULT")
    walker.heft.friction = 0.5
    bpy.ops.heft.bake()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    (walker,) = (item for item in bpy.data.objects if item.override_library)
    assert (names(walker), walker.heft.friction) == (["Take 1", "Take 2"], 0.5)
    take = walker.heft.takes[1]
    assert walker.animation_data.action == take.action
    assert take.source.library is not None
    bpy.ops.heft.delete_take("EXEC_DEFAULT")
    assert (names(walker), walker.animation_data.action) == (["Take 1"], walker.heft.takes[0].source)


def test_a_blender_without_heft_keeps_the_takes(walker, tmp_path):
    bpy.ops.heft.bake()
    data = bytes(walker.heft.takes[0].action["heft_take"])
    path = str(tmp_path / "baked.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    subprocess.run([sys.executable, "-c", WITHOUT_HEFT, path], check=True, capture_output=True)
    bpy.ops.wm.open_mainfile(filepath=path)
    walker = bpy.data.objects["Walker"]
    take = walker.heft.takes[0]
    assert (walker.animation_data.action, bytes(take.action["heft_take"])) == (take.action, data)
    bpy.ops.heft.use_take(take=-1)
    assert walker.animation_data.action == take.source
    bpy.ops.heft.compare_take()
    assert walker.animation_data.action == take.action
    bpy.ops.heft.delete_take("EXEC_DEFAULT")
    assert names(walker) == []


def test_a_duplicate_has_takes_of_its_own(walker):
    source = walker.animation_data.action
    bpy.ops.heft.bake()
    bpy.ops.object.select_all(action="DESELECT")
    walker.select_set(True)
    bpy.ops.object.duplicate()
    double = bpy.context.object
    assert double.animation_data.action == double.heft.takes[0].action != walker.heft.takes[0].action
    bpy.ops.heft.delete_take("EXEC_DEFAULT")
    assert double.animation_data.action == source
    assert walker.animation_data.action == walker.heft.takes[0].action


def test_an_action_that_a_take_displaces_is_not_lost(walker):
    bpy.ops.heft.bake()
    own = bpy.data.actions.new("Own")
    walker.animation_data.action = own
    bpy.ops.heft.use_take(take=0)
    assert own.users == 1


def pushed_down(armature):
    data = armature.animation_data
    source, data.action = data.action, None
    track = data.nla_tracks.new()
    track.strips.new("Walk", 1, source)
    return source, track


def test_strips_are_baked_whatever_an_action_was_mixed_with_before(heft, walker):
    pushed_down(walker)
    data = walker.animation_data
    data.action_blend_type, data.action_influence = "COMBINE", 0.5
    bpy.ops.heft.bake()
    assert (data.action_blend_type, data.action_influence) == ("REPLACE", 1.0)
    bpy.ops.heft.use_take(take=-1)
    assert data.action is None


@pytest.mark.parametrize("way", ["solo", "influence", "blend", "tweak"])
def test_the_nla_may_not_hide_or_mix_a_take(walker, way):
    source, track = pushed_down(walker)
    data = walker.animation_data
    if way == "tweak":
        data.nla_tracks.active, track.strips[0].select = track, True
        data.use_tweak_mode = True
    elif way == "solo":
        track.is_solo = True
    else:
        data.action = source
        if way == "influence":
            data.action_influence = 0.5
        else:
            data.action_blend_type = "COMBINE"
    with pytest.raises(RuntimeError, match=r"(star|Tweak Mode with Tab|push it down) ?.*"):
        bpy.ops.heft.bake()
    assert names(walker) == []


@pytest.mark.skipif(bpy.app.version < (4, 4, 0), reason="Runs in Blender 4.4 and later, where actions have slots.")
def test_an_action_that_moves_others_too(heft, walker):
    action = walker.animation_data.action
    length = tuple(action.frame_range)
    other = bpy.data.objects.new("Other", None)
    bpy.context.scene.collection.objects.link(other)
    data = other.animation_data_create()
    data.action, data.action_slot = action, action.slots.new(id_type="OBJECT", name="Other")
    other.keyframe_insert("location", frame=900)
    keys = curve_bytes(action)
    walker.heft.use_range = False
    assert tuple(heft("addon.active_rig").range_to_bake(walker)) == length
    walker.heft.use_range = True
    bpy.ops.heft.bake()
    assert curve_bytes(action) == keys
    assert walker.animation_data.action_slot.identifier == "OBWalker"
    bpy.ops.heft.use_take(take=-1)
    assert walker.animation_data.action_slot.identifier == "OBWalker"
    walker.animation_data.action_slot = None
    walker.heft.use_range = False
    with pytest.raises(RuntimeError, match="has no animation"):
        bpy.ops.heft.bake()


def test_a_single_pose_is_no_animation(walker):
    walker.animation_data.action = bpy.data.actions.new("Pose")
    walker.pose.bones[0].keyframe_insert("location", frame=1)
    walker.heft.use_range = False
    with pytest.raises(RuntimeError, match="is a single pose"):
        bpy.ops.heft.bake()
