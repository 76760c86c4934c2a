"""The rig seen as a body: its directions, lengths and tips, from any rest pose."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core.body.rig_geometry import RigGeometry
from sim_core.motion.clip import Clip
from sim_core.rig.bone_map import map_bones
from tests.clips import PLAIN, family_clip, plain_clip, stirred
from tests.rig_families import POINTS, families

FAMILIES = families()


def _rig(clip: Clip) -> RigGeometry:
    return RigGeometry(clip=clip, bones=map_bones(clip.skeleton, clip=clip).bones)


@pytest.mark.parametrize("family", [PLAIN, "Mixamo", "Rigify DEF"])
def test_axes_are_those_of_the_person(family):
    axes = _rig(family_clip(FAMILIES[family])).axes
    np.testing.assert_allclose(axes.right, [-1, 0, 0], atol=0.02)  # left is +X
    np.testing.assert_allclose(axes.forward, [0, -1, 0], atol=0.02)
    np.testing.assert_allclose(axes.up, [0, 0, 1], atol=0.02)


@pytest.mark.parametrize("family", FAMILIES)
def test_axes_are_a_right_handed_frame_in_every_family(family):
    rows = _rig(family_clip(FAMILIES[family])).axes.rows
    np.testing.assert_allclose(rows @ rows.T, np.eye(3), atol=1e-9)
    assert np.linalg.det(rows) == pytest.approx(1.0)


def test_the_leg_is_as_long_as_its_bones():
    hip, knee, ankle = (np.array(POINTS[name]) for name in ("hip", "knee", "ankle"))
    wanted = np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee)
    for family in FAMILIES:
        assert _rig(family_clip(FAMILIES[family])).leg_length == pytest.approx(wanted)


def test_a_pose_does_not_change_lengths_between_neighbours():
    still, posed = (_rig(clip) for clip in (family_clip(FAMILIES["CMU"]), stirred(family_clip(FAMILIES["CMU"]))))
    assert posed.leg_length == pytest.approx(still.leg_length)


def test_a_few_stray_frames_do_not_count():
    clip = plain_clip()
    positions = clip.positions.copy()
    positions[3:6, clip.skeleton.index("LeftLeg")] += 0.4
    assert _rig(replace(clip, positions=positions)).leg_length == pytest.approx(_rig(clip).leg_length)


def test_a_folded_rest_pose_gives_way_to_the_first_frame():
    clip = plain_clip()
    rig = _rig(clip)
    folded = replace(clip, skeleton=replace(clip.skeleton, offsets=np.zeros_like(clip.skeleton.offsets)))
    np.testing.assert_allclose(RigGeometry(clip=folded, bones=rig.bones).axes.rows, rig.axes.rows, atol=1e-9)


def test_tips_are_the_far_ends_of_the_longest_chain():
    rig = _rig(plain_clip())
    np.testing.assert_allclose(rig.tip("head"), np.subtract(POINTS["crown"], POINTS["head"]), atol=1e-9)
    np.testing.assert_allclose(rig.tip("hand_l"), np.subtract(POINTS["fingertip"], POINTS["wrist"]), atol=1e-9)
    bare = replace(rig.clip.skeleton, tip_parents=rig.clip.skeleton.tip_parents[:0], tip_offsets=np.zeros((0, 3)))
    assert RigGeometry(clip=replace(rig.clip, skeleton=bare), bones=rig.bones).tip("head") is None
