"""What is set to happen to a character: on the command line, under a handle, in the panel and in the viewport."""

import math
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Vector

from tests.blender import rigs
from tests.blender.fake_layout import draw
from tests.blender.worlds import add, cube_mesh, read, rigid, slide, world_collection

KINDS = ("PUSH", "THROW", "PULL", "KEEP_LEVEL", "TURN", "STANCE")


@pytest.fixture
def rig(walk_motion):
    """Faces -Y, as Blender's characters do."""
    armature = rigs.from_clip(walk_motion, every=10)
    bpy.context.view_layer.objects.active = armature
    return armature


@pytest.fixture
def motion(heft, rig):
    reading = heft("addon.reading.read_motion")
    bones = heft("addon.reading.read_rig").read_rig(rig, bpy.context.scene)
    return heft("addon.generators").run_to_end(reading.read_motion(rig, bpy.context.scene, bones, range(1, 13)))


@pytest.fixture
def options(heft, rig, motion):
    """options(): what the worker is told of the disturbances of the rig."""

    def tell(world=None, first=1, last=12):
        scene = bpy.context.scene
        found = heft("addon.disturbances.read_disturbances").disturbances_of(rig)
        bones = heft("addon.panel.body_check").bones_of(rig, scene)
        resolve = heft("addon.disturbances.handles").with_handles(found, motion, world, bones)
        resolved = heft("addon.generators").run_to_end(resolve)
        return heft("addon.disturbances.options").disturbance_options(resolved, first, last)

    return tell


def given(rig, kind, **settings):
    item = rig.heft.pushes.add()
    item.kind, item.frame = kind, 4
    for name, value in settings.items():
        setattr(item, name, value)
    return item


def handle(**settings):
    empty = bpy.data.objects.new("Handle", None)
    bpy.context.scene.collection.objects.link(empty)
    for name, value in settings.items():
        setattr(empty, name, value)
    bpy.context.view_layer.update()
    return empty


class TestCommandLine:
    @pytest.mark.parametrize(
        ("kind", "settings", "option"),
        [
            ("PUSH", {"force": (0, 150, -1.5)}, "--push=bone=chest,frame=4,frames=6,force=0:150:-1.5"),
            (
                "PUSH",
                {"force": (80, 0, 0), "space": "CHARACTER", "segment": "head"},
                "--push=bone=head,frame=4,frames=6,force=80:0:0,space=character",
            ),
            ("THROW", {"mass": 2.5}, "--throw=target=chest,frame=4,mass=2.5,speed=5,from=left"),
            (
                "THROW",
                {"side": "DIRECTION", "direction": (0, -1, 0.5)},
                "--throw=target=chest,frame=4,mass=4,speed=5,from=0:-1:0.5",
            ),
            (
                "PULL",
                {"segment": "hand_r", "strength": 60, "to": (1, 2, 0.5)},
                "--pull=bone=hand_r,frame=4,frames=6,to=1:2:0.5,force=60",
            ),
            ("KEEP_LEVEL", {"segment": "hand_r"}, "--keep-level=bone=hand_r"),
            (
                "KEEP_LEVEL",
                {"segment": "hand_r", "whole_clip": False, "frames": 3},
                "--keep-level=bone=hand_r,frame=4,frames=3",
            ),
            ("TURN", {"angle": math.radians(-30)}, "--turn=-30,frame=4"),
            ("STANCE", {}, "--stance=foot=left,is=stands,frame=4,frames=6"),
            ("STANCE", {"foot": "RIGHT", "foot_does": "SWINGS"}, "--stance=foot=right,is=swings,frame=4,frames=6"),
            ("STANCE", {"foot_does": "SLIDES", "frames": 2}, "--stance=foot=left,is=slides,frame=4,frames=2"),
        ],
    )
    def test_each_kind(self, rig, options, kind, settings, option):
        given(rig, kind, **settings)
        (told,) = options()
        assert told.partition("=")[0] == option.partition("=")[0]
        assert [_rounded(part) for part in told.split(",")] == option.split(",")

    def test_points_are_told_in_metres(self, heft, rig, motion, options):
        given(rig, "PULL", to=(100, 0, 50))
        object.__setattr__(motion.rig, "metres_per_unit", 0.01)
        assert "to=1:0:0.5" in options()[0]

    def test_what_does_nothing_is_not_told(self, rig, options):
        given(rig, "PUSH", force=(0, 0, 0))
        given(rig, "PUSH", strength=0, handle=handle())
        given(rig, "PULL", strength=0)
        given(rig, "TURN", angle=0)
        assert options() == []

    @pytest.mark.parametrize(
        ("kind", "word"),
        [("PUSH", "push"), ("THROW", "throw"), ("PULL", "pull"), ("TURN", "turn"), ("STANCE", "stance")],
    )
    def test_a_frame_that_is_not_simulated(self, rig, options, kind, word):
        given(rig, kind, frame=40)
        with pytest.raises(Exception, match=f"A {word} comes at frame 40, and frames 1 to 12 are simulated; move the"):
            options()

    def test_keeping_level_all_the_time_has_no_frame(self, rig, options):
        given(rig, "KEEP_LEVEL", frame=40)
        assert len(options()) == 1

    def test_a_throw_from_nowhere(self, rig, options):
        given(rig, "THROW", side="DIRECTION", direction=(0, 0, 0))
        with pytest.raises(Exception, match="A throw comes from no direction; set one"):
            options()

    def test_without_disturbances_the_worker_is_told_of_none(self, heft, rig):
        choices = heft("addon.baking.bake_choices").read_choices(rig, bpy.context.scene)
        assert choices.disturbances == ()


