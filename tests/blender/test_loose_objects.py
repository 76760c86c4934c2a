"""Loose objects land in their own keys where the worker put them, and go back with the source."""

import json
import math

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Quaternion, Vector

from tests.blender.baking import LAST_FRAME, curve_bytes, everything, fake_worker, import_walk, report_of, run
from tests.blender.rigs import EULERS
from tests.blender.worlds import add, cube_mesh, plane_mesh, rigid, slide, world_collection

MODES = ("QUATERNION", "AXIS_ANGLE", *EULERS)


UNITS = 100.0  # to the metre, in the rig's file


def tumble(row):
    """Where the worker says a thing is [m]."""
    turn = Quaternion(Vector((1.0, 2.0, 0.5)).normalized(), 0.45 * row)
    return Vector((0.1 * row, -0.2 * row, 3.0 - 0.1 * row)), turn


def tell(folder, names, frames=LAST_FRAME, turns=None):
    """What a worker leaves at --objects."""
    rows = [tumble(row) for row in range(frames)]
    told = {
        "positions": [list(place) for place, _ in rows],
        "rotations": [list(turn) for _, turn in rows] if turns is None else turns,
    }
    (folder / "loose.json").write_text(json.dumps({"first_frame": 1, "objects": dict.fromkeys(names, told)}))


COPY = "shutil.copy(os.path.join(sys.argv[1], 'loose.json'), given('--objects'))"


@pytest.fixture
def walker(walk_clip):
    return import_walk(walk_clip)


@pytest.fixture
def world(walker):
    collection = world_collection(walker)
    add(collection, "Floor", plane_mesh(40.0 * UNITS))
    return collection


@pytest.fixture
def bake(heft, recorded, walker):
    """bake(): with a worker that threw everything about."""

    def start(*names, fault=COPY, **told):
        tell(recorded, names or ["Cube"], **told)
        session = heft("addon.baking.bake_session").BakeSession(
            walker, bpy.context.scene, fake_worker(heft, recorded, fault)
        )
        return run(session)

    return start


def loose_cube(world, name="Cube", **settings):
    return rigid(add(world, name, cube_mesh(), location=(0, 0, 1), **settings), mass=2.0, collision_shape="MESH")


def assert_tumbles(item, scale=(1.0, 1.0, 1.0), tolerance=1e-3):
    """In the scene as a person plays it, Blender's own rigid bodies included."""
    for row in range(LAST_FRAME):
        bpy.context.scene.frame_set(1 + row)
        place, turn = tumble(row)
        wanted = Matrix.LocRotScale(UNITS * place, turn, Vector(scale))
        shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
        np.testing.assert_allclose(np.array(shown), np.array(wanted), atol=tolerance, err_msg=f"row {row}")


@pytest.mark.parametrize("mode", MODES)
def test_keys_in_every_rotation_mode(world, bake, mode):
    item = loose_cube(world, rotation_mode=mode, scale=(1.0, 2.0, 0.5))
    assert bake().baked
    assert item.animation_data.action.name.startswith("Cube ")
    assert_tumbles(item, (1.0, 2.0, 0.5))


def test_rotations_do_not_jump_between_frames(world, bake):
    item = loose_cube(world, rotation_mode="XYZ")
    bake()
    turns = []
    for frame in range(1, LAST_FRAME + 1):
        bpy.context.scene.frame_set(frame)
        turns.append(tuple(item.rotation_euler))
    assert np.abs(np.diff(turns, axis=0)).max() < 0.75 * math.pi


