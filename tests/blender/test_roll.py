"""A character that rolls: the real bake, what the worker is told, the box in the panel, and what can be wrong."""

import json
import math
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Euler, Vector

from tests.blender import rigs
from tests.blender.baking import curve_bytes, curves_of, everything, report_of, run
from tests.blender.fake_layout import drawn
from tests.blender.own_time import (
    LastingWorker,
    arrow,
    outside,
    read_for_bake,
    said,
    session,
    settings_of,
    shown_body,
)
from tests.blender.reports import made_report
from tests.blender.worlds import add, cube_mesh, plane_mesh, slide, world_collection

MADE = ("FORWARD", "BACKWARD", "SIDEWAYS", "SHOULDER")


@pytest.fixture(scope="module")
def roll_motion(heft, run_worker, tmp_path_factory):
    clip = tmp_path_factory.mktemp("clips") / "roll.npz"
    run_worker("sample", "roll", "-o", str(clip))
    return heft("sim_core.motion.clip_npz").load_npz(clip)


@pytest.fixture
def roller(roll_motion):
    """A rig with the sample's roll at 30 frames a second, set to one quick simulation."""
    armature = rigs.from_clip(roll_motion, every=2)
    bpy.context.view_layer.objects.active = armature
    rig = armature.heft
    rig.motion, rig.budget_choice = "ROLL", "DRAFT"
    rig.own_limits, rig.assist, rig.assist_limit = True, "LIMIT", 40.0
    return armature


@pytest.fixture
def walker(walk_motion):
    """Its 13 frames are quick to read; what it does is no roll, and only a fake worker makes one of it."""
    armature = rigs.from_clip(walk_motion, every=10)
    bpy.context.view_layer.objects.active = armature
    armature.heft.motion = "ROLL"
    return armature


def give(armature, **chosen):
    for name, value in chosen.items():
        setattr(armature.heft.roll, name, value)


