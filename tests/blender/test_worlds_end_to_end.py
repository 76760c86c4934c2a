"""Worlds and disturbances through the real worker: what Blender writes is read, and what comes back is keyed."""

from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Vector

from tests.blender.baking import LAST_FRAME, report_of
from tests.blender.rigs import from_clip
from tests.blender.worlds import add, cube_mesh, plane_mesh, rigid, slide, world_collection

SAMPLES = sorted((Path(__file__).parents[2] / "sample_blends").glob("*.blend"))
HALF = 0.1  # of a loose cube's edge [m]


@pytest.fixture
def walker(walk_motion):
    armature = from_clip(walk_motion)
    bpy.context.view_layer.objects.active = armature
    rig = armature.heft
    rig.use_range, rig.frame_start, rig.frame_end = True, 1, LAST_FRAME
    rig.own_limits, rig.assist, rig.assist_limit = True, "LIMIT", 40.0  # one simulation, instead of a search
    return armature


@pytest.fixture
def world(walker):
    collection = world_collection(walker)
    add(collection, "Floor", plane_mesh(40.0))
    return collection


def settings_of(heft, armature, folder):
    """What the worker makes of a rig's choices, its world and its disturbances, without simulating any of it."""
    run_to_end, scene = heft("addon.generators").run_to_end, bpy.context.scene
    choices = heft("addon.baking.bake_choices").read_choices(armature, scene)
    frames = range(choices.frame_start, choices.frame_end + 1)
    rig = heft("addon.reading.read_rig").read_rig(armature, scene)
    motion = run_to_end(heft("addon.reading.read_motion").read_motion(armature, scene, rig, frames))
    read = run_to_end(heft("addon.world.read_world").read_world(armature, scene, motion, choices.friction))
    bones = heft("addon.panel.body_check").bones_of(armature, scene)
    handles = heft("addon.disturbances.handles")
    disturbances = run_to_end(handles.with_handles(choices.disturbances, motion, read, bones))
    module = heft("addon.baking.worker_arguments")
    files = module.WorkerFiles(folder)
    if read is not None:
        heft("addon.world.scene_file").write_scene(files.scene, read)
    given = module.worker_arguments(replace(choices, disturbances=disturbances), files, world=read)
    return heft("sim_core.option_values").settings_from(heft("sim_core.options").make_parser().parse_args(given))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_the_worker_understands_every_sample(heft, sample, tmp_path):
    bpy.ops.wm.open_mainfile(filepath=str(sample))
    settings_of(heft, bpy.data.objects["Character"], tmp_path)


def test_the_worker_understands_every_disturbance(heft, walker, tmp_path):
    for kind, settings in (
        ("PUSH", {"space": "CHARACTER"}),
        ("THROW", {}),
        ("THROW", {"side": "DIRECTION"}),
        ("PULL", {"segment": "forearm_r"}),
        ("KEEP_LEVEL", {"segment": "forearm_r"}),
        ("KEEP_LEVEL", {"segment": "forearm_r", "whole_clip": False}),
        ("TURN", {"angle": -0.5}),
    ):
        item = walker.heft.pushes.add()
        item.kind, item.frame = kind, 5
        for name, value in settings.items():
            setattr(item, name, value)
    mover = add(bpy.context.scene.collection, "Handle", None, location=(0, 0, 1))
    slide(mover, 1, LAST_FRAME)
    item = walker.heft.pushes.add()
    item.kind, item.segment, item.frame, item.handle = "PULL", "forearm_l", 5, mover
    settings_of(heft, walker, tmp_path)


def test_a_bake_beside_an_obstacle(walker, world):
    add(world, "Box", cube_mesh(), location=(2, 0, 0.1), scale=(0.4, 0.4, 0.2))
    assert bpy.ops.heft.bake() == {"FINISHED"}
    assert walker.heft.takes[0].completed


def test_a_bake_on_ground_that_moves(walker, world):
    platform = add(world, "Platform", plane_mesh(8.0, 0.01))
    bpy.data.objects.remove(bpy.data.objects["Floor"])
    slide(platform, 1, 60, metres=0.05)
    assert bpy.ops.heft.bake() == {"FINISHED"}


def test_a_loose_cube_falls_into_its_own_keys(walker, world):
    start = Vector((3.0, 0.0, HALF + 0.05))
    cube = add(world, "Cube", cube_mesh(), location=start, scale=(2 * HALF,) * 3)
    rigid(cube, mass=2.0, collision_shape="BOX")
    assert bpy.ops.heft.bake() == {"FINISHED"}
    heights = []
    for frame in range(1, LAST_FRAME + 1):
        bpy.context.scene.frame_set(frame)
        heights.append(cube.matrix_world.translation.z)
    assert heights[0] == pytest.approx(start.z, abs=0.005)
    assert heights[-1] == pytest.approx(HALF, abs=0.01)
    assert max(np.diff(heights)) < 0.02
    bpy.ops.heft.use_take(take=-1)
    bpy.context.scene.frame_set(1)  # elsewhere Blender shows what its own simulation last knew of an active rigid body
    np.testing.assert_allclose(cube.matrix_world.translation, start, atol=1e-5)


def test_a_cube_thrown_by_its_own_keys_flies_on(walker, world):
    cube = add(world, "Cube", cube_mesh(), location=(3.0, 0.0, 1.5), scale=(2 * HALF,) * 3)
    for frame in (1, 2):
        cube.location.x = 3.0 + 0.05 * (frame - 1)
        cube.keyframe_insert("location", frame=frame)
    rigid(cube, mass=2.0, collision_shape="BOX")
    assert bpy.ops.heft.bake() == {"FINISHED"}
    bpy.context.scene.frame_set(LAST_FRAME)
    assert cube.matrix_world.translation.x == pytest.approx(3.0 + 0.05 * (LAST_FRAME - 1), abs=0.05)


def test_a_throw_is_in_the_report(walker):
    item = walker.heft.pushes.add()
    item.kind, item.segment, item.frame, item.mass = "THROW", "chest", 8, 1.0
    assert bpy.ops.heft.bake() == {"FINISHED"}
    assert report_of(walker.heft.takes[0].action)["throws"]
