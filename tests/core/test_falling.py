"""What falls are made of, by law: scripts, poses that protect, blows, and when a fall cannot be avoided."""

from types import SimpleNamespace

import numpy as np
import pytest

from sim_core.arrays import Floats
from sim_core.body.round_flesh import with_round_flesh
from sim_core.controllers.falling.fall_gains import FallGains
from sim_core.controllers.falling.usual_way import UsualWay
from sim_core.dynamics.kinematics import pose
from sim_core.engines.engine import State
from sim_core.falling.fall_script import AS_USUAL, COUNT, as_numbers, mirrored, script_of
from sim_core.falling.fall_styles import style_of
from sim_core.falling.known_falls import known_falls
from sim_core.falling.lost_balance import beyond_any_step
from sim_core.falling.protective_poses import direction_of, protective_poses, scripted
from sim_core.falling.strength import with_strength
from sim_core.rolling.anatomical_pose import to_joint_angles, within_limits
from sim_core.simulation import search_fall
from sim_core.simulation.allowance import Allowance
from sim_core.simulation.fall_search import LOOK_S, FallFound, FallSearch, Judged
from sim_core.simulation.impulses import head_impulse, peak_impulses, weights_of
from sim_core.simulation.recording import GroundContacts
from tests.clips import person

BODY = with_round_flesh(person().body)
RATE = 500.0
TIMES = np.linspace(0.0, 2.0, 201)


def test_a_script_as_usual_changes_nothing():
    script = script_of(AS_USUAL)
    for spline in (script.weight, script.turn, script.arms):
        np.testing.assert_array_equal(spline.at(TIMES), 0.0)
    poses = protective_poses(BODY, direction_of(0.3))
    one, other = scripted(BODY, poses.brace, script, np.array([0.0, 1.0]))
    np.testing.assert_allclose(one, other)


def test_splines_begin_at_zero_pass_their_points_and_stay_where_they_end():
    points = ((0.5, 0.0, -1.0), (1.0, 0.2, 0.0), (0.3, 0.1, 0.4))
    turn = script_of(as_numbers(turn=points)).turn
    knots = turn.end_s * np.arange(4) / 3.0
    np.testing.assert_allclose(turn.at(knots), np.vstack([np.zeros(3), turn.points]), atol=1e-12)
    np.testing.assert_allclose(turn.at(np.array([9.0])), turn.points[-1:])
    steps = np.linalg.norm(np.diff(turn.at(TIMES), axis=0), axis=1)
    assert steps.max() < 0.1  # without a jump


def test_a_mirrored_fall_goes_to_the_other_side():
    numbers = tuple(np.random.default_rng(2).normal(size=COUNT).tolist())
    assert mirrored(mirrored(numbers)) == numbers
    one, other = script_of(numbers), script_of(mirrored(numbers))
    np.testing.assert_allclose(one.weight.at(TIMES) * [1.0, -1.0, 1.0], other.weight.at(TIMES))
    np.testing.assert_allclose(one.turn.at(TIMES) * [-1.0, 1.0, -1.0], other.turn.at(TIMES))
    np.testing.assert_allclose(one.arms.at(TIMES), other.arms.at(TIMES))


@pytest.mark.parametrize("angle", np.radians(np.arange(-180, 180, 45)))
def test_poses_that_protect_are_within_the_joints_limits(angle):
    shares = direction_of(float(angle))
    assert sum(shares) == pytest.approx(1.0)
    numbers = tuple((2.0 * np.random.default_rng(1).normal(size=COUNT)).tolist())
    for one in protective_poses(BODY, shares):
        q = scripted(BODY, one, script_of(numbers), TIMES[::40])
        angles = to_joint_angles(BODY, q)
        np.testing.assert_allclose(within_limits(BODY, angles), angles, atol=1e-6)


def test_the_hands_are_on_the_side_to_which_it_falls():
    hands = [BODY.index("forearm_l"), BODY.index("forearm_r")]

    def reach(angle: float) -> Floats:
        q = scripted(BODY, protective_poses(BODY, direction_of(angle)).brace, script_of(AS_USUAL), np.zeros(1))[0]
        where = pose(BODY, q)
        ahead = np.cross(where.origins[BODY.index("thigh_l")] - where.origins[BODY.index("thigh_r")], [0.0, 0.0, 1.0])
        return (where.origins[hands] - where.origins[BODY.index("chest")]) @ (ahead / np.linalg.norm(ahead))

    assert reach(0.0).min() > reach(np.pi).max() + 0.1


def test_the_usual_way_leads_down_and_on():
    towards = np.array([0.0, 1.0, 0.0])
    way = UsualWay(towards, 0.2, np.array([0.2, 0.3, 0.9]), np.array([0.0, 0.4, 0.0]), 0.0, 1.7, 9.81)
    places = np.array([way.weight(time)[0] for time in TIMES])
    np.testing.assert_allclose(places[0], [0.2, 0.3, 0.9])
    assert (np.diff(places[:, 1]) > 0.0).all()
    assert (np.diff(places[:, 2]) <= 0.0).all()
    assert 0.05 < places[-1, 2] < 0.3
    assert way.turn(TIMES)[-1] @ np.array([-1.0, 0.0, 0.0]) == pytest.approx(np.radians(60.0) - 0.2)


def _blows(force_n: float, steps: range, link: int) -> GroundContacts:
    count = len(steps)
    forces = np.zeros((count, 3))
    forces[:, 2] = force_n
    return GroundContacts(np.array(steps), np.full(count, link), np.zeros((count, 3)), forces, np.full(count, -1))