def _rounded(part):
    """Blender's numbers have 32 bits."""
    head, _, tail = part.rpartition("=")
    try:
        return f"{head}={':'.join(f'{float(value):.6g}' for value in tail.split(':'))}"
    except ValueError:
        return part


def triple(option, name):
    return np.array([float(value) for value in option.split(f"{name}=")[1].split(",")[0].split(":")])


class TestHandles:
    def test_a_push_goes_where_the_arrow_points(self, rig, options):
        turn = Euler((0.4, 0.7, 0.2))
        given(rig, "PUSH", strength=200, handle=handle(rotation_euler=turn, scale=(3, 3, 3)))
        expected = 200 * (turn.to_matrix() @ Vector((0, 0, 1)))
        np.testing.assert_allclose(triple(options()[0], "force"), expected, atol=1e-3)

    def test_it_is_looked_at_in_its_frame(self, rig, options):
        arrow = handle()
        for frame, angle in ((1, 0.0), (4, math.pi / 2)):
            arrow.rotation_euler.x = angle
            arrow.keyframe_insert("rotation_euler", frame=frame)
        bpy.context.scene.frame_set(1)
        given(rig, "PUSH", strength=100, handle=arrow)
        np.testing.assert_allclose(triple(options()[0], "force"), (0, -100, 0), atol=1e-3)
        assert bpy.context.scene.frame_current == 1

    def test_a_throw_comes_from_where_it_stands(self, heft, rig, motion, options):
        given(rig, "THROW", handle=handle(location=(3, 0, 2)))
        names = motion.clip.skeleton.names
        bone = heft("addon.panel.body_check").bones_of(rig, bpy.context.scene)["chest"]
        way = np.array([3, 0, 2]) - motion.clip.world().positions[3, names.index(bone)]
        np.testing.assert_allclose(triple(options()[0], "from"), way / np.linalg.norm(way), atol=1e-4)

    def test_a_pull_leads_to_it(self, rig, options):
        given(rig, "PULL", strength=60, handle=handle(location=(1, 2, 3)))
        assert "to=1:2:3," in options()[0]

    def test_a_pull_follows_it(self, rig, options):
        mover = handle(location=(0, 2, 3))
        slide(mover, 4, 9)
        given(rig, "PULL", strength=60, frames=6, handle=mover)
        points = [triple(f"to={point}", "to") for point in options()[0].split("to=")[1].split(",")[0].split("/")]
        assert len(points) == 6
        np.testing.assert_allclose(points[0], (0, 2, 3), atol=1e-4)
        np.testing.assert_allclose(points[-1], (1, 2, 3), atol=1e-4)

    def test_a_long_pull_has_an_end_on_the_command_line(self, rig, options):
        mover = handle()
        slide(mover, 1, 900)
        given(rig, "PULL", strength=60, frames=900, handle=mover)
        assert len(options()[0]) < 4000

    def test_a_pull_by_a_moving_object_of_the_world(self, heft, rig, motion, options):
        world = world_collection(rig)
        balloon = add(world, "Balloon", cube_mesh(), location=(0, 0, 3))
        slide(balloon)
        given(rig, "PULL", strength=60, handle=balloon)
        read_world = read(heft, rig, motion)
        assert "by=Balloon," in options(read_world)[0]
        rigid(balloon)
        assert "by=Balloon," in options(read(heft, rig, motion))[0]
        balloon.name = "A, b"
        with pytest.raises(Exception, match="'A, b', which has a comma in its name"):
            options(read(heft, rig, motion))

    def test_a_deleted_handle_is_none(self, rig, options):
        arrow = handle()
        item = given(rig, "PUSH", handle=arrow, strength=7, force=(0, 150, 0))
        bpy.context.scene.collection.objects.unlink(arrow)  # what X does while something points to it
        assert item.handle is not None
        assert "force=0:150:0" in options()[0]

    @pytest.mark.parametrize("kind", ["PUSH", "THROW", "PULL"])
    @pytest.mark.parametrize("space", ["WORLD", "CHARACTER"])
    def test_add_handle_changes_nothing_yet(self, rig, options, kind, space):
        item = given(rig, kind, frame=9, force=(0, 120, 50), space=space, to=(0.4, 0.5, 1.2), strength=60)
        bpy.context.scene.frame_set(2)
        before = rounded(options()[0])
        bpy.ops.heft.add_handle()
        assert bpy.context.scene.frame_current == 2
        assert item.handle.empty_display_type == "SINGLE_ARROW"
        after = rounded(options()[0])
        if kind == "PUSH" and space == "CHARACTER":
            assert np.linalg.norm(triple(after, "force")) == pytest.approx(130, abs=0.1)
        elif kind == "THROW":
            left = triple(after, "from")
            assert np.linalg.norm(left) == pytest.approx(1, abs=1e-3)
        else:
            name = "to" if kind == "PULL" else "force"
            np.testing.assert_allclose(triple(after, name), triple(before, name), atol=0.01)

    def test_it_is_at_the_bone_at_that_frame(self, heft, rig):
        given(rig, "PUSH", frame=9)
        bpy.context.scene.frame_set(2)
        bpy.ops.heft.add_handle()
        bpy.context.scene.frame_set(9)
        bone = rig.pose.bones[heft("addon.panel.body_check").bones_of(rig, bpy.context.scene)["chest"]]
        middle = rig.matrix_world @ ((bone.head + bone.tail) / 2)
        np.testing.assert_allclose(rig.heft.pushes[0].handle.location, middle, atol=1e-5)

    def test_reasons_why_not(self, rig):
        assert not bpy.ops.heft.add_handle.poll()
        given(rig, "TURN")
        assert not bpy.ops.heft.add_handle.poll()
        given(rig, "PUSH", handle=handle())
        rig.heft.active_push = 1
        assert not bpy.ops.heft.add_handle.poll()