class TestBake:
    def test_two_rolls_make_a_longer_take(self, roller):
        give(roller, rolls=2)
        roller.heft.assist = "LEAST"  # what a draft cannot roll by itself is held
        scene, source = bpy.context.scene, roller.animation_data.action
        first, last = (round(frame) for frame in source.frame_range)
        bpy.ops.ed.undo_push(message="before")
        before, keys, around = everything(), curve_bytes(source), outside()
        bpy.ops.heft.bake("EXEC_DEFAULT", True)  # True: with a step for undo, as a button makes it
        take = roller.heft.takes[0]
        said = bpy.context.window_manager.heft.sentence
        assert take.completed, said
        assert take.frame_start == first
        assert take.frame_end > last + 10
        assert {len(curve.keyframe_points) for curve in curves_of(take.action)} == {take.frame_end - first + 1}
        assert tuple(take.action.frame_range) == (first, take.frame_end)
        assert (curve_bytes(source), outside()) == (keys, around)
        report = report_of(take.action)
        assert (report["motion"], report["frames"]) == ("roll", take.frame_end - first + 1)
        assert f"frames {first} to {take.frame_end}." in said
        assert f"Playback ends at frame {scene.frame_end}, the take at frame {take.frame_end}." in said
        _moves_on(roller, take, last)
        scene.frame_set(before["frame"])
        bpy.ops.ed.undo()
        after = everything()
        assert after["names"] == before["names"]
        assert after["keys"] == before["keys"]
        assert not bpy.data.objects["Walker"].heft.takes

    def test_a_roll_that_is_made(self, roller):
        give(roller, kind="BACKWARD", rolls=1)
        roller.heft.assist = "LEAST"
        bpy.ops.heft.bake()
        take = roller.heft.takes[0]
        report = report_of(take.action)
        assert take.completed, bpy.context.window_manager.heft.sentence
        assert report["roll"]["kind"] == "backward"
        assert report["roll"]["rolls"] == pytest.approx(1.0, abs=0.2)

    @pytest.mark.parametrize("keys", ["EVERY", "REDUCED"])
    @pytest.mark.parametrize("frames", [9, 13, 20])
    def test_a_take_has_the_frames_that_the_worker_made(self, heft, walker, roll_worker, frames, keys):
        """Fewer than the source, as many, or more; after them the last pose is held."""
        walker.heft.keys = keys
        walker.heft.blend_out = 5  # back into the source, which is elsewhere: not for a roll
        source = walker.animation_data.action
        before = curve_bytes(source)
        outcome = run(session(heft, walker, roll_worker(frames)))
        assert outcome.baked, outcome
        take = walker.heft.takes[0]
        assert (take.frame_start, take.frame_end) == (1, frames)
        assert tuple(take.action.frame_range) == (1, frames)
        assert curve_bytes(source) == before
        places = {}
        for frame in (frames, frames + 1, 30):
            bpy.context.scene.frame_set(frame)
            places[frame] = np.array(walker.matrix_world @ walker.pose.bones[0].head)
        wanted = roll_worker.made.world().positions[-1, 0]
        for place in places.values():
            np.testing.assert_allclose(place, wanted, atol=2e-3)
        shown = heft("addon.drawing.shown_take").playing_take(bpy.context)
        assert len(shown.take) == frames
        bpy.context.scene.frame_set(frames)
        assert shown.row(bpy.context.scene) == frames - 1

    def test_a_longer_take_on_an_animated_object(self, heft, walker, roll_worker):
        """What the object itself does beyond the source's last frame is reckoned with."""
        for frame, x in ((1, 0.0), (20, 3.0)):
            walker.location.x = x
            walker.keyframe_insert("location", frame=frame)
        walker.heft.use_range, walker.heft.frame_end = True, 13
        assert run(session(heft, walker, roll_worker(20))).baked
        bpy.context.scene.frame_set(20)
        place = np.array(walker.matrix_world @ walker.pose.bones[0].head)
        np.testing.assert_allclose(place, roll_worker.made.world().positions[-1, 0], atol=2e-3)

    def test_what_moves_by_itself_goes_on_for_as_long_as_the_scene(self, heft, walker, roll_worker):
        """A take that gets longer than its source meets it where Blender shows it."""
        world = world_collection(walker)
        add(world, "Floor", plane_mesh(30.0))
        slide(add(world, "Cart", cube_mesh(), location=(0, 9, 1)), 1, 30)
        bpy.context.scene.frame_end = 25
        told = []

        def start(arguments, folder):
            scene = json.loads(Path(arguments[arguments.index("--scene") + 1]).read_text())
            told.extend(len(item["moves"]["positions"]) for item in scene["objects"] if "moves" in item)
            return roll_worker(20)(arguments, folder)

        assert run(session(heft, walker, start)).baked
        assert told == [25]

    def test_only_a_roll_takes_the_time_it_takes(self, heft, walker, roll_worker):
        walker.heft.motion = "TRACK"
        assert "other frames; bake again" in run(session(heft, walker, roll_worker(20))).sentence

    def test_it_is_no_take_to_go_on_from(self, heft, walker, roll_worker):
        assert run(session(heft, walker, roll_worker(20))).baked
        bpy.context.scene.frame_set(5)
        earlier = heft("addon.baking.earlier_take").earlier_take
        for motion in ("ROLL", "TRACK"):
            walker.heft.motion = motion
            with pytest.raises(Exception, match="A roll is simulated as a whole; press Bake to Physics"):
                earlier(walker, 0, bpy.context.scene)
            assert not bpy.ops.heft.resimulate.poll()

    def test_the_end_of_playback_is_told_only_where_it_is_too_early(self, heft, walker, roll_worker):
        bpy.context.scene.frame_end = 250
        assert "Playback" not in run(session(heft, walker, roll_worker(20))).sentence
        scene = bpy.context.scene
        scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 1, 15
        assert (
            "Playback ends at frame 15, the take at frame 20." in run(session(heft, walker, roll_worker(20))).sentence
        )
        assert (scene.frame_end, scene.frame_preview_end) == (250, 15)


