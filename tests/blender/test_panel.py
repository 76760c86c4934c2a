"""What the sidebar says in every state, and what its buttons do."""

import json
import time
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
import pytest
from bpy.types import Action, Object

from tests.blender import rigs
from tests.blender.fake_layout import FakeLayout, draw
from tests.blender.reports import MEASURES, made_report

Heft = Callable[[str], ModuleType]
_PANELS = (
    "character",
    "bone_map",
    "motion",
    "frames",
    "disturbances",
    "keys",
    "advanced",
    "bake",
    "result",
    "why",
    "takes",
    "view",
)
_REPORT = made_report()


@pytest.fixture
def rig(walk_motion: Any) -> Object:
    return rigs.mixamo_rig(walk_motion, every=10)


def _context(armature: Object | None, width: int = 292) -> SimpleNamespace:
    real = bpy.context
    return SimpleNamespace(
        active_object=armature,
        scene=real.scene,
        window_manager=real.window_manager,
        preferences=real.preferences,
        region=SimpleNamespace(width=width),
    )


def _draw_all(armature: Object | None) -> FakeLayout:
    everything = FakeLayout()
    context = _context(armature)
    for name in _PANELS:
        panel = getattr(bpy.types, f"HEFT_PT_{name}")
        if getattr(panel, "poll", lambda context: True)(context):
            drawn = draw(panel, context)
            everything.said += drawn.said
            everything.operators += drawn.operators
            everything.properties += drawn.properties
            everything.greyed += drawn.greyed
    return everything


def _text(layout: FakeLayout) -> str:
    return " ".join(layout.said)


def _add_take(armature: Object, report: dict[str, Any] = _REPORT) -> Action:
    source = armature.animation_data.action
    rig = armature.heft
    action = source.copy()
    action["heft_report"] = json.dumps(report)
    take = rig.takes.add()
    take.name = f"Take {len(rig.takes)}"
    take.action, take.source, take.completed = action, source, report["completed"]
    take.frame_start, take.frame_end = 1, 120
    rig.active_take = len(rig.takes) - 1
    return action


def _bare_armature(*, animated: bool = False) -> Object:
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    if animated:
        armature.keyframe_insert("location", frame=1)
        armature.keyframe_insert("location", frame=20)
    return armature


class TestBodyCheck:
    def test_all_found_is_green(self, heft: Heft, rig: Object) -> None:
        check = heft("addon.panel.body_check").check_body(rig, bpy.context.scene)
        assert (check.light, check.trouble) == ("GREEN", "")
        assert "Mixamo" in check.headline
        assert all(part.finding == "FOUND" for part in check.parts)

    def test_a_rig_without_names_is_a_guess(self, heft: Heft, rig: Object) -> None:
        for number, bone in enumerate(rig.data.bones):
            bone.name = f"B{number}"
        check = heft("addon.panel.body_check").check_body(rig, bpy.context.scene)
        assert check.light == "YELLOW"
        assert any(part.finding == "GUESSED" for part in check.parts)
        assert check.notes

    def test_a_missing_limb_is_asked_for_and_nothing_else(self, heft: Heft, rig: Object) -> None:
        bpy.ops.object.mode_set(mode="EDIT")
        for name in ("LeftLeg", "LeftFoot", "LeftToeBase"):
            rig.data.edit_bones.remove(next(bone for bone in rig.data.edit_bones if bone.name.endswith(name)))
        bpy.ops.object.mode_set(mode="OBJECT")
        check = heft("addon.panel.body_check").check_body(rig, bpy.context.scene)
        assert check.light == "RED"
        assert "left shin" in check.trouble
        assert {part.segment for part in check.parts if part.needs_a_look} <= {"thigh_l", "shin_l", "foot_l"}

    def test_a_choice_is_taken_and_forgotten(self, heft: Heft, rig: Object) -> None:
        check_body = heft("addon.panel.body_check").check_body
        found = {part.segment: part.bone for part in check_body(rig, bpy.context.scene).parts}
        bpy.ops.heft.choose_bone(segment="chest", bone=found["spine"])
        chosen = {part.segment: part for part in check_body(rig, bpy.context.scene).parts}
        assert (chosen["chest"].bone, chosen["chest"].finding) == (found["spine"], "CHOSEN")
        bpy.ops.heft.clear_bone(segment="chest")
        assert {part.segment: part.bone for part in check_body(rig, bpy.context.scene).parts} == found

    def test_walking_about_does_not_ask_anew(self, heft: Heft, rig: Object) -> None:
        module = heft("addon.panel.body_check")
        check = module.check_body(rig, bpy.context.scene)
        rig.location.x += 3.0
        bpy.context.view_layer.update()
        assert module.check_body(rig, bpy.context.scene) is check

    def test_it_is_quick_enough_to_draw(self, heft: Heft, walk_motion: Any) -> None:
        module = heft("addon.panel.body_check")
        for armature in (rigs.crowded_rig(walk_motion, bones=60, every=60), rigs.rigify_rig(walk_motion, every=60)):
            first, again = [], []
            for _ in range(5):
                module.forget()
                start = time.perf_counter()
                module.check_body(armature, bpy.context.scene)
                first.append(time.perf_counter() - start)
                start = time.perf_counter()
                module.check_body(armature, bpy.context.scene)
                again.append(time.perf_counter() - start)
            print(f"{len(armature.data.bones)} bones: {1e3 * min(first):.1f} ms, again {1e3 * min(again):.2f} ms")
            assert min(first) < 0.05
            assert min(again) < 0.005


