"""A character that falls: real bakes, six takes, what the worker is told, the box in the panel, what can be wrong."""

import json
import math
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Vector

from tests.blender import rigs
from tests.blender.baking import curve_bytes, curves_of, everything, fake_worker, report_of, run
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

FALL = {
    "style": "brace",
    "at_s": 0.2,
    "rests_at_s": 3.1,
    "head_ns": 0.6,
    "blows_ns": 131.7,
    "limp_head_ns": 20.1,
    "limp_blows_ns": 282.2,
    "hardest": [["pelvis", 50.8], ["right foot", 40.5]],
    "tries": 1,
    "first_blows_ns": 132.8,
}


@pytest.fixture(scope="module")
def stand_motion(heft, run_worker, tmp_path_factory):
    clip = tmp_path_factory.mktemp("clips") / "stand.npz"
    run_worker("sample", "stand", "-o", str(clip), "--seconds", "0.7")
    return heft("sim_core.motion.clip_npz").load_npz(clip)


@pytest.fixture
def pushed(stand_motion):
    """Somebody who stands and is pushed over, at 30 frames a second, set to one quick search."""
    armature = rigs.from_clip(stand_motion, every=2)
    bpy.context.view_layer.objects.active = armature
    armature.heft.motion, armature.heft.budget_choice = "FALL", "DRAFT"
    push = armature.heft.pushes.add()
    push.segment, push.frame, push.frames, push.force = "chest", 3, 9, (0.0, 600.0, 0.0)
    return armature


@pytest.fixture
def walker(walk_motion):
    """Its 13 frames are quick to read; what it does is no fall, and only a fake worker makes one of it."""
    armature = rigs.from_clip(walk_motion, every=10)
    bpy.context.view_layer.objects.active = armature
    armature.heft.motion = "FALL"
    return armature


@pytest.fixture
def fall_worker(heft, recorded):
    return LastingWorker(heft, recorded, motion="fall", fps=30.0, fall=FALL)


def give(armature, **chosen):
    for name, value in chosen.items():
        setattr(armature.heft.fall, name, value)


class TestBake:
    def test_takes_of_a_pushed_stand(self, pushed):
        """Two of the six, by the button and the real worker."""
        scene, source = bpy.context.scene, pushed.animation_data.action
        last = round(source.frame_range[1])
        pushed.heft.seed = 3
        bpy.ops.ed.undo_push(message="before")
        before, keys, around = everything(), curve_bytes(source), outside()
        bpy.ops.heft.six_takes("EXEC_DEFAULT", True, count=2)  # True: with a step for undo, as a button makes it
        words = bpy.context.window_manager.heft.sentence
        takes = pushed.heft.takes
        assert [take.name for take in takes] == ["Take 1 (seed 3)", "Take 2 (seed 4)"], words
        assert [report_of(take.action)["seed"] for take in takes] == [3, 4]
        assert pushed.animation_data.action == takes[1].action
        assert (curve_bytes(source), outside()) == (keys, around)
        for take in takes:
            report = report_of(take.action)
            assert (report["motion"], report["frames"]) == ("fall", take.frame_end - take.frame_start + 1)
            assert take.frame_end > last + 10
            assert take.source == source
            assert {len(curve.keyframe_points) for curve in curves_of(take.action)} == {report["frames"]}
        assert curve_bytes(takes[0].action) != curve_bytes(takes[1].action)
        assert takes[0].action["heft_picture"] != takes[1].action["heft_picture"]
        assert words.startswith("2 of 2 takes were baked. ")
        assert f"Playback ends at frame {scene.frame_end}, the take at frame {takes[1].frame_end}." in words
        heights = []
        for frame in (1, takes[1].frame_end, takes[1].frame_end + 5):
            scene.frame_set(frame)
            heights.append((pushed.matrix_world @ pushed.pose.bones[0].head).z)
        assert heights[1] < 0.4 * heights[0]
        assert heights[2] == pytest.approx(heights[1], abs=1e-4)
        assert len(drawn(pushed, "takes").pictures) == 2
        scene.frame_set(before["frame"])
        bpy.ops.ed.undo()
        after = everything()
        assert (after["names"], after["keys"]) == (before["names"], before["keys"])
        assert not bpy.data.objects["Walker"].heft.takes

    @pytest.mark.parametrize("frames", [9, 20])
    def test_a_take_has_the_frames_that_the_worker_made(self, heft, walker, fall_worker, frames):
        """Fewer than the source, or more than the scene plays; after them it lies as it lies."""
        walker.heft.blend_out = 5  # back into the source, which stands: not for a fall
        assert run(session(heft, walker, fall_worker(frames))).baked
        take = walker.heft.takes[0]
        assert (take.name, take.frame_start, take.frame_end) == ("Take 1", 1, frames)
        for frame in (frames, frames + 10):
            bpy.context.scene.frame_set(frame)
            place = np.array(walker.matrix_world @ walker.pose.bones[0].head)
            np.testing.assert_allclose(place, fall_worker.made.world().positions[-1, 0], atol=2e-3)

    def test_a_source_that_is_a_take_itself(self, heft, walker, fall_worker):
        """Its action is copied with all that it carries, and bytes over bytes are cut at their first zero."""
        source = walker.animation_data.action
        source["heft_take"] = source["heft_picture"] = b"of another take"
        assert run(session(heft, walker, fall_worker(20))).baked
        action = walker.heft.takes[0].action
        assert len(heft("sim_core.reporting.take").load_take(bytes(action["heft_take"]))) == 20
        kept = heft("addon.takes.takes").picture_of(action)
        assert heft("addon.drawing.take_picture").picture_pixels(kept).shape == (96, 96, 4)

    def test_it_is_no_take_to_go_on_from(self, heft, walker, fall_worker):
        assert run(session(heft, walker, fall_worker(20))).baked
        bpy.context.scene.frame_set(5)
        earlier = heft("addon.baking.earlier_take").earlier_take
        for motion in ("FALL", "TRACK"):
            walker.heft.motion = motion
            with pytest.raises(Exception, match="A fall is simulated as a whole; press Bake to Physics"):
                earlier(walker, 0, bpy.context.scene)
            assert not bpy.ops.heft.resimulate.poll()

    def test_a_frame_outside_of_the_clip(self, walker):
        give(walker, use_frame=True, frame=40)
        with pytest.raises(RuntimeError, match="The fall begins at frame 40, and frames 1 to 13 are simulated; let it"):
            bpy.ops.heft.bake()
        assert not walker.heft.takes