def _moves_on(armature, take, last):
    """Beyond the frames of the source, without a jump, and then it stays."""
    places = []
    for frame in range(last, take.frame_end + 6):
        bpy.context.scene.frame_set(frame)
        places.append(np.array(armature.matrix_world @ armature.pose.bones[0].head))
    assert np.ptp(places, axis=0).max() > 0.3
    assert np.abs(np.diff(places, axis=0)).max() < 0.3
    np.testing.assert_allclose(places[-5:], [places[-6]] * 5, atol=1e-4)


@pytest.fixture
def roll_worker(heft, recorded):
    """roll_worker(20): a worker whose result is what it was given, led aside, in so many frames."""
    return LastingWorker(heft, recorded, motion="roll")


def told(heft, armature, folder=Path("x")):
    """What the worker is given, and the poses, with handle and actions looked up as in a bake."""
    choices, motion, bones = read_for_bake(heft, armature)
    resolve = heft("addon.rolls.resolve_roll").resolve_roll(choices.roll, armature, bpy.context.scene, motion, bones)
    resolved = heft("addon.generators").run_to_end(resolve)
    module = heft("addon.baking.worker_arguments")
    arguments = module.worker_arguments(replace(choices, roll=resolved.roll), module.WorkerFiles(folder))
    return arguments, resolved.poses


def roll_told(heft, armature):
    """As the worker understands it."""
    settings = settings_of(heft, told(heft, armature)[0])
    assert settings.motion == "roll"
    return settings.roll


class TestCommandLine:
    def test_the_clips_own(self, heft, walker):
        """Only what it has: the worker refuses the rest, which stays on the rig for another kind."""
        way = arrow()
        give(walker, rolls=3, speed=1.2, repeat="DISTANCE", direction=1.0, use_frame=True, frame=5, handle=way)
        walker.heft.roll.poses.add()
        roll = roll_told(heft, walker)
        assert (roll.kind, roll.rolls, roll.distance_m) == ("clip", 3, None)
        assert roll.speed == pytest.approx(1.2)
        assert (roll.at, roll.direction_deg, roll.then, roll.poses) == (None, None, None, None)

    @pytest.mark.parametrize("kind", MADE)
    def test_made_kinds(self, heft, walker, kind):
        give(walker, kind=kind, rolls=4, use_frame=True, frame=5, direction=math.radians(-30), then="CLIP")
        roll = roll_told(heft, walker)
        assert (roll.kind, roll.rolls, roll.at, roll.then) == (kind.lower(), 4, 5, "clip")
        assert roll.direction_deg == pytest.approx(-30, abs=1e-3)

    @pytest.mark.parametrize("then", ["STAND", "CLIP", "ROLL"])
    def test_how_far_and_what_follows(self, heft, walker, then):
        give(walker, kind="SIDEWAYS", repeat="DISTANCE", distance=4.5, then=then)
        roll = roll_told(heft, walker)
        assert (roll.rolls, roll.distance_m) == (None, 4.5)
        assert roll.then == (None if then == "STAND" else then.lower())  # who rolls sideways lies
        assert (roll.at, roll.direction_deg) == (None, None)

    def test_a_direction_near_zero_is_a_number_still(self, heft, walker):
        give(walker, kind="FORWARD", direction=-1e-7)
        assert roll_told(heft, walker).direction_deg == pytest.approx(0.0, abs=1e-4)

    def test_choices_that_a_roll_does_not_have(self, heft, walker):
        walker.heft.controller, walker.heft.preset, walker.heft.blend_out = "VA", "MCSIM", 9
        arguments, _ = told(heft, walker)
        assert "--preset" not in arguments
        assert settings_of(heft, arguments).controller == "qp"
        assert heft("addon.baking.bake_choices").read_choices(walker, bpy.context.scene).blend_out == 0

    def test_other_motions_say_nothing_of_it(self, heft, walker):
        walker.heft.motion = "TRACK"
        give(walker, kind="FORWARD", use_frame=True, frame=500)
        choices = heft("addon.baking.bake_choices").read_choices(walker, bpy.context.scene)
        module = heft("addon.baking.worker_arguments")
        arguments = module.worker_arguments(choices, module.WorkerFiles(Path("x")))
        assert settings_of(heft, arguments).motion == "track"

    def test_a_push_may_come_after_the_last_frame_of_the_source(self, heft, walker):
        push = walker.heft.pushes.add()
        push.frame = 40
        assert any("frame=40" in argument for argument in told(heft, walker)[0])
        push.frame = 0
        with pytest.raises(Exception, match="A push comes at frame 0, and frames 1 to 13 are simulated"):
            told(heft, walker)