def test_under_a_parent_that_moves(world, bake):
    parent = bpy.data.objects.new("Cart", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.location, parent.scale, parent.rotation_euler = (1, 2, 3), (2, 2, 2), (0.3, 0.2, 0.9)
    slide(parent, 1, LAST_FRAME)
    item = loose_cube(world, scale=(0.5, 0.5, 0.5))
    item.parent = parent
    item.matrix_parent_inverse = Euler((0.2, 0.1, 0.4)).to_matrix().to_4x4()
    bpy.context.view_layer.update()
    assert bake().baked
    assert_tumbles_unscaled(item)


def test_under_a_bone(world, bake, walker):
    other = bpy.data.objects.new("Crane", walker.data.copy())
    bpy.context.scene.collection.objects.link(other)
    other.location.x = 5.0
    item = loose_cube(world)
    item.parent, item.parent_type, item.parent_bone = other, "BONE", other.data.bones[3].name
    bpy.context.view_layer.update()
    assert bake().baked
    assert_tumbles_unscaled(item)


def assert_tumbles_unscaled(item):
    """The place, and the turn since the first frame."""
    first = None
    for row in range(LAST_FRAME):
        bpy.context.scene.frame_set(1 + row)
        shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
        place, turn = tumble(row)
        np.testing.assert_allclose(shown.translation, UNITS * place, atol=1e-3)
        since = turn.to_matrix().inverted() @ shown.to_3x3()
        first = since if first is None else first
        np.testing.assert_allclose(np.array(since), np.array(first), atol=1e-4)


def test_deltas_and_mirrors(world, bake):
    item = loose_cube(world, delta_location=(1, 0, 0), delta_rotation_euler=(0.1, 0.5, 0.2), delta_scale=(1, 1, 2))
    item.scale = (-1.0, 1.0, 1.0)
    bpy.context.view_layer.update()
    assert bake().baked
    assert_tumbles_unscaled(item)


def test_a_constraint_lets_go_of_it(world, bake):
    item = loose_cube(world)
    target = add(world, "Peg", None, location=(9, 9, 9))
    constraint = item.constraints.new("COPY_LOCATION")
    constraint.target, constraint.influence = target, 0.7
    assert bake().baked
    assert_tumbles(item)
    bpy.ops.heft.use_take(take=-1)
    assert constraint.influence == pytest.approx(0.7)


def test_a_box_with_its_origin_in_a_corner(heft, world, bake, walker):
    item = loose_cube(world)
    item.rigid_body.collision_shape = "BOX"
    for vertex in item.data.vertices:
        vertex.co.x += 0.5
    bake()
    for row in (0, 5):
        bpy.context.scene.frame_set(1 + row)
        np.testing.assert_allclose(item.matrix_world @ Vector((0.5, 0, 0)), UNITS * tumble(row)[0], atol=1e-3)


class TestTakes:
    def test_what_only_stood_goes_back_to_its_place(self, world, bake):
        item = loose_cube(world, rotation_euler=(0.1, 0.2, 0.3))
        bake()
        bpy.context.scene.frame_set(9)
        assert item.rigid_body.kinematic
        bpy.ops.heft.use_take(take=-1)
        bpy.context.view_layer.update()
        assert item.animation_data.action is None
        assert not item.rigid_body.kinematic
        np.testing.assert_allclose(item.location, (0, 0, 1), atol=1e-6)
        np.testing.assert_allclose(item.rotation_euler, (0.1, 0.2, 0.3), atol=1e-6)

    def test_its_own_action_is_kept_and_comes_back(self, world, bake):
        item = loose_cube(world)
        source = slide(item, 1, LAST_FRAME)
        keys = curve_bytes(source)
        bake()
        assert item.animation_data.action != source
        assert source.use_fake_user
        bpy.ops.heft.use_take(take=-1)
        assert item.animation_data.action == source
        assert curve_bytes(source) == keys

    def test_other_channels_stay(self, world, bake):
        item = loose_cube(world)
        item.color = (1, 0, 0, 1)
        item.keyframe_insert("color", frame=3)
        slide(item, 1, LAST_FRAME)
        bake()
        paths = {curve.data_path for curve in _curves(item.animation_data.action)}
        assert paths == {"color", "location", "rotation_euler", "rigid_body.kinematic"}

    def test_takes_are_switched_together(self, world, bake, walker):
        item = loose_cube(world)
        bake()
        bake()
        first, second = (take.objects[0].action for take in walker.heft.takes)
        assert first != second == item.animation_data.action
        bpy.ops.heft.use_take(take=0)
        assert item.animation_data.action == first
        assert item.rigid_body.kinematic
        bpy.ops.heft.use_take(take=1)
        assert item.animation_data.action == second

    def test_a_second_bake_reads_the_source(self, heft, world, bake, monkeypatch):
        item = loose_cube(world)
        seen = []
        handing_over = heft("addon.baking.handed_over")
        write_scene = handing_over.write_scene
        monkeypatch.setattr(
            handing_over,
            "write_scene",
            lambda path, world: (seen.append(world.objects[0]), write_scene(path, world)),
        )
        bake()
        bpy.context.scene.frame_set(9)
        bake()
        np.testing.assert_allclose(seen[0].placement.position, seen[1].placement.position, atol=1e-6)
        assert seen[1].loose is not None
        assert item.animation_data.action is not None

    def test_a_failed_second_bake_leaves_the_first_playing(self, world, bake):
        item = loose_cube(world)
        bake()
        action, before = item.animation_data.action, everything()
        assert not bake(fault="sys.exit(0)").baked
        assert item.animation_data.action == action
        assert item.rigid_body.kinematic
        assert everything()["names"] == before["names"]

    def test_delete_takes_the_keys_along(self, world, bake):
        item = loose_cube(world)
        before = sorted(action.name for action in bpy.data.actions)
        bake()
        bpy.ops.heft.delete_take("EXEC_DEFAULT")
        assert sorted(action.name for action in bpy.data.actions) == before
        assert item.animation_data.action is None
        assert not item.rigid_body.kinematic

    def test_also_where_the_rig_was_given_another_action_by_hand(self, world, bake, walker):
        item = loose_cube(world)
        source = walker.animation_data.action
        bake()
        walker.animation_data.action = source
        bpy.ops.heft.use_take(take=-1)
        assert item.animation_data.action is None

    def test_a_deleted_object_is_no_error(self, world, bake):
        item = loose_cube(world)
        bake()
        bpy.data.objects.remove(item)
        bpy.ops.heft.use_take(take=-1)
        bpy.ops.heft.use_take(take=0)
        bpy.ops.heft.delete_take("EXEC_DEFAULT")

    def test_it_survives_the_file(self, world, bake, tmp_path):
        loose_cube(world)
        bake()
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "loose.blend"))
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "loose.blend"))
        item = bpy.data.objects["Cube"]
        assert_tumbles(item)
        walker = next(rig for rig in bpy.data.objects if rig.type == "ARMATURE")
        bpy.context.view_layer.objects.active = walker
        bpy.ops.heft.use_take(take=-1)
        assert item.animation_data.action is None
        assert not item.rigid_body.kinematic
        np.testing.assert_allclose(item.location, (0, 0, 1), atol=1e-6)