class TestSeries:
    """Six takes with workers that are quick, or never done."""

    @pytest.fixture
    def series(self, heft, walker):
        def make(*workers):
            sessions = [session(heft, walker, worker, seed=seed) for seed, worker in enumerate(workers)]
            return heft("addon.baking.bake_series").BakeSeries(sessions)

        return make

    @pytest.fixture
    def endless(self, heft, recorded):
        return fake_worker(heft, recorded, "time.sleep(600)")

    def test_one_after_another(self, walker, series, fall_worker):
        stages, fractions = [], []

        def note(status):
            stages.append(status.stage)
            fractions.append(status.fraction)

        outcome = run(series(*(fall_worker(20) for _ in range(3))), after_step=note)
        assert outcome.baked
        assert outcome.sentence.startswith("3 of 3 takes were baked. 'Walker' plays Take 3 (seed 2), frames 1 to 20.")
        assert [take.name for take in walker.heft.takes] == [f"Take {n + 1} (seed {n})" for n in range(3)]
        assert len({take.source for take in walker.heft.takes}) == 1
        assert fractions == sorted(fractions)
        for number in (1, 2, 3):
            assert any(stage.startswith(f"Take {number} of 3: ") for stage in stages)
        assert fall_worker.arguments[fall_worker.arguments.index("--seed") + 1] == "2"

    def test_cancel_keeps_those_that_are_done(self, walker, series, fall_worker, endless):
        running = series(fall_worker(20), endless, endless)

        def escape(status):
            if status.stage == "Take 2 of 3: Simulating":
                running.cancel()

        outcome = run(running, after_step=escape)
        assert (outcome.sentence, outcome.kind) == ("Cancelled; 1 of 3 takes were baked and stay.", "INFO")
        assert outcome.baked  # a step for undo is needed
        assert [take.name for take in walker.heft.takes] == ["Take 1 (seed 0)"]
        assert walker.animation_data.action == walker.heft.takes[0].action

    def test_cancel_of_the_first_changes_nothing(self, series, endless):
        before, running = everything(), series(endless, endless)
        outcome = run(running, after_step=lambda status: running.cancel())
        assert (outcome.sentence, outcome.baked) == ("Cancelled; nothing was changed.", False)
        assert everything() == before

    def test_stop_begins_no_other(self, heft, recorded, walker, series, fall_worker, endless):
        until_stopped = fake_worker(heft, recorded, "sys.stdin.readline()")
        running = series(fall_worker(20), until_stopped, endless)

        def press(status):
            if status.stage.startswith("Take 2") and not running.why_not_stop():
                running.stop()

        outcome = run(running, after_step=press)
        assert outcome.sentence.startswith("2 of 3 takes were baked. ")
        assert len(walker.heft.takes) == 2

    def test_a_fault_keeps_those_that_are_done(self, heft, recorded, walker, series, fall_worker):
        outcome = run(series(fall_worker(20), fake_worker(heft, recorded, "sys.exit(0)"), fall_worker(20)))
        assert outcome.sentence.startswith("1 of 3 takes were baked and stay. The simulation ended without a result")
        assert (outcome.kind, outcome.baked, len(walker.heft.takes)) == ("ERROR", True, 1)

    def test_closed_at_any_moment(self, walker, series, fall_worker, endless):
        running = series(fall_worker(20), endless)
        while len(walker.heft.takes) == 0:
            running.step(0.0)
        running.close()
        assert running.step().sentence == "Cancelled; 1 of 2 takes were baked and stay."

    def test_a_rig_that_is_renamed_plays_another_take_or_is_deleted(self, walker, series, fall_worker):
        source, running = walker.animation_data.action, series(*(fall_worker(20) for _ in range(4)))

        def work_on(status):
            if status.stage.startswith("Take 2") and "Hero" not in bpy.data.objects:
                walker.name = "Hero"
                walker.animation_data.action = None
            if status.stage.startswith("Take 4") and "Hero" in bpy.data.objects:
                assert [take.source for take in walker.heft.takes] == [source] * 3
                bpy.data.objects.remove(walker)

        outcome = run(running, after_step=work_on)
        assert "3 of 4 takes were baked and stay. 'Walker' was deleted while it was baked" in outcome.sentence

    def test_only_for_falls(self, walker):
        assert bpy.ops.heft.six_takes.poll()
        walker.heft.motion = "TRACK"
        assert not bpy.ops.heft.six_takes.poll()
        assert "heft.six_takes" not in drawn(walker, "bake").operators

    def test_tooltips_say_what_stays(self, heft, walker, series, endless):
        stop, cancel = bpy.types.HEFT_OT_stop, bpy.types.HEFT_OT_cancel
        assert "changes nothing" in stop.description(bpy.context, None)
        handlers = heft("addon.baking.handlers")
        handlers.begin(series(endless))
        assert "keeps the takes that are done" in stop.description(bpy.context, None)
        assert "the takes that are done stay" in cancel.description(bpy.context, None)
        handlers.end()

    def test_names_go_on_counting(self, heft, walker, series, fall_worker):
        assert run(series(fall_worker(9), fall_worker(9))).baked
        assert run(session(heft, walker, fall_worker(9))).baked
        assert [take.name for take in walker.heft.takes] == ["Take 1 (seed 0)", "Take 2 (seed 1)", "Take 3"]