class TestHandle:
    @pytest.mark.parametrize("degrees", [0, 35, -120, 180])
    def test_its_arrow_is_read_from_where_the_character_faces(self, heft, walker, degrees):
        body = shown_body(heft, walker, 5)
        way = body.in_world(Vector((math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), 0.0)))
        turn = way.to_track_quat("Z", "Y")
        handle = arrow(location=body.place, rotation_mode="QUATERNION", rotation_quaternion=turn, scale=(3, 3, 3))
        give(walker, kind="FORWARD", use_frame=True, frame=5, direction=1.0, handle=handle)
        off = roll_told(heft, walker).direction_deg - degrees
        assert (off + 180) % 360 - 180 == pytest.approx(0, abs=0.1)

    def test_moved_away_the_roll_goes_to_it(self, heft, walker):
        body = shown_body(heft, walker, 1)
        handle = arrow(location=body.place + 2.0 * body.left + Vector((0, 0, 1)), rotation_euler=Euler((1.0, 0.4, 0)))
        give(walker, kind="SIDEWAYS", handle=handle)
        assert roll_told(heft, walker).direction_deg == pytest.approx(90, abs=3)

    def test_it_is_looked_at_in_its_frame(self, heft, walker):
        body = shown_body(heft, walker, 6)
        handle = arrow()
        for frame, way in ((1, -body.left), (6, body.left)):
            handle.location = body.place + 2.0 * way
            handle.keyframe_insert("location", frame=frame)
        bpy.context.scene.frame_set(2)
        give(walker, kind="FORWARD", use_frame=True, frame=6, handle=handle)
        assert roll_told(heft, walker).direction_deg == pytest.approx(90, abs=3)
        assert bpy.context.scene.frame_current == 2

    def test_add_handle_changes_nothing_yet(self, heft, walker):
        bpy.context.scene.frame_set(2)
        give(walker, kind="FORWARD", use_frame=True, frame=8, direction=math.radians(40))
        assert bpy.ops.heft.add_roll_handle() == {"FINISHED"}
        handle = walker.heft.roll.handle
        assert (handle.empty_display_type, handle.name) == ("SINGLE_ARROW", "Roll of Walker")
        bpy.context.view_layer.update()
        assert roll_told(heft, walker).direction_deg == pytest.approx(40, abs=0.1)
        assert bpy.context.scene.frame_current == 2
        assert not bpy.ops.heft.add_roll_handle.poll()

    def test_a_deleted_one_is_said(self, heft, walker):
        give(walker, kind="FORWARD", handle=arrow())
        handle = walker.heft.roll.handle
        bpy.context.scene.collection.objects.unlink(handle)  # what X does while something points to it
        before = everything()
        with pytest.raises(RuntimeError, match="The handle 'Way' of the roll was deleted; add another, or clear"):
            bpy.ops.heft.bake()
        assert everything() == before
        assert "This handle was deleted" in said(walker)
        assert bpy.ops.heft.add_roll_handle() == {"FINISHED"}
        assert walker.heft.roll.handle != handle

    def test_one_that_points_nowhere(self, heft, walker):
        body = shown_body(heft, walker, 1)
        give(walker, kind="FORWARD", handle=arrow(location=body.place))
        with pytest.raises(RuntimeError, match="The handle 'Way' of the roll points straight up or down; turn it"):
            bpy.ops.heft.bake()


def pose_action(name, armature, **turns):
    """A pose of the library: one frame, at 7, with the channels of some bones."""
    played = armature.animation_data.action
    action = bpy.data.actions.new(name)
    armature.animation_data.action = action
    for bone_name, angle in turns.items():
        bone = armature.pose.bones[bone_name]
        kept, mode = bone.rotation_quaternion.copy(), bone.rotation_mode
        bone.rotation_quaternion = Euler((angle, 0, 0)).to_quaternion()
        bone.rotation_mode = "QUATERNION"
        bone.keyframe_insert("rotation_quaternion", frame=7)
        bone.rotation_quaternion, bone.rotation_mode = kept, mode
    armature.animation_data.action = played
    return action