class TestWhatThePanelSays:
    def test_without_a_rig(self) -> None:
        drawn = _draw_all(None)
        assert "Select the armature of a character" in _text(drawn)
        assert drawn.operators == ["heft.bake"]

    def test_before_a_bake(self, rig: Object) -> None:
        drawn = _draw_all(rig)
        assert "Mixamo rig" in _text(drawn)
        assert drawn.operators.count("heft.bake") == 1
        assert "heft.use_take" not in drawn.operators
        assert "target" not in drawn.properties

    def test_a_control_rig_may_choose_where_its_keys_go(self, walk_motion: Any) -> None:
        assert "target" in _draw_all(rigs.rigify_rig(walk_motion, every=60)).properties

    @pytest.mark.parametrize("controller", ["QP", "VA", "PD"])
    @pytest.mark.parametrize("preset", ["HEFT", "MCSIM", "YU"])
    def test_what_has_no_effect_is_grey_or_not_there(self, rig: Object, controller: str, preset: str) -> None:
        rig.heft.controller, rig.heft.preset = controller, preset
        drawn = _draw_all(rig)
        assert {"controller", "preset"} <= set(drawn.properties)
        assert ("preset" in drawn.greyed) == (controller != "QP")
        assert ("balance" in drawn.properties) == (controller == "QP" and preset == "MCSIM")

    @pytest.mark.parametrize(
        ("motion", "use_range", "words"),
        [
            ("TRACK", False, "All frames of 'Walk' are baked: 1 to 13."),
            ("TRACK", True, ""),
            ("HOLD", False, "Frame 1 is held up to frame 13."),
            ("HOLD", True, "Frame 4 is held up to frame 60."),
        ],
    )
    def test_which_frames_are_baked(self, rig: Object, motion: str, use_range: bool, words: str) -> None:
        rig.animation_data.action.name = "Walk"
        rig.heft.motion = motion
        rig.heft.frame_start, rig.heft.frame_end, rig.heft.use_range = 4, 60, use_range
        said = _text(draw(bpy.types.HEFT_PT_frames, _context(rig)))
        assert words in said
        assert ("baked:" in said) == ("baked:" in words)

    def test_how_long_a_pose_is_held_without_an_action(self, rig: Object) -> None:
        rig.animation_data_clear()
        rig.heft.motion = "HOLD"
        assert "switch on Own Range to say for how long its pose is held." in _text(_draw_all(rig))

    def test_during_a_bake_the_button_is_a_bar(self, rig: Object) -> None:
        status = bpy.context.window_manager.heft
        status.running, status.fraction, status.time_left_s, status.stage = True, 0.37, 23.0, "Simulating"
        try:
            drawn = _draw_all(rig)
        finally:
            status.running, status.stage = False, ""
        assert "37 %, 25 s left" in drawn.said
        assert drawn.operators.index("heft.stop") < drawn.operators.index("heft.cancel")
        assert "heft.bake" not in drawn.operators

    def test_after_a_bake(self, rig: Object) -> None:
        _add_take(rig)
        drawn = _draw_all(rig)
        for text in ("Kept for all 120 frames", "30", "2", "5 %, peak 21 %", "2.3° and 6 cm off", "Take 1"):
            assert text in drawn.said
        assert {"heft.use_take", "heft.compare_take", "heft.delete_take"} <= set(drawn.operators)

    @pytest.mark.parametrize(
        ("mean", "peak", "words", "light"),
        [
            (0.0, 0.0, "0 N m, peak 0 N m", "GREEN"),
            (12.4, 95.2, "12 N m, peak 95 N m", "GREEN"),
            (50.0, 180.0, "50 N m, peak 180 N m", "YELLOW"),
            (150.0, 900.0, "150 N m, peak 900 N m", "RED"),
        ],
    )
    def test_steadied_feet_are_told_of(
        self, heft: Heft, rig: Object, mean: float, peak: float, words: str, light: str
    ) -> None:
        torque = {"thr_min_nm": 20.0, "thr_max_nm": None, "mean_nm": mean, "peak_nm": peak, "frames": 9}
        report = made_report(foot_torque=torque)
        _add_take(rig, report)
        drawn = _draw_all(rig)
        assert drawn.said[drawn.said.index("Foot torque") :].index(words) > 0
        assert heft("addon.takes.result_words").read_result(json.dumps(report)).foot_torque_light == light

    @pytest.mark.parametrize("report", [_REPORT, made_report(foot_torque=None)])
    def test_feet_that_nothing_could_steady_are_not(self, rig: Object, report: dict[str, Any]) -> None:
        _add_take(rig, report)
        drawn = _draw_all(rig)
        assert "Likeness" in drawn.said
        assert "Foot torque" not in drawn.said

    def test_a_lost_performance_names_the_scene_frame(self, heft: Heft) -> None:
        report = {**_REPORT, "completed": False, "why": "tipped over", "fell_at_frame": 105}
        result = heft("addon.takes.result_words").read_result(json.dumps(report))
        assert result.headline == "Lost at frame 105: it tipped over"

    def test_lights_tell_good_from_bad(self, heft: Heft) -> None:
        result = heft("addon.takes.result_words").read_result(json.dumps(_REPORT))
        lights = {line.label: (line.before_light, line.after_light) for line in result.lines}
        assert lights["Foot skate"] == ("RED", "GREEN")
        assert lights["Penetration"] == ("RED", "GREEN")
        assert lights["Floating"] == ("GREEN", "GREEN")
        assert lights["Jerk"] == ("GREY", "RED")

    def test_a_breath_of_jerk_is_no_flaw_beside_a_source_that_stands_still(self, heft: Heft) -> None:
        still = {
            **_REPORT,
            "before": {**MEASURES, "jerk_m_s3": 0.03},
            "after": {**MEASURES, "jerk_m_s3": 4.4},
        }
        result = heft("addon.takes.result_words").read_result(json.dumps(still))
        assert result.lines[-1].after_light == "GREEN"

    @pytest.mark.parametrize("report", ["", "nonsense", "[]", "{}", '{"completed": true}'])
    def test_a_broken_report_is_no_error(self, heft: Heft, rig: Object, report: str) -> None:
        _add_take(rig)["heft_report"] = report
        assert "This take has no report" in _text(_draw_all(rig))

    def test_a_deleted_action_is_no_error(self, rig: Object) -> None:
        bpy.data.actions.remove(_add_take(rig))
        assert "deleted" in _draw_all(rig).said

    @pytest.mark.parametrize("room", [5, 20, 33, 200])
    def test_sentences_are_broken_into_lines_that_fit(self, heft: Heft, room: int) -> None:
        text = "The rig has no bone called mixamorig:LeftForeArm; choose another in Character > Bone Map."
        lines = heft("addon.panel.wrapped_text").wrap(text, room, len)
        assert max(map(len, lines)) <= room
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        if room > 30:
            assert " ".join(lines) == text