def told(heft, armature):
    """What the worker is given, with handles looked up as in a bake."""
    choices, motion, bones = read_for_bake(heft, armature)
    fall = heft("addon.generators").run_to_end(
        heft("addon.falls.resolve_fall").resolve_fall(choices.fall, motion, bones)
    )
    module = heft("addon.baking.worker_arguments")
    return module.worker_arguments(replace(choices, fall=fall), module.WorkerFiles(Path("x")))


def fall_told(heft, armature):
    """As the worker understands it."""
    settings = settings_of(heft, told(heft, armature))
    assert settings.motion == "fall"
    return settings.fall


class TestCommandLine:
    def test_as_it_comes(self, heft, walker):
        fall = fall_told(heft, walker)
        assert (fall.at, fall.direction_deg, fall.style, fall.protect) == (None, None, "brace", ())
        assert (fall.land_at_m, fall.strength, fall.delay_s, fall.then) == (None, 1.0, 0.0, "lie")

    @pytest.mark.parametrize("style", ["BRACE", "ROLL", "STUNT", "LIMP"])
    def test_all_fields(self, heft, walker, style):
        give(walker, style=style, use_frame=True, frame=5, where="DIRECTION", direction=math.radians(-30))
        give(walker, strength=0.3, reaction=0.25)
        fall = fall_told(heft, walker)
        assert (fall.style, fall.at) == (style.lower(), 5)
        assert fall.direction_deg == pytest.approx(-30, abs=1e-3)
        assert (fall.strength, fall.delay_s) == (pytest.approx(0.3), pytest.approx(0.25))

    def test_a_direction_counts_only_where_it_is_chosen(self, heft, walker):
        give(walker, direction=1.0, handle=arrow())
        assert fall_told(heft, walker).direction_deg is None
        walker.heft.fall.handle = None
        give(walker, where="DIRECTION", direction=0.0)
        assert fall_told(heft, walker).direction_deg == 0.0  # ahead, and not where it is carried

    @pytest.mark.parametrize(("then", "option"), [("LIE", None), ("UP", "--then=up"), ("CLIP", "--then=clip")])
    def test_what_follows(self, heft, walker, then, option):
        give(walker, then=then)
        assert [word for word in told(heft, walker) if word.startswith("--then")] == ([option] if option else [])

    def test_bones_are_said_as_parts_of_the_body(self, heft, walker):
        """One that is not simulated stands for the part that it belongs to, and each part counts once."""
        for bone in ("LeftForeArm", "Head", "", "LeftForeArm"):
            walker.heft.fall.protect.add().bone = bone
        assert fall_told(heft, walker).protect == ("forearm_l", "head")

    def test_choices_that_a_fall_does_not_have(self, heft, walker):
        walker.heft.controller, walker.heft.preset, walker.heft.blend_out = "VA", "MCSIM", 9
        arguments = told(heft, walker)
        assert "--preset" not in arguments
        assert settings_of(heft, arguments).controller == "qp"

    def test_other_motions_say_nothing_of_it(self, heft, walker):
        walker.heft.motion = "TRACK"
        give(walker, use_frame=True, frame=500)
        choices = heft("addon.baking.bake_choices").read_choices(walker, bpy.context.scene)
        module = heft("addon.baking.worker_arguments")
        arguments = module.worker_arguments(choices, module.WorkerFiles(Path("x")))
        assert settings_of(heft, arguments).motion == "track"