class TestThrownBalls:
    @pytest.fixture
    def throw(self, walker):
        item = walker.heft.pushes.add()
        item.kind, item.frame, item.mass = "THROW", 8, 4.0
        return item

    def ball(self, walker):
        (item,) = walker.heft.takes[-1].objects
        return item.object

    def test_a_ball_of_its_own_flies_through_the_take(self, throw, bake, walker):
        assert bake("ball 1").baked
        ball = self.ball(walker)
        radius = max(vertex.co.length for vertex in ball.data.vertices)
        assert radius == pytest.approx(UNITS * 0.0985, rel=0.01)  # of 4 kg of water
        assert_tumbles(ball)
        bpy.context.scene.frame_set(0)
        assert ball.hide_viewport
        assert ball.hide_render
        bpy.context.scene.frame_set(5)
        assert not ball.hide_viewport

    def test_it_is_hidden_beside_the_source_and_gone_with_the_take(self, throw, bake, walker):
        before = everything()["names"]
        bake("ball 1")
        ball = self.ball(walker)
        bpy.ops.heft.use_take(take=-1)
        assert ball.hide_viewport
        bpy.ops.heft.use_take(take=0)
        bpy.context.scene.frame_set(5)
        assert not ball.hide_viewport
        bpy.ops.heft.delete_take("EXEC_DEFAULT")
        assert everything()["names"] == before

    def test_it_is_seen_once_it_is_thrown(self, heft):
        module = heft("addon.writing.thrown_balls")
        waits = np.concatenate([np.zeros((5, 3)), np.ones((3, 3))])
        assert module._first_row_in_flight(heft("addon.world.placements").Path(waits, np.ones((8, 4)), False)) == 4

    def test_a_worker_that_tells_of_no_ball_is_no_error(self, throw, bake, walker):
        assert bake("something else").baked
        assert not walker.heft.takes[-1].objects