class TestWhyNot:
    def test_sentences(self, heft: Heft, rig: Object) -> None:
        why_not = heft("addon.active_rig").why_not
        scene = bpy.context.scene
        assert why_not(rig, scene) == ""
        rig.heft.use_range, rig.heft.frame_start, rig.heft.frame_end = True, 5, 5
        assert "must come after" in why_not(rig, scene)
        rig.heft.use_range = False
        bpy.ops.object.mode_set(mode="EDIT")
        assert "Edit Mode" in why_not(rig, scene)
        bpy.ops.object.mode_set(mode="OBJECT")
        rig.animation_data_clear()
        assert "no animation" in why_not(rig, scene)
        rig.heft.use_range, rig.heft.frame_end = True, 50
        assert why_not(rig, scene) == ""

    def test_a_pose_can_be_held_without_any_animation(self, heft: Heft, rig: Object) -> None:
        why_not = heft("addon.active_rig").why_not
        scene = bpy.context.scene
        rig.heft.motion = "HOLD"
        assert why_not(rig, scene) == ""
        rig.animation_data_clear()
        assert f"how long '{rig.name}' is to hold its pose" in why_not(rig, scene)
        rig.keyframe_insert("location", frame=1)
        assert "set a range of frames" in why_not(rig, scene)
        rig.heft.use_range, rig.heft.frame_end = True, 50
        assert why_not(rig, scene) == ""

    def test_a_rig_without_a_body_greys_the_button(self) -> None:
        armature = _bare_armature(animated=True)
        assert "must see a body" in _text(draw(bpy.types.HEFT_PT_bake, _context(armature)))

    def test_a_mesh_stands_for_its_rig(self, heft: Heft, rig: Object) -> None:
        mesh = bpy.data.objects.new("Skin", bpy.data.meshes.new("Skin"))
        bpy.context.scene.collection.objects.link(mesh)
        mesh.modifiers.new("Armature", "ARMATURE").object = rig
        assert heft("addon.active_rig").rig_of(_context(mesh)) == rig

    def test_the_source_gives_the_range_while_a_take_plays(self, heft: Heft, rig: Object) -> None:
        before = heft("addon.active_rig").range_to_bake(rig)
        action = _add_take(rig)
        heft("addon.compat").assign_action(rig, action)
        action.use_frame_range, action.frame_end = True, 7
        assert heft("addon.active_rig").range_to_bake(rig) == before