class TestPoses:
    @pytest.fixture(autouse=True)
    def made(self, walker):
        for bone in walker.pose.bones:
            bone.rotation_mode = "QUATERNION"
        give(walker, kind="FORWARD")

    def add(self, armature, *actions):
        for action in actions:
            armature.heft.roll.poses.add().action = action

    def test_without_any_heft_has_its_own(self, heft, walker):
        arguments, poses = told(heft, walker)
        assert poses is None
        assert settings_of(heft, arguments).roll.poses is None

    def test_actions_become_a_clip(self, heft, walker, tmp_path):
        bend, tuck = (pose_action(name, walker, Neck=angle) for name, angle in (("Bend", 0.3), ("Tuck", 0.9)))
        self.add(walker, tuck, bend, tuck)
        bpy.context.scene.frame_set(9)
        bpy.context.view_layer.update()
        before = everything(), bpy.context.scene.frame_current
        arguments, poses = told(heft, walker, tmp_path)
        assert (everything(), bpy.context.scene.frame_current) == before
        assert settings_of(heft, arguments).roll.poses == tmp_path / "poses.npz"
        assert len(poses) == 3
        neck = poses.skeleton.names.index("Neck")
        angles = heft("sim_core.rotations").angle_between(poses.rotations[:, neck], poses.skeleton.rest_rotations[neck])
        np.testing.assert_allclose(angles, (0.9, 0.3, 0.9), atol=1e-4)
        others = [bone for bone in range(1, len(poses.skeleton)) if bone != neck]
        np.testing.assert_allclose(  # bones without keys are at rest, whatever the walk shows
            np.abs(np.sum(poses.rotations[:, others] * poses.skeleton.rest_rotations[others], axis=-1)), 1.0, atol=1e-6
        )

    def test_the_current_pose_becomes_an_action(self, heft, walker):
        source = walker.animation_data.action
        for frame in (3, 9):
            bpy.context.scene.frame_set(frame)
            assert bpy.ops.heft.add_current_pose() == {"FINISHED"}
        poses = walker.heft.roll.poses
        assert [pose.action.name for pose in poses] == ["Walker Roll Pose 1", "Walker Roll Pose 2"]
        assert all(pose.action.use_fake_user for pose in poses)
        assert walker.animation_data.action == source
        bpy.context.scene.frame_set(1)
        _, clip = told(heft, walker)
        motion_frames = range(1, 14)
        reading = heft("addon.reading.read_motion")
        rig = heft("addon.reading.read_rig").read_rig(walker, bpy.context.scene)
        motion = heft("addon.generators").run_to_end(reading.read_motion(walker, bpy.context.scene, rig, motion_frames))
        for row, frame in enumerate((3, 9)):
            off = heft("sim_core.rotations").angle_between(clip.rotations[row], motion.clip.rotations[frame - 1])
            assert np.max(off) < 1e-3
            np.testing.assert_allclose(clip.positions[row], motion.clip.positions[frame - 1], atol=1e-4)

    def test_they_reach_the_worker(self, heft, walker, roll_worker):
        self.add(walker, *(pose_action(name, walker, Neck=0.5) for name in ("A", "B")))
        lengths = []

        def start(arguments, folder):
            file = Path(next(a.partition("=")[2] for a in arguments if a.startswith("--poses=")))
            lengths.append(len(heft("sim_core.motion.clip_npz").load_npz(file)))
            return roll_worker(20)(arguments, folder)

        assert run(session(heft, walker, start)).baked
        assert lengths == [2]

    def test_the_list(self, walker):
        assert not bpy.ops.heft.remove_roll_pose.poll()
        for name in ("A", "B"):
            bpy.ops.heft.add_roll_pose()
            walker.heft.roll.poses[-1].action = pose_action(name, walker, Neck=0.5)
        bpy.ops.heft.move_roll_pose(up=True)
        bpy.ops.heft.move_roll_pose(up=True)
        assert [pose.action.name for pose in walker.heft.roll.poses] == ["B", "A"]
        bpy.ops.heft.remove_roll_pose()
        assert [pose.action.name for pose in walker.heft.roll.poses] == ["A"]
        assert "B" in bpy.data.actions

    @pytest.mark.parametrize(
        ("poses", "sentence"),
        [
            (["A"], "A roll through poses needs two or more; add another, or remove it"),
            ([None], "Pose 1 of the roll has no action; choose one, or remove it"),
            (["A", None], "Pose 2 of the roll has no action; choose one, or remove it"),
            (["A", "Empty"], "The action 'Empty' has no keys for bones, and is no pose to roll through"),
        ],
    )
    def test_what_can_be_wrong(self, walker, poses, sentence):
        made = {"A": pose_action("A", walker, Neck=0.5), "Empty": bpy.data.actions.new("Empty"), None: None}
        self.add(walker, *(made[name] for name in poses))
        with pytest.raises(RuntimeError, match=sentence):
            bpy.ops.heft.bake()