def rounded(option):
    return ",".join(_rounded(part) for part in option.split(","))


class TestPanel:
    def drawn(self, armature):
        real = bpy.context
        context = SimpleNamespace(
            active_object=armature,
            scene=real.scene,
            window_manager=real.window_manager,
            preferences=real.preferences,
            region=SimpleNamespace(width=292),
        )
        return draw(bpy.types.HEFT_PT_disturbances, context)

    @pytest.mark.parametrize(
        ("kind", "fields"),
        [
            ("PUSH", ["kind", "segment", "frame", "frames", "force", "space", "handle"]),
            ("THROW", ["kind", "segment", "frame", "mass", "speed", "side", "handle"]),
            ("PULL", ["kind", "segment", "frame", "frames", "strength", "to", "handle"]),
            ("KEEP_LEVEL", ["kind", "segment", "whole_clip"]),
            ("TURN", ["kind", "frame", "angle"]),
            ("STANCE", ["kind", "foot", "foot_does", "frame", "frames"]),
        ],
    )
    def test_each_kind_has_its_few_fields(self, rig, kind, fields):
        bpy.ops.heft.add_disturbance(kind=kind)
        assert self.drawn(rig).properties == ["name", *fields]

    def test_a_handle_takes_the_place_of_numbers(self, rig):
        given(rig, "PUSH", handle=handle())
        drawn = self.drawn(rig)
        assert "strength" in drawn.properties
        assert not {"force", "space"} & set(drawn.properties)
        assert "heft.add_handle" not in drawn.operators

    def test_added_ones_have_names_of_their_kind(self, rig):
        for kind in (*KINDS, "PUSH"):
            bpy.ops.heft.add_disturbance(kind=kind)
        assert [item.name for item in rig.heft.pushes] == [
            "Push 1",
            "Throw 1",
            "Pull 1",
            "Keep Level 1",
            "Turn 1",
            "Stance 1",
            "Push 2",
        ]

    def test_a_part_that_the_rig_does_not_have_is_said(self, rig):
        item = given(rig, "PUSH", segment="hand_r")
        assert "This rig has no right hand" in " ".join(self.drawn(rig).said)
        item.kind = "TURN"
        assert "This rig has no" not in " ".join(self.drawn(rig).said)

    def test_a_new_pull_leads_ahead(self, rig):
        bpy.ops.heft.add_disturbance(kind="PULL")
        assert rig.heft.pushes[0].strength == 60.0
        assert Vector(rig.heft.pushes[0].to).length > 0.3


