"""Getting up as a motion: from any way of lying to a stand, on the ground, within the joints' limits, without jumps."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.arrays import Floats
from sim_core.body.body import Body
from sim_core.body.round_flesh import with_round_flesh
from sim_core.dynamics.kinematics import pose
from sim_core.falling.get_up import get_up, lying_in
from sim_core.rolling.anatomical_pose import posed, to_joint_angles, within_limits
from sim_core.rolling.level_feet import root_axes
from sim_core.rolling.stand_feet import lowest
from sim_core.samples.figure import make_figure
from tests.clips import body_of, standing_clip

_FPS = 60.0
_GROUND_M = 0.3
_WAYS = {"back": 180.0, "front": 0.0, "right side": 90.0, "left side": -90.0}


@pytest.fixture(scope="module")
def body() -> Body:
    return with_round_flesh(body_of(standing_clip(make_figure())))


def lying(body: Body, twist_deg: float, heading_deg: float) -> Floats:
    """On the ground, turned so far from the front over the right side."""
    q = posed(body, {"thigh": (5.0, -5.0, 0.0), "shin": (-10.0, 0.0, 0.0), "upper_arm": (10.0, -20.0, 0.0)})
    own = rotations.exp(np.radians(twist_deg) * root_axes(body)[2])
    right, ahead, up = np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
    upright = rotations.from_matrix(np.stack([right, ahead, up]).T @ root_axes(body))
    prone = rotations.multiply(rotations.about_axis(1, np.array(0.5 * np.pi)), upright)
    turn = rotations.about_axis(2, np.array(np.radians(heading_deg)))
    q[3:7] = rotations.multiply(turn, rotations.multiply(prone, own))
    q[2] += _GROUND_M - lowest(body, q)
    return q


@pytest.mark.parametrize("way", _WAYS)
def test_knows_how_a_body_lies(body: Body, way: str) -> None:
    lies = lying_in(body, lying(body, _WAYS[way], 70.0))
    assert np.cos(lies.twist - np.radians(_WAYS[way])) > 0.999
    assert np.cos(lies.heading - np.radians(70.0)) > 0.999


@pytest.mark.parametrize("way", _WAYS)
def test_gets_up_from_any_way_of_lying(body: Body, way: str) -> None:
    q = lying(body, _WAYS[way], 70.0)
    motion = get_up(body, q, _GROUND_M, _FPS)
    np.testing.assert_array_equal(motion[0], q)
    where = pose(body, motion)
    heights = where.points(body.soles.links, body.soles.local)[-1, :, 2] - _GROUND_M
    assert np.abs(heights).max() < 0.01, "it ends on its feet"
    assert where.com[-1, 2] - _GROUND_M > 0.5 * body.height, "and upright"
    assert np.abs(np.diff(where.com[-10:], axis=0)).max() < 1e-3, "and quietly"
    assert lowest(body, motion).min() > _GROUND_M - 0.12, "hardly through the ground on its way"
    angles = to_joint_angles(body, motion[1:])
    assert np.abs(angles - within_limits(body, angles)).max() < np.radians(3.0)
    turns = rotations.angle_between(motion[1:, 3:7], motion[:-1, 3:7])
    assert turns.max() * _FPS < 8.0, "no jumps of the pelvis"
