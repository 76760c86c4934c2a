"""Joint limits: anatomical zero, signs of flexion on both sides, and never a pose of the clip outside them."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.joint_limits import joint_angles, joint_limits
from sim_core.body.rig_geometry import RigGeometry
from sim_core.motion.clip import Clip
from sim_core.rig.bone_map import map_bones
from sim_core.rig.segments import SEGMENTS
from tests.clips import PLAIN, family_clip, stirred, turned
from tests.rig_families import families


def _rig(clip: Clip) -> RigGeometry:
    return RigGeometry(clip=clip, bones=map_bones(clip.skeleton, clip=clip).bones)


def _clip(family: str = PLAIN) -> Clip:
    return family_clip(families()[family])


def _angles(rig: RigGeometry, segment: str) -> np.ndarray:
    """(T, 3) of the clip itself, in degrees."""
    limits = joint_limits(rig, segment)
    world = rig.world.rotations
    parent, own = rig.bones[rig.parents[segment]], rig.bones[segment]
    turn = rotations.multiply(rotations.inverse(world[:, parent]), world[:, own])
    return np.degrees(joint_angles(turn, limits.neutral, limits.axes))


@pytest.mark.parametrize("family", [PLAIN, "Mixamo", "Unreal", "CMU"])
def test_a_leg_that_hangs_straight_is_near_the_anatomical_zero(family):
    rig = _rig(_clip(family))
    for segment in ("thigh_l", "shin_l", "thigh_r", "shin_r"):
        assert np.abs(_angles(rig, segment)).max() < 10.0


@pytest.mark.parametrize("family", [PLAIN, "Mixamo", "Unreal"])
def test_an_arm_of_a_t_pose_is_raised_by_a_right_angle(family):
    rig = _rig(_clip(family))
    for segment, sign in (("upper_arm_l", 1.0), ("upper_arm_r", -1.0)):
        pitch, roll, twist = _angles(rig, segment)[0]
        assert roll == pytest.approx(sign * 90.0, abs=5.0)
        assert abs(pitch) < 10.0
        assert abs(twist) < 10.0


@pytest.mark.parametrize(
    ("bone", "segment", "sign"),
    [("LeftUpLeg", "thigh_l", 1.0), ("RightUpLeg", "thigh_r", 1.0), ("LeftLeg", "shin_l", -1.0)],
)
def test_hips_flex_forward_and_knees_backward(bone, segment, sign):
    """The rig faces -Y, so a limb that hangs swings forward about -X."""
    clip = turned(_clip(), bone, np.tile([-sign * 0.6, 0.0, 0.0], (30, 1)))
    assert _angles(_rig(clip), segment)[0, 0] == pytest.approx(sign * np.degrees(0.6), abs=8.0)


def test_limits_of_left_and_right_mirror_each_other():
    rig = _rig(_clip())
    for segment in SEGMENTS:
        if segment.endswith("_l"):
            left, right = joint_limits(rig, segment), joint_limits(rig, segment[:-2] + "_r")
            assert left.lower[0] == pytest.approx(right.lower[0])
            np.testing.assert_allclose(left.lower[1:], -right.upper[1:], atol=1e-9)
            np.testing.assert_allclose(left.upper[1:], -right.lower[1:], atol=1e-9)


@pytest.mark.parametrize("angle", [0.1, 0.5, 1.5])
def test_no_pose_of_the_clip_is_ever_outside_the_limits(angle):
    rig = _rig(stirred(_clip(), seed=1, angle=angle))
    for segment in SEGMENTS[1:]:
        limits = joint_limits(rig, segment)
        angles = np.radians(_angles(rig, segment))
        assert np.all(angles > limits.lower)
        assert np.all(angles < limits.upper)


def test_the_axes_are_a_right_handed_frame():
    rig = _rig(_clip("Mixamo"))
    for segment in SEGMENTS[1:]:
        axes = joint_limits(rig, segment).axes
        np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-9)
        assert np.linalg.det(axes) == pytest.approx(1.0)
