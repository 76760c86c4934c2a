"""The whole way with virtual actuators, a pose that is held, and feet that are told what to do."""

import bpy
import pytest

from tests.blender import rigs
from tests.blender.baking import curve_bytes, report_of

LAST_FRAME = 48  # 0.4 s of the walk


@pytest.fixture
def walker(walk_motion):
    armature = rigs.from_clip(walk_motion)
    bpy.context.view_layer.objects.active = armature
    rig = armature.heft
    rig.use_range, rig.frame_start, rig.frame_end = True, 1, LAST_FRAME
    rig.budget_choice, rig.controller = "DRAFT", "VA"
    return armature


def bake(armature):
    """The report of the new take, which plays."""
    assert bpy.ops.heft.bake() == {"FINISHED"}
    return report_of(armature.animation_data.action)


def way_of(armature, frame):
    """How far the hips have gone over the ground since the first frame [m]."""
    places = []
    for number in (1, frame):
        bpy.context.scene.frame_set(number)
        hips = next(bone for bone in armature.pose.bones if bone.parent is None)
        places.append((armature.matrix_world @ hips.head).xy)
    return (places[1] - places[0]).length


class TestDial:
    def test_plausible_feet_are_steadied_within_limits(self, walker):
        report = bake(walker)
        assert (report["controller"], report["realism"], report["preset"]) == ("va", 0.5, None)
        torque = report["foot_torque"]
        assert (torque["thr_min_nm"], torque["thr_max_nm"]) == (20.0, 200.0)
        assert 0.0 <= torque["mean_nm"] <= torque["peak_nm"]

    def test_realistic_feet_stand_by_themselves(self, walker):
        walker.heft.realism = 1.0
        report = bake(walker)
        assert report["foot_torque"]["peak_nm"] == 0.0
        assert report["assist"]["peak_bw"] == 0.0

    def test_unfallable_has_no_end(self, walker):
        walker.heft.realism = 0.0
        report = bake(walker)
        assert report["foot_torque"]["thr_max_nm"] is None
        assert report["completed"]

    def test_limits_of_ones_own(self, walker):
        rig = walker.heft
        rig.own_limits, rig.assist, rig.foot_torque_from, rig.foot_torque_to = True, "NONE", 5.0, 0.0
        report = bake(walker)
        assert report["realism"] is None
        assert (report["foot_torque"]["thr_min_nm"], report["foot_torque"]["thr_max_nm"]) == (5.0, None)
        assert report["assist"]["limit_bw"] == 0.0


class TestHold:
    @pytest.mark.parametrize("controller", ["QP", "VA"])
    def test_the_first_pose_stays_where_the_source_walks_on(self, walker, controller):
        walker.heft.motion, walker.heft.controller, walker.heft.realism = "HOLD", controller, 0.0
        walked = way_of(walker, LAST_FRAME)
        report = bake(walker)
        assert report["frames"] == LAST_FRAME
        assert walked > 0.3
        assert way_of(walker, LAST_FRAME) < 0.5 * walked

    def test_a_character_without_any_action(self, walker):
        bpy.context.scene.frame_set(1)
        walker.animation_data_clear()
        walker.heft.motion = "HOLD"
        assert bake(walker)["frames"] == LAST_FRAME
        assert walker.heft.takes[0].source is None


class TestStance:
    @pytest.mark.parametrize("controller", ["QP", "VA"])
    @pytest.mark.parametrize("does", ["STANDS", "SWINGS", "SLIDES"])
    def test_a_foot_does_as_it_is_told(self, walker, controller, does):
        walker.heft.controller = controller
        bake(walker)
        for foot in ("LEFT", "RIGHT"):
            item = walker.heft.pushes.add()
            item.kind, item.foot, item.foot_does, item.frame, item.frames = "STANCE", foot, does, 10, 20
        bake(walker)
        read, told = (curve_bytes(take.action) for take in walker.heft.takes)
        assert read != told  # two bakes of the same would be the same