def test_pushes_of_old_files_are_still_pushes(rig):
    """They hold a segment, frames and a force, and nothing of kinds."""
    item = rig.heft.pushes.add()
    item.segment, item.frame, item.frames, item.force = "head", 7, 3, (10, 20, 30)
    assert (item.kind, item.space, item.handle) == ("PUSH", "WORLD", None)
    assert "pushes" in rig.heft.bl_rna.properties
    assert type(item).__name__ == "HeftPush"


def test_the_sample_of_an_older_version_keeps_its_push(heft):
    sample = Path(__file__).parents[2] / "sample_blends" / "pushed_while_standing.blend"
    bpy.ops.wm.open_mainfile(filepath=str(sample))
    (push,) = bpy.data.objects["Character"].heft.pushes
    assert (push.name, push.kind, push.segment, push.frame, push.frames) == ("Shove", "PUSH", "chest", 30, 6)
    assert Vector(push.force).length == pytest.approx(200, abs=0.1)


class TestArrows:
    @pytest.fixture
    def arrow(self, heft):
        module, disturbance = heft("addon.drawing.disturbance_arrows"), heft("addon.disturbances.disturbance")

        def make(kind, handle=None, units=1.0, **settings):
            stance = module.Stance(
                place=np.array([0.0, 0.0, 1.3]), forward=np.array([0.0, -1.0, 0.0]), units_per_metre=units
            )
            return module.arrow(disturbance.Disturbance(kind=kind, **settings), stance, handle)

        return make

    def test_a_push_ends_at_the_bone_and_is_as_long_as_hard(self, arrow):
        short, long = (arrow("PUSH", force=(newtons, 0, 0)) for newtons in (100, 200))
        np.testing.assert_allclose(short.tip, [0, 0, 1.3])
        np.testing.assert_allclose(short.tail, [-0.25, 0, 1.3])
        np.testing.assert_allclose(long.tail, [-0.5, 0, 1.3])
        assert (short.words, short.held) == ("100 N", "tip")

    def test_in_the_axes_of_the_character(self, arrow):
        forward, left = (arrow("PUSH", force=way, space="CHARACTER") for way in ((100, 0, 0), (0, 100, 0)))
        np.testing.assert_allclose(forward.tip - forward.tail, [0, -0.25, 0], atol=1e-9)
        np.testing.assert_allclose(left.tip - left.tail, [0.25, 0, 0], atol=1e-9)

    def test_along_a_handle(self, arrow):
        matrix = np.array(Matrix.Rotation(math.pi / 2, 4, "X") @ Matrix.Scale(5, 4))
        found = arrow("PUSH", handle=matrix, strength=100)
        np.testing.assert_allclose(found.tip - found.tail, [0, -0.25, 0], atol=1e-6)

    def test_no_force_no_arrow(self, arrow):
        assert arrow("PUSH", force=(0, 0, 0)) is None
        assert arrow("KEEP_LEVEL") is None
        assert arrow("STANCE") is None

    @pytest.mark.parametrize(
        ("side", "way"), [("LEFT", (1, 0, 0)), ("RIGHT", (-1, 0, 0)), ("FRONT", (0, -1, 0)), ("BACK", (0, 1, 0))]
    )
    def test_a_throw_comes_from_its_side(self, arrow, side, way):
        found = arrow("THROW", side=side, mass=4, speed=5)
        np.testing.assert_allclose(found.tail - found.tip, 0.75 * np.array(way), atol=1e-9)
        assert found.words == "4 kg, 5 m/s"

    def test_a_pull_leads_to_its_point(self, arrow):
        found = arrow("PULL", points=((1.0, 2.0, 0.5),), strength=60)
        np.testing.assert_allclose(found.tip, [1, 2, 0.5])
        np.testing.assert_allclose(found.tail, [0, 0, 1.3])

    def test_a_turn_to_the_left(self, arrow):
        found = arrow("TURN", degrees=90)
        np.testing.assert_allclose(found.tip - found.tail, [0.8, 0, 0], atol=1e-9)
        assert found.words == "+90°"

    def test_units(self, arrow):
        found = arrow("PUSH", force=(100, 0, 0), units=100.0)
        np.testing.assert_allclose(found.tail, [-25, 0, 1.3])

    @pytest.mark.parametrize(
        ("kind", "frames"),
        [
            ("PUSH", range(30, 36)),
            ("PULL", range(30, 36)),
            ("THROW", range(19, 31)),
            ("TURN", range(30, 42)),
            ("STANCE", range(30, 36)),
        ],
    )
    def test_when_it_is_shown(self, heft, kind, frames):
        module = heft("addon.drawing.disturbance_arrows")
        item = heft("addon.disturbances.disturbance").Disturbance(kind=kind, frame=30, frames=6)
        assert [frame for frame in range(60) if module.is_shown(item, frame)] == list(frames)