class TestHandles:
    def test_its_arrow_is_read_from_where_the_character_faces(self, heft, walker):
        bpy.context.scene.frame_set(2)
        give(walker, where="DIRECTION", use_frame=True, frame=5, direction=math.radians(-70))
        assert bpy.ops.heft.add_fall_handle() == {"FINISHED"}
        assert walker.heft.fall.handle.name == "Fall of Walker"
        bpy.context.view_layer.update()
        give(walker, direction=0.0)
        assert fall_told(heft, walker).direction_deg == pytest.approx(-70, abs=0.1)
        assert bpy.context.scene.frame_current == 2
        assert not bpy.ops.heft.add_fall_handle.poll()

    def test_a_place_to_land(self, heft, walker):
        bpy.context.scene.unit_settings.scale_length = 1.0
        give(walker, use_frame=True, frame=5)
        assert bpy.ops.heft.add_landing() == {"FINISHED"}
        landing = walker.heft.fall.landing
        assert (landing.name, landing.empty_display_type) == ("Landing of Walker", "CIRCLE")
        body = shown_body(heft, walker, 5)
        ahead = landing.location - body.place
        assert Vector((ahead.x, ahead.y, 0.0)).angle(body.forward) < 0.01
        landing.location = (0.5, -1.25, 0.0)
        bpy.context.view_layer.update()
        assert fall_told(heft, walker).land_at_m == pytest.approx((0.5, -1.25, 0.0))
        assert not bpy.ops.heft.add_landing.poll()

    @pytest.mark.parametrize("pointer", ["handle", "landing"])
    def test_a_deleted_one_is_said(self, walker, pointer):
        give(walker, where="DIRECTION", **{pointer: arrow()})
        bpy.context.scene.collection.objects.unlink(bpy.data.objects["Way"])
        before = everything()
        with pytest.raises(RuntimeError, match="The handle 'Way' of the fall was deleted; add another, or clear"):
            bpy.ops.heft.bake()
        assert everything() == before
        assert "This handle was deleted" in said(walker)


def test_bones_that_cannot_be_protected(walker):
    item = walker.heft.fall.protect.add()
    item.bone = "Tail"
    with pytest.raises(RuntimeError, match="The rig has no bone 'Tail' to protect any more; choose another, or"):
        bpy.ops.heft.bake()