class TestButtons:
    def test_pick_takes_the_active_bone(self, rig: Object) -> None:
        bone = rig.data.bones[0]
        rig.data.bones.active = bone
        bpy.ops.heft.pick_bone(segment="pelvis")
        assert [(choice.name, choice.bone) for choice in rig.heft.bones] == [("pelvis", bone.name)]
        bpy.ops.heft.pick_bone(segment="chest")  # a bone is one part of the body only
        assert [(choice.name, choice.bone) for choice in rig.heft.bones] == [("chest", bone.name)]

    def test_pick_without_a_bone_says_why(self, rig: Object) -> None:
        rig.data.bones.active = None
        with pytest.raises(RuntimeError, match="poll"):
            bpy.ops.heft.pick_bone(segment="pelvis")

    def test_disturbances(self, rig: Object) -> None:
        bpy.context.scene.frame_set(500)
        bpy.ops.heft.add_disturbance()
        bpy.ops.heft.add_disturbance()
        assert rig.heft.pushes[0].frame <= rig.animation_data.action.frame_range[1]
        bpy.ops.heft.remove_disturbance()
        assert [push.name for push in rig.heft.pushes] == ["Push 1"]
        bpy.ops.heft.remove_disturbance()
        assert not bpy.ops.heft.remove_disturbance.poll()

    def test_use_goes_there_and_back(self, rig: Object) -> None:
        source = rig.animation_data.action
        action = _add_take(rig)
        bpy.ops.heft.use_take(take=0)
        assert rig.animation_data.action == action
        bpy.ops.heft.use_take(take=-1)
        assert rig.animation_data.action == source

    def test_use_of_nothing_says_so(self, rig: Object) -> None:
        _add_take(rig)
        with pytest.raises(RuntimeError, match="no take number 6"):
            bpy.ops.heft.use_take(take=5)
        bpy.data.actions.remove(rig.heft.takes[0].action)
        with pytest.raises(RuntimeError, match="was deleted"):
            bpy.ops.heft.use_take(take=0)

    def test_compare_plays_the_take_beside_its_ghost(self, rig: Object) -> None:
        action = _add_take(rig)
        view = bpy.context.scene.heft_view
        bpy.ops.heft.compare_take()
        assert (view.compare, rig.animation_data.action) == (True, action)
        bpy.ops.heft.compare_take()
        assert (view.compare, rig.animation_data.action) == (False, action)

    def test_delete_brings_the_source_back(self, rig: Object) -> None:
        source = rig.animation_data.action
        name = _add_take(rig).name
        bpy.ops.heft.use_take(take=0)
        bpy.ops.heft.delete_take()
        assert rig.animation_data.action == source
        assert name not in bpy.data.actions
        assert not rig.heft.takes
        assert not bpy.ops.heft.delete_take.poll()


def test_a_range_of_ones_own_begins_with_all_frames(rig: Object) -> None:
    start, end = (round(frame) for frame in rig.animation_data.action.frame_range)
    rig.heft.use_range = True
    assert (rig.heft.frame_start, rig.heft.frame_end) == (start, end)
    rig.heft.frame_end = end - 5
    rig.heft.use_range = False
    rig.heft.use_range = True
    assert rig.heft.frame_end == end - 5


def test_everything_has_a_tooltip(rig: Object) -> None:
    bare = []
    bpy.ops.heft.add_disturbance()
    for group in (rig.heft, rig.heft.pushes[0], rig.heft.roll, rig.heft.fall, bpy.context.scene.heft_view):
        bare += [
            item.identifier
            for item in group.bl_rna.properties
            if item.type not in ("COLLECTION",) and not item.description and item.identifier not in _NEVER_DRAWN
        ]
    operators = [getattr(bpy.types, name) for name in dir(bpy.types) if name.startswith("HEFT_OT_")]
    bare += [operator.bl_idname for operator in operators if not operator.bl_description]
    assert len(operators) >= 10
    assert bare == []


_NEVER_DRAWN = ("rna_type", "name", "active_push", "active_pose")