class TestViewport:
    @pytest.fixture
    def painted(self, heft, monkeypatch):
        seen = []
        for name in ("arrow_painting", "disturbance_preview"):
            module = heft(f"addon.drawing.{name}")
            for how in ("paint_flat", "paint_on_ground", "write"):
                if hasattr(module, how):
                    monkeypatch.setattr(module, how, lambda *given, how=how: seen.append((how, given)))
            for how, value in (("text_size", (50.0, 12.0)), ("ui_scale", 1.0)):
                if hasattr(module, how):
                    monkeypatch.setattr(module, how, lambda *given, value=value: value)
        return seen

    def draw(self, heft, rig):
        camera = Matrix(((0, 1, 0, 0), (0, 0, 1, -1), (1, 0, 0, -5), (0, 0, 0, 1)))
        lens = Matrix(((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, -1, -0.02), (0, 0, -1, 0)))
        context = SimpleNamespace(
            scene=bpy.context.scene,
            active_object=rig,
            space_data=SimpleNamespace(overlay=SimpleNamespace(show_overlays=True)),
            region=SimpleNamespace(width=800, height=600),
            region_data=SimpleNamespace(view_matrix=camera, perspective_matrix=lens @ camera, is_perspective=True),
        )
        module = heft("addon.drawing.disturbance_preview")
        module.draw_rings(context)
        module.draw_arrows(context)

    def test_every_kind_is_drawn_in_its_frames(self, heft, rig, painted):
        for kind in KINDS:
            given(rig, kind)
        bpy.context.scene.frame_set(4)
        self.draw(heft, rig)
        words = [what[0] for how, what in painted if how == "write"]
        assert words == ["150 N", "4 kg, 5 m/s", "150 N", "+30°"]
        assert [how for how, _ in painted].count("paint_on_ground") == 2  # what is kept level, and the foot

    @pytest.mark.parametrize(("foot", "bone"), [("LEFT", "foot_l"), ("RIGHT", "foot_r")])
    def test_a_stance_is_a_ring_around_its_foot(self, heft, rig, painted, foot, bone):
        given(rig, "STANCE", foot=foot)
        bpy.context.scene.frame_set(4)
        self.draw(heft, rig)
        ((how, (corners, *_)),) = painted
        place = heft("addon.disturbances.shown_body").body_at(rig, bpy.context.scene, bone).place
        assert how == "paint_on_ground"
        np.testing.assert_allclose(corners.mean(axis=0), place, atol=1e-5)

    def test_nothing_is_drawn_elsewhere_or_when_switched_off(self, heft, rig, painted):
        given(rig, "PUSH")
        bpy.context.scene.frame_set(12)
        self.draw(heft, rig)
        bpy.context.scene.frame_set(4)
        bpy.context.scene.heft_view.show_disturbances = False
        self.draw(heft, rig)
        assert painted == []

    def test_a_rig_without_a_body_is_no_error(self, heft, painted):
        armature = bpy.data.objects.new("Empty", bpy.data.armatures.new("Empty"))
        bpy.context.scene.collection.objects.link(armature)
        given(armature, "PUSH", frame=1)
        self.draw(heft, armature)
        assert painted == []