def test_a_blow_is_what_reaches_a_part_within_ten_milliseconds():
    head, hand = BODY.index("head"), BODY.index("forearm_l")
    short, long = _blows(1000.0, range(10, 12), head), _blows(500.0, range(10, 110), hand)
    peaks = peak_impulses(short, 200, BODY, RATE)
    assert peaks[head] == pytest.approx(1000.0 * 2 / RATE)
    assert head_impulse(peaks, BODY) == peaks[head]
    peaks = peak_impulses(long, 200, BODY, RATE)
    assert peaks[hand] == pytest.approx(500.0 * 0.01)
    assert head_impulse(peaks, BODY) == 0.0
    weights = weights_of(BODY, {"forearm_l": 10.0})
    assert weights[head] == weights[hand] == 10.0
    assert weights[BODY.index("forearm_r")] == 1.0


def test_no_step_catches_a_body_that_goes_too_fast():
    q = BODY.zero_q.copy()
    q[2] = 1.0
    com = pose(BODY, q).com
    feet = np.array([[com[0], com[1] + side, 0.0] for side in (-0.1, 0.1)])
    for speed, lost in ((0.0, False), (0.8, False), (4.0, True)):
        v = np.zeros(BODY.nv)
        v[0] = speed
        assert beyond_any_step(BODY, q, v, feet, 0.0, 9.81) is lost
    assert not beyond_any_step(BODY, q, v, feet[:0], 0.0, 9.81)  # in the air it may still land on its feet


def test_who_is_weak_has_weaker_joints_and_the_same_weight():
    weak = with_strength(BODY, 0.3)
    np.testing.assert_allclose(weak.torque_limit, 0.3 * BODY.torque_limit)
    assert weak.mass == BODY.mass


def test_seeds_differ_and_the_first_is_the_style_itself():
    assert style_of("brace", 0) == AS_USUAL
    assert style_of("brace", 3) == style_of("brace", 3)
    ways = np.array([style_of("brace", seed) for seed in range(6)])
    apart = np.linalg.norm(ways[:, None] - ways[None], axis=-1)
    assert apart[np.triu_indices(6, 1)].min() > 1.0


def test_known_falls_are_whole_scripts():
    for angle in np.radians(np.arange(-180, 180, 45)):
        assert all(len(numbers) == COUNT for numbers in known_falls(float(angle)))


def test_gains_of_who_is_limp_let_go_at_once():
    limp = FallGains().limp()
    assert limp.reflex_s == 0.0
    assert limp.latest_s < 0.0


LEVEL = SimpleNamespace(height=lambda points: np.zeros(1), distance=lambda points: np.ones(len(points)))


class _Fell(SimpleNamespace):
    def __len__(self) -> int:
        return len(self.q)


class _Valley:
    """A crew whose falls are the better, the nearer a script is to a place."""

    def __init__(self) -> None:
        self._place = np.random.default_rng(4).normal(size=COUNT)
        scene = SimpleNamespace(gravity=9.81, surface=lambda time: LEVEL)
        self.setup = SimpleNamespace(reference=SimpleNamespace(rate=RATE), body=BODY, scene=scene)

    def perform(self, trials, progress):
        return [SimpleNamespace(legs=[SimpleNamespace(stretch=self._fell(trial))]) for trial in trials]

    def _fell(self, trial) -> _Fell:
        away = float(np.sum((np.array(trial.windows[0].variation.fall) - self._place) ** 2))
        q = np.tile(BODY.zero_q, (round(LOOK_S * RATE), 1))
        q[:, 2] -= BODY.height  # nothing of it is in the air
        return _Fell(
            q=q,
            v=np.zeros((len(q), BODY.nv)),
            torque_ratio=np.zeros(len(q)),
            contacts=_blows(20.0 * away, range(100, 105), BODY.index("forearm_l")),
            broken=False,
            end=SimpleNamespace(step=len(q)),
        )


def _found():
    start = SimpleNamespace(step=0, state=State(BODY.zero_q, np.zeros(BODY.nv)))
    search = FallSearch(_Valley(), start, weights_of(BODY), None, AS_USUAL)
    return search.run((), 0, Allowance("good", 0.0), lambda fraction: None)


def test_the_search_finds_what_is_better_and_the_same_again():
    one, other = _found(), _found()
    assert [judged.numbers for judged in one.leaders] == [judged.numbers for judged in other.leaders]
    costs = [cost for _, cost in one.history]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < 0.8 * costs[0]
    assert one.rollouts == pytest.approx(100, abs=15)


@pytest.mark.parametrize(("stopped", "chosen"), [(False, "steady"), (True, "tips over late")])
def test_who_tips_over_late_falls_in_another_way(monkeypatch, stopped, chosen):
    leaders = [Judged(cost, name, np.zeros(0)) for cost, name in ((100.0, "tips over late"), (110.0, "steady"))]
    leaders.append(Judged(130.0, "not looked at", np.zeros(0)))
    whole = {"tips over late": 400.0, "steady": 120.0}
    monkeypatch.setattr(
        search_fall,
        "_to_its_end",
        lambda crew, start, leader, weights: SimpleNamespace(numbers=leader.numbers, cost=whole[leader.numbers]),
    )
    found = FallFound(tuple(leaders), 3, (), stopped)
    assert search_fall._best_to_its_end(None, None, found, np.zeros(0)).numbers == chosen