class TestFaults:
    def test_no_file_of_objects(self, world, bake):
        loose_cube(world)
        before = everything()
        outcome = bake(fault="")
        assert outcome.sentence.startswith("Where the loose objects went cannot be read")
        assert everything() == before

    @pytest.mark.parametrize(
        "told", [{"frames": 3}, {"turns": [[1, 0, 0, float("nan")]] * LAST_FRAME}, {"turns": "nonsense"}]
    )
    def test_a_wrong_file_of_objects(self, world, bake, told):
        loose_cube(world)
        before = everything()
        assert bake(**told).sentence.startswith("Where the loose objects went cannot be read")
        assert everything() == before

    def test_what_was_not_asked_for_is_not_looked_at(self, world, bake):
        assert bake(fault="").baked

    def test_an_object_that_drivers_hold(self, world, bake, walker):
        item = loose_cube(world)
        item.driver_add("location", 2).driver.expression = "7.0"
        assert bake().baked
        (warning,) = [text for text in report_of(walker.heft.takes[0].action)["warnings"] if "'Cube'" in text]
        assert "away from where it was simulated" in warning

    @pytest.mark.parametrize(("stage", "step"), [("Reading the world", 3), ("Writing the take", 12)])
    def test_a_cancel_leaves_nothing_behind(self, heft, world, recorded, walker, stage, step):
        loose_cube(world)
        tell(recorded, ["Cube"])
        before = everything()
        session = heft("addon.baking.bake_session").BakeSession(
            walker, bpy.context.scene, fake_worker(heft, recorded, COPY)
        )
        seen = []

        def cancel_later(status):
            seen.append(status.stage)
            if seen.count(stage) == step:
                session.cancel()

        outcome = run(session, after_step=cancel_later)
        assert not outcome.baked
        assert everything() == before

    def test_an_undo_while_the_world_is_read(self, heft, world, recorded, walker):
        """What was begun begins anew, with data that are others by then."""
        loose_cube(world)
        tell(recorded, ["Cube"])
        bpy.ops.ed.undo_push(message="before")
        bpy.context.scene.frame_set(3)
        bpy.ops.ed.undo_push(message="moved")
        handlers = heft("addon.baking.handlers")
        session = heft("addon.baking.bake_session").BakeSession(
            walker, bpy.context.scene, fake_worker(heft, recorded, COPY)
        )
        handlers.begin(session)
        seen = []

        def undo_once(status):
            seen.append(status.stage)
            if seen.count("Reading the world") == 5:
                bpy.ops.ed.undo()

        try:
            outcome = run(session, after_step=undo_once)
        finally:
            handlers.end()
        assert outcome.baked, outcome
        assert_tumbles(bpy.data.objects["Cube"])
        assert not any("Heft reads" in scene.name for scene in bpy.data.scenes)


def _curves(action):
    from tests.blender.baking import curves_of

    return curves_of(action)