def test_settings_are_saved_with_the_pictures(heft, walker, fall_worker, tmp_path):
    give(walker, style="STUNT", use_frame=True, frame=4, where="DIRECTION", direction=0.5, strength=0.4, then="UP")
    walker.heft.fall.landing = arrow()
    walker.heft.fall.protect.add().bone = "Head"
    assert run(session(heft, walker, fall_worker(20))).baked
    path = str(tmp_path / "fall.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    armature = bpy.data.objects["Walker"]
    fall = armature.heft.fall
    assert (armature.heft.motion, fall.style, fall.frame, fall.where, fall.then) == (
        "FALL",
        "STUNT",
        4,
        "DIRECTION",
        "UP",
    )
    assert (fall.landing.name, fall.protect[0].bone) == ("Way", "Head")
    assert (fall.strength, fall.direction) == (pytest.approx(0.4), pytest.approx(0.5))
    assert len(drawn(armature, "takes").pictures) == 1


class TestPanel:
    def test_only_where_it_is_chosen(self, walker):
        assert "heft.fall_preset" in drawn(walker).operators
        walker.heft.motion = "ROLL"
        assert "heft.fall_preset" not in drawn(walker).operators

    def test_fields(self, walker):
        layout = drawn(walker)
        fields = {"style", "use_frame", "where", "landing", "strength", "reaction", "then", "seed"}
        assert fields <= set(layout.properties)
        assert not {"direction", "handle"} & set(layout.properties)
        assert "frame" in layout.greyed
        assert "It falls as it loses its balance." in " ".join(layout.said)
        assert "It catches itself with hands, hips and shoulders" in " ".join(layout.said)
        give(walker, where="DIRECTION", use_frame=True)
        assert {"direction", "handle"} <= set(drawn(walker).properties)
        assert "It falls as" not in said(walker)

    def test_protected_bones(self, walker):
        for _ in range(4):
            assert bpy.ops.heft.add_protected() == {"FINISHED"}
        assert drawn(walker).properties.count("bone") == 4
        assert not bpy.ops.heft.add_protected.poll()
        walker.heft.fall.protect[2].bone = "Head"
        bpy.ops.heft.remove_protected(place=0)
        assert [item.bone for item in walker.heft.fall.protect] == ["", "Head", ""]

    @pytest.mark.parametrize(
        ("preset", "style", "strength", "reaction"),
        [("PUSHED", "BRACE", 1, 0), ("FAINTS", "LIMP", 1, 0), ("UKEMI", "ROLL", 1.2, 0), ("DRUNK", "BRACE", 0.3, 0.3)],
    )
    def test_presets(self, heft, walker, preset, style, strength, reaction):
        give(walker, use_frame=True, frame=5, strength=1.9)
        assert bpy.ops.heft.fall_preset(preset=preset) == {"FINISHED"}
        fall = walker.heft.fall
        assert (fall.style, fall.frame) == (style, 5)
        assert (fall.strength, fall.reaction) == (pytest.approx(strength), pytest.approx(reaction))
        fall_told(heft, walker)

    def test_the_current_frame(self, walker):
        bpy.context.scene.frame_set(6)
        bpy.ops.heft.fall_at_current_frame()
        assert (walker.heft.fall.use_frame, walker.heft.fall.frame) == (True, 6)

    def test_what_a_fall_does_not_have_is_greyed(self, walker):
        assert "blend_out" in drawn(walker, "frames").greyed
        assert "controller" in drawn(walker, "advanced").greyed
        assert "realism" not in drawn(walker).properties
        assert "the take is as long as the fall." in said(walker, "frames")


class TestResult:
    def test_lines(self, heft):
        report = made_report(motion="fall", fps=30.0, fall=FALL)
        facts = heft("addon.takes.fall_words").fall_facts(report)
        assert [(fact.label, fact.text, fact.light) for fact in facts] == [
            ("Style", "Brace", "GREY"),
            ("Falls", "at 0.2 s, 6 frames in", "GREY"),
            ("Lies still", "at 3.1 s, 93 frames in", "GREEN"),
            ("Head", "1 N s (limp 20 N s)", "GREEN"),
            ("Body", "132 N s (limp 282 N s)", "GREEN"),
            ("Hardest", "pelvis 51, right foot 40", "GREY"),
        ]

    def test_who_goes_limp_is_compared_with_nobody(self, heft):
        facts = heft("addon.takes.fall_words").fall_facts({"fall": FALL | {"style": "limp", "rests_at_s": None}})
        words = {fact.label: (fact.text, fact.light) for fact in facts}
        assert words["Head"] == ("1 N s", "GREY")
        assert words["Lies still"] == ("not to the end", "YELLOW")

    def test_in_the_panel(self, heft, walker, fall_worker):
        assert run(session(heft, walker, fall_worker(20))).baked
        words = said(walker, "result")
        for text in ("1 N s (limp 20 N s)", "at 3.1 s, 93 frames in", "1 to 20"):
            assert text in words
        action = walker.heft.takes[0].action
        action["heft_report"] = json.dumps(report_of(action) | {"fall": None})
        assert "limp" not in said(walker, "result")
