"""Made rolls: on the ground but for the head, once round in every turn, straight ahead, within the joints' limits."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.body import Body
from sim_core.body.round_flesh import with_round_flesh
from sim_core.constants import GRAVITY
from sim_core.dynamics.kinematics import motion, pose
from sim_core.dynamics.state_space import central_velocities, difference
from sim_core.errors import SettingsError
from sim_core.posing.surface import surface_points
from sim_core.rig.segments import ARM, TRUNK, kind
from sim_core.rolling.anatomical_pose import posed, to_joint_angles
from sim_core.rolling.excursion import excursion, mean_spin
from sim_core.rolling.key_poses import KINDS, frame_of
from sim_core.rolling.level_feet import root_axes
from sim_core.rolling.made_rolls import made_roll
from sim_core.rolling.pose_cycle import TURN, PoseCycle, cycle_of_kind, keys_of
from sim_core.rolling.roll_path import RollPath
from sim_core.rolling.stand_feet import lowest, standing
from sim_core.samples.figure import make_figure
from tests.clips import body_of, person, standing_clip
from tests.makers import figure_body

FPS = 60.0
BODIES = {
    "figure": with_round_flesh(figure_body(hinges=False)),
    "plain": with_round_flesh(person().body),
    "sample": with_round_flesh(body_of(standing_clip(make_figure()))),
}
each_body = pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
each_kind = pytest.mark.parametrize("roll", KINDS)


def heights_of(body: Body, q: np.ndarray, links: list[int]) -> np.ndarray:
    """(T,) of the lowest point of some links."""
    surface = surface_points(body)
    own = np.isin(surface.links, links)
    points = pose(body, q).points(surface.links[own], surface.local[own])
    return (points[..., 2] - surface.radii[own]).min(axis=1)


@each_body
@each_kind
def test_it_is_on_the_ground_and_its_head_is_not(body, roll):
    made = made_roll(body, roll, 2, fps=FPS)
    trunk_and_legs = [i for i, name in enumerate(body.names) if kind(name) not in ARM]
    assert heights_of(body, made.q, trunk_and_legs).min() > -0.005
    assert heights_of(body, made.q, list(range(len(body)))).max() < 0.012
    assert heights_of(body, made.q, list(range(len(body)))).min() > -0.03  # arms that push may give way
    assert heights_of(body, made.q, [body.index("head")]).min() > 0.015


@each_body
@pytest.mark.parametrize("roll", ["forward", "backward"])
def test_hands_let_the_weight_down_without_dropping_it(body, roll):
    made = KINDS[roll]
    path = RollPath(body, cycle_of_kind(body, roll), frame_of(made), made.hands)
    phases = np.radians(np.arange(made.hands.first, made.hands.last, 2.0))
    height = path.weight(phases)[:, 2]
    per_s = TURN / made.seconds
    rising = np.gradient(np.gradient(height, phases), phases) * per_s**2
    assert np.abs(rising[2:-2]).max() < GRAVITY


@each_body
@each_kind
def test_a_turn_is_once_round_and_straight_ahead(body, roll):
    heading = 0.7
    made = made_roll(body, roll, 2, fps=FPS, heading=heading, place=np.array([1.0, 2.0, 0.0]))
    moving = motion(body, made.q, central_velocities(body, made.q, FPS))
    turned = excursion(mean_spin(body, moving), FPS) @ made.spans[0].axis
    assert turned[made.spans[0].last] - turned[made.spans[0].first] == pytest.approx(2.0 * TURN, rel=0.1)
    way = moving.pose.com[made.spans[0].last] - moving.pose.com[made.spans[0].first]
    assert np.arctan2(way[1], way[0]) == pytest.approx(heading, abs=np.radians(5.0))
    assert way @ made.spans[0].ahead > 0.5 * body.height
    np.testing.assert_allclose(
        made.spans[0].ahead, rotations.cross(made.spans[0].axis, np.array([0.0, 0.0, 1.0])), atol=1e-12
    )


@each_body
@each_kind
def test_joints_stay_within_their_limits(body, roll):
    made = made_roll(body, roll, 1, fps=FPS)
    angles = to_joint_angles(body, made.q[made.spans[0].first : made.spans[0].last])
    for i, link in enumerate(body.links[1:], 1):
        assert (angles[:, i] > link.joint.lower - 1e-6).all(), link.name
        assert (angles[:, i] < link.joint.upper + 1e-6).all(), link.name


@each_body
@each_kind
def test_a_cycle_closes(body, roll):
    cycle = cycle_of_kind(body, roll)
    ends = cycle.poses(np.array([0.0, TURN]))
    np.testing.assert_allclose(difference(body, ends[1], ends[0]), 0.0, atol=1e-9)
    assert cycle.root(np.array([TURN]))[0, 0] - cycle.root(np.array([0.0]))[0, 0] == pytest.approx(TURN)


@each_body
def test_it_begins_and_ends_standing_still(body):
    made = made_roll(body, "forward", 1, fps=FPS)
    v = central_velocities(body, made.q, FPS)
    assert np.abs(v[0]).max() < 0.2
    assert np.abs(v[-1]).max() < 1e-6
    feet = [body.index("foot_l"), body.index("foot_r")]
    down = pose(body, made.q[: made.spans[0].first // 2]).origins[:, feet]
    np.testing.assert_allclose(down, np.broadcast_to(down[0], down.shape), atol=0.002)


def test_a_pose_is_within_limits_and_mirrored():
    body = BODIES["sample"]
    angles = np.degrees(to_joint_angles(body, posed(body, {"thigh": (300.0, -10.0, 5.0)})))
    assert angles[body.index("thigh_r")] == pytest.approx([125.0, -10.0, 5.0])
    assert angles[body.index("thigh_l")] == pytest.approx([125.0, 10.0, -5.0])


def test_who_rolls_sideways_does_not_stand():
    with pytest.raises(SettingsError, match="lies"):
        made_roll(BODIES["sample"], "sideways", 1, fps=FPS, ends="stand")


def test_an_unknown_kind_is_told():
    with pytest.raises(SettingsError, match="forward"):
        made_roll(BODIES["sample"], "loop", 1, fps=FPS)


def test_twice_as_fast():
    body = BODIES["sample"]
    usual, fast = (made_roll(body, "shoulder", 1, fps=FPS, speed=speed) for speed in (1.0, 2.0))
    assert len(fast.q) == pytest.approx(0.5 * len(usual.q), abs=2)


def test_knees_that_a_pose_bends_below_its_back_do_not_lift_it():
    body = BODIES["plain"]
    keys = keys_of(body, KINDS["sideways"].keys)
    joints = keys.joints.copy()
    joints[:, [body.index(f"shin_{side}") for side in "lr"], 0] = np.radians(-20.0)
    bent = made_roll(body, "sideways", 1, fps=FPS, cycle=PoseCycle(body, keys._replace(joints=joints)))
    trunk = [body.index(name) for name in TRUNK]
    assert heights_of(body, bent.q[:1], trunk)[0] < 0.03


@each_body
def test_who_rolls_sideways_has_the_foot_behind_near_the_ground_until_it_is_over(body):
    roll = KINDS["sideways"]
    path = RollPath(body, cycle_of_kind(body, "sideways"), frame_of(roll))
    q = path.at(np.radians([0.0, 15.0, 30.0, 45.0]))
    assert (heights_of(body, q, [body.index("foot_r")]) < 0.1).all()


def test_who_ends_lying_is_given_time_to_come_to_rest():
    rolled = made_roll(BODIES["sample"], "sideways", 1, fps=FPS)
    assert len(rolled.q) - rolled.spans[0].last > FPS


def test_who_stands_in_a_stride_keeps_the_foot_in_front_and_lifts_the_other_up_to_it():
    body = BODIES["sample"]
    stride = posed(body, {"thigh_l": (25.0, 0.0, 0.0), "thigh_r": (-25.0, 0.0, 0.0)})
    stride[:7] = standing(body, frame_of(KINDS["forward"]), None)[:7]
    stride[2] -= lowest(body, stride)
    made = made_roll(body, "forward", 1, fps=FPS, begin_q=stride)
    ankles = pose(body, made.q).origins[:, [body.index("foot_l"), body.index("foot_r")]]
    before = ankles[: made.spans[0].first]
    front, back = np.argsort(-before[0, :, 0])
    gap = before[0, front, 0] - before[0, back, 0]
    assert gap > 0.15
    assert np.ptp(before[:, front, 0]) < 0.1 * gap
    assert before[-1, back, 0] > before[0, front, 0] - 0.1 * gap
    assert (before[:, back, 2] - before[:, front, 2]).max() > 0.02


@each_body
@each_kind
def test_only_who_rolls_sideways_lies_along_the_axis(body, roll):
    made = made_roll(body, roll, 1, fps=FPS)
    span = made.spans[0]
    up = rotations.rotate(made.q[span.first, 3:7], root_axes(body)[2])
    assert (abs(up @ span.axis) > np.cos(np.radians(45.0))) == (roll == "sideways")
