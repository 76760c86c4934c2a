"""Poses of a person in a roll: where they belong, what the cycle makes of them, and what it keeps of its kind."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.round_flesh import with_round_flesh
from sim_core.dynamics.state_space import difference
from sim_core.errors import SettingsError
from sim_core.rolling.anatomical_pose import from_joint_angles, to_joint_angles
from sim_core.rolling.given_poses import cycle_with, phases_of
from sim_core.rolling.key_poses import KINDS, frame_of
from sim_core.rolling.level_feet import root_axes
from sim_core.rolling.made_rolls import made_roll
from sim_core.rolling.pose_cycle import TURN, cycle_of_kind, two_poses
from sim_core.samples.figure import make_figure
from tests.clips import body_of, standing_clip
from tests.core.test_made_rolls import heights_of

BODY = with_round_flesh(body_of(standing_clip(make_figure())))
PHASES = np.linspace(0.0, TURN, 73)
each_kind = pytest.mark.parametrize("kind", KINDS)


def _turned(poses, kind, degrees):
    """As a body is turned that rolls along X."""
    turned = poses.copy()
    upright = rotations.from_matrix(frame_of(KINDS[kind]).T @ root_axes(BODY))
    turned[:, 3:7] = rotations.multiply(rotations.about_axis(1, np.radians(degrees)), upright)
    return turned


@each_kind
def test_the_kinds_own_poses_change_nothing(kind):
    cycle, own = cycle_with(BODY, kind, two_poses(BODY, kind)), cycle_of_kind(BODY, kind)
    np.testing.assert_allclose(cycle.joints(PHASES), own.joints(PHASES), atol=1e-6)
    np.testing.assert_allclose(cycle.root(PHASES), own.root(PHASES), atol=1e-6)


@each_kind
def test_poses_that_are_not_turned_belong_where_the_roll_is_like_them(kind):
    keys = KINDS[kind].keys
    poses = two_poses(BODY, kind)
    told = np.degrees(phases_of(BODY, kind, poses))
    assert told == pytest.approx([keys[k].phase for k in KINDS[kind].two], abs=5.0)
    assert np.degrees(phases_of(BODY, kind, poses[::-1])) == pytest.approx(told[::-1])


@pytest.mark.parametrize("kind", ["forward", "backward", "sideways"])
def test_how_poses_are_turned_tells_their_phase(kind):
    same = np.repeat(two_poses(BODY, kind)[:1], 3, axis=0)
    cycle = cycle_of_kind(BODY, kind)
    wanted = np.radians([80.0, 170.0, 290.0])
    told = phases_of(BODY, kind, _turned(same, kind, np.degrees(cycle.root(wanted)[:, 0])))
    away = (told - wanted + np.pi) % TURN - np.pi
    assert np.degrees(np.abs(away)).max() < 30.0  # the pose, which is the same thrice, tells something as well


def test_a_pose_is_passed_and_what_is_far_from_it_is_like_it():
    angles = to_joint_angles(BODY, two_poses(BODY, "forward"))
    shin, thigh = BODY.index("shin_r"), BODY.index("thigh_r")
    angles[:, shin, 0] += np.radians(25.0)
    cycle, own = cycle_with(BODY, "forward", from_joint_angles(BODY, angles)), cycle_of_kind(BODY, "forward")
    changed = np.degrees(cycle.joints(PHASES) - own.joints(PHASES))
    assert changed[:, shin, 0] == pytest.approx(25.0, abs=8.0)
    assert np.abs(changed[:, thigh]).max() < 6.0


@pytest.mark.parametrize("kind", ["forward", "backward"])
def test_hands_keep_the_head_off_the_ground_in_a_roll_through_given_poses(kind):
    angles = to_joint_angles(BODY, two_poses(BODY, kind))
    angles[:, [BODY.index("forearm_l"), BODY.index("forearm_r")], 0] += np.radians(20.0)
    made = made_roll(BODY, kind, 1, fps=60.0, cycle=cycle_with(BODY, kind, from_joint_angles(BODY, angles)))
    assert heights_of(BODY, made.q, [BODY.index("head")]).min() > 0.015


def test_a_pose_may_be_given_the_long_way_round():
    poses = two_poses(BODY, "forward")
    other = poses.copy()
    part = BODY.q_slice["upper_arm_l"]
    other[:, part] = -other[:, part]
    for phase in (0.3, 2.0, 4.0):
        at = np.array([phase])
        one, two = (cycle_with(BODY, "forward", given).poses(at)[0] for given in (poses, other))
        np.testing.assert_allclose(difference(BODY, one, two), 0.0, atol=1e-6)


def test_one_pose_is_none_to_roll_through():
    with pytest.raises(SettingsError, match="two poses or more, and there is 1"):
        cycle_with(BODY, "forward", two_poses(BODY, "forward")[:1])