def test_a_frame_outside_of_the_clip(walker):
    give(walker, kind="FORWARD", use_frame=True, frame=40)
    with pytest.raises(RuntimeError, match="The roll begins at frame 40, and frames 1 to 13 are simulated; let it"):
        bpy.ops.heft.bake()
    assert not walker.heft.takes


def test_settings_are_saved(walker, tmp_path):
    give(walker, kind="SHOULDER", rolls=7, speed=0.8, use_frame=True, frame=4, direction=0.5, then="ROLL")
    walker.heft.roll.handle = arrow()
    for _ in range(2):
        bpy.ops.heft.add_current_pose()
    path = str(tmp_path / "roll.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    armature = bpy.data.objects["Walker"]
    roll = armature.heft.roll
    assert (armature.heft.motion, roll.kind, roll.rolls, roll.then) == ("ROLL", "SHOULDER", 7, "ROLL")
    assert (roll.use_frame, roll.frame, roll.handle.name) == (True, 4, "Way")
    assert [pose.action.name for pose in roll.poses] == ["Walker Roll Pose 1", "Walker Roll Pose 2"]
    assert (roll.speed, roll.direction) == (pytest.approx(0.8), pytest.approx(0.5))


def test_on_an_override_of_a_linked_character(walker, tmp_path):
    walker.heft.friction, walker.heft.roll.rolls = 0.7, 2
    path = str(tmp_path / "character.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, wanted):
        wanted.objects = ["Walker"]
    bpy.context.scene.collection.objects.link(wanted.objects[0])
    own = wanted.objects[0].override_create(remap_local_usages=True)
    bpy.context.view_layer.objects.active = own
    bpy.ops.heft.roll_preset(preset="LOG")
    for _ in range(2):
        bpy.ops.heft.add_current_pose()
    shot = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=shot)
    bpy.ops.wm.open_mainfile(filepath=shot)
    own = next(item for item in bpy.data.objects if item.override_library is not None)
    roll = own.heft.roll
    assert (own.heft.motion, roll.kind, roll.rolls) == ("ROLL", "SIDEWAYS", 5)
    assert [pose.action.name for pose in roll.poses] == ["Walker Roll Pose 1", "Walker Roll Pose 2"]


class TestPanel:
    def test_only_where_it_is_chosen(self, walker):
        assert "heft.roll_preset" in drawn(walker).operators
        walker.heft.motion = "TRACK"
        assert "heft.roll_preset" not in drawn(walker).operators

    def test_the_clips_own_has_few_fields(self, walker):
        properties = drawn(walker).properties
        assert {"kind", "rolls", "speed"} <= set(properties)
        assert not {"distance", "repeat", "direction", "then", "use_frame", "handle"} & set(properties)

    @pytest.mark.parametrize("kind", MADE)
    def test_made_kinds_have_more(self, walker, kind):
        give(walker, kind=kind)
        layout = drawn(walker)
        assert {"repeat", "rolls", "speed", "use_frame", "direction", "handle", "then"} <= set(layout.properties)
        assert {"heft.add_roll_pose", "heft.add_current_pose", "heft.add_roll_handle"} <= set(layout.operators)
        assert "None: it rolls through Heft's own poses." in " ".join(layout.said)
        give(walker, repeat="DISTANCE", handle=arrow())
        layout = drawn(walker)
        assert "distance" in layout.properties
        assert not {"rolls", "direction"} & set(layout.properties)

    def test_poses_in_a_list(self, walker):
        give(walker, kind="FORWARD")
        bpy.ops.heft.add_current_pose()
        assert "One pose is not enough; add another." in said(walker)
        bpy.ops.heft.add_current_pose()
        assert drawn(walker).properties.count("action") == 2
        assert "not enough" not in said(walker)

    @pytest.mark.parametrize(
        ("preset", "kind", "rolls", "then"),
        [
            ("GYMNAST", "FORWARD", 1, "STAND"),
            ("PARKOUR", "SHOULDER", 1, "CLIP"),
            ("LOG", "SIDEWAYS", 5, "STAND"),
            ("BACKWARD", "BACKWARD", 1, "STAND"),
        ],
    )
    def test_presets(self, heft, walker, preset, kind, rolls, then):
        give(walker, repeat="DISTANCE", rolls=9, speed=1.7, direction=0.5)
        assert bpy.ops.heft.roll_preset(preset=preset) == {"FINISHED"}
        roll = walker.heft.roll
        assert (roll.kind, roll.repeat, roll.rolls, roll.then) == (kind, "NUMBER", rolls, then)
        assert (roll.speed, roll.direction) == (1.0, 0.5)
        roll_told(heft, walker)

    def test_the_current_frame(self, walker):
        bpy.context.scene.frame_set(6)
        bpy.ops.heft.roll_at_current_frame()
        assert (walker.heft.roll.use_frame, walker.heft.roll.frame) == (True, 6)

    def test_what_a_roll_does_not_have_is_greyed(self, walker):
        assert "blend_out" in drawn(walker, "frames").greyed
        assert "controller" in drawn(walker, "advanced").greyed
        assert "the take is as long as the roll." in said(walker, "frames")
        walker.heft.motion = "TRACK"
        assert "blend_out" not in drawn(walker, "frames").greyed
        assert "controller" not in drawn(walker, "advanced").greyed


ROLL = {
    "kind": "clip",
    "asked": 3,
    "rolls": 3,
    "distance_m": 4.2,
    "direction_off_deg": -4.2,
    "head_peak_n": 310.4,
    "head_limp_n": 1450.0,
}


class TestResult:
    @pytest.mark.parametrize(
        ("roll", "lines"),
        [
            (ROLL, [("Rolls", "3 of 3"), ("Direction", "4° off"), ("Head", "310 N (limp 1450 N)")]),
            (
                ROLL | {"rolls": 2, "head_limp_n": None},
                [("Rolls", "2 of 3"), ("Direction", "4° off"), ("Head", "310 N")],
            ),
            ({"rolls": 2}, [("Rolls", "2")]),
            (None, []),
        ],
    )
    def test_lines(self, heft, roll, lines):
        facts = heft("addon.takes.roll_words").roll_facts(made_report(motion="roll", roll=roll))
        assert [(fact.label, fact.text) for fact in facts] == lines

    def test_fewer_rolls_than_asked_for_are_red(self, heft):
        rolls, *_ = heft("addon.takes.roll_words").roll_facts({"roll": ROLL | {"rolls": 2}})
        assert rolls.light == "RED"

    def test_in_the_panel(self, heft, walker, roll_worker):
        assert run(session(heft, walker, roll_worker(20))).baked
        action = walker.heft.takes[0].action
        assert "1 to 20" in said(walker, "result")
        assert "Direction" not in said(walker, "result")
        report = report_of(action) | {"roll": ROLL}
        action["heft_report"] = json.dumps(report)
        words = said(walker, "result")
        for text in ("3 of 3", "4° off", "310 N (limp 1450 N)", "1 to 20"):
            assert text in words
