"""The rolling controller's parts by law, and a roll from the command line on every engine."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from sim_core.controllers.rolling.contact_choice import Touching, centre_of_pressure, nearest, strongest
from sim_core.controllers.rolling.roll_frame import frame_on
from sim_core.controllers.rolling.weight_path import weight_path
from sim_core.controllers.tracking.objectives import JointObjective, Objective, implicit_spring
from sim_core.controllers.tracking.whole_body_qp import Bounds, Problem, Pushes, solve_whole_body
from sim_core.engines.engine import available_engines
from sim_core.motion.source_clip import write_new
from sim_core.roll_span import RollSpan
from sim_core.rolling.uphill import pace_uphill
from sim_core.samples.catalogue import make_sample
from sim_core.world.ground import Ground
from sim_core.world.lie_of_land import lie_under
from tests.command_line import call

NV = 14
EVERY_ENGINE = pytest.mark.parametrize("engine", available_engines())


def _problem(rng: np.random.Generator, limit: float) -> tuple[SimpleNamespace, Problem]:
    A = rng.normal(size=(NV, NV))
    dynamics = SimpleNamespace(M=A @ A.T + NV * np.eye(NV), bias=5.0 * rng.normal(size=NV))
    joints = JointObjective(
        np.r_[np.full(6, 1e-6), np.ones(NV - 6)], rng.normal(size=NV), blend=4.0 * rng.normal(size=NV)
    )
    none = np.zeros((0, NV))
    return dynamics, Problem(
        [Objective(rng.normal(size=(4, NV)), 3.0 * rng.normal(size=4), 2.0)],
        joints,
        Pushes(rng.normal(size=(8, NV)), np.full(8, np.inf), none, np.zeros(0), 1e-4),
        [],
        Bounds(np.full(NV, -limit), np.full(NV, limit), np.eye(NV)[8:10], np.full(2, -1e3), np.full(2, 1e3)),
    )


def _cost(problem: Problem, accelerations, blend: float) -> float:
    joints = problem.joints
    cost = sum(wish.weight * np.sum((wish.J @ accelerations - wish.target) ** 2) for wish in problem.objectives)
    return cost + np.sum(joints.weights * (accelerations - joints.targets - blend * joints.blend) ** 2)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("limit", [1e9, 12.0])
def test_the_blend_is_the_best_of_all_blends(seed, limit):
    """Brown 2012, eq. 3.17 to 3.24, against every blend tried one by one."""
    dynamics, problem = _problem(np.random.default_rng(seed), limit)
    found = solve_whole_body(dynamics, problem)
    assert found is not None
    assert -1e-9 <= found.blend <= 1.0 + 1e-9
    tried = []
    for blend in np.linspace(0.0, 1.0, 21):
        joints = problem.joints
        fixed = problem._replace(joints=JointObjective(joints.weights, joints.targets + blend * joints.blend))
        solution = solve_whole_body(dynamics, fixed)
        tried.append(_cost(problem, solution.accelerations, blend))
    assert _cost(problem, found.accelerations, found.blend) <= min(tried) + 1e-3 * (1.0 + min(tried))


def test_a_stiff_spring_does_not_overshoot_in_one_step():
    h = 0.01
    for stiffness in (10.0, 1e4, 1e8):
        acceleration = implicit_spring(np.array([1.0]), np.array([0.0]), stiffness, 2.0 * np.sqrt(stiffness), h)
        assert 0.0 < h * h * acceleration[0] <= 1.0


def _reference(com: np.ndarray, rate: float) -> SimpleNamespace:
    none = np.zeros_like(com)
    velocity = np.gradient(com, 1.0 / rate, axis=0)
    span = RollSpan(0, len(com), 1, np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0]), is_led=True)
    return SimpleNamespace(
        rate=rate, com=com, com_velocity=velocity, a=none, needed=SimpleNamespace(torque=none), rolls=(span,)
    )


def test_a_weight_that_falls_is_asked_to_fall_and_one_that_bobs_is_not():
    rate, falls = 500.0, -6.0
    times = np.arange(1000) / rate
    falling = _reference(np.stack([times, 0.0 * times, 0.5 * falls * times**2], axis=1), rate)
    fallen = weight_path(falling, is_level=True, climbs=False)
    inner = slice(300, 700)
    np.testing.assert_allclose(fallen.accelerations[inner], np.tile([0.0, 0.0, falls], (400, 1)), atol=1e-6)
    np.testing.assert_allclose(fallen.velocities[inner, 0], 1.0)
    bobs = np.stack([times, 0.0 * times, 0.05 * np.cos(2.0 * np.pi * times / 0.3)], axis=1)
    assert (
        np.abs(weight_path(_reference(bobs, rate), is_level=True, climbs=False).accelerations[inner, 2]).max()
        < 0.15 * 0.05 * (2.0 * np.pi / 0.3) ** 2
    )


def _frame(up=(0.0, 0.0, 1.0)):
    span = RollSpan(0, 1, 1, np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    return frame_on(span, np.asarray(up) / np.linalg.norm(up))


@pytest.mark.parametrize("up", [(0.0, 0.0, 1.0), (0.2, 0.0, 1.0), (0.0, -0.5, 1.0)])
def test_a_force_at_the_centre_of_pressure_turns_the_body_as_wanted(up):
    frame, rng = _frame(up), np.random.default_rng(1)
    com, above = np.array([1.0, 2.0, 0.4]), 0.35
    force = frame.rows.T @ np.array([40.0, -25.0, 700.0])
    turning = frame.rows.T @ np.array([*rng.normal(size=2) * 20.0, 0.0])
    place = centre_of_pressure(com, above, force, turning, frame, 700.0)
    assert (com - place) @ frame.up == pytest.approx(above)
    felt = np.cross(place - com, force)
    np.testing.assert_allclose(frame.rows[:2] @ felt, frame.rows[:2] @ turning, atol=1e-9)


def test_the_contacts_that_matter():
    points = np.array([[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.1, 0.1, 0.5], [2.0, 0.0, 0.0]])
    found = Touching(np.arange(4), points, np.tile([0.0, 0.0, 1.0], (4, 1)), np.full(4, 0.8))
    assert nearest(found, np.zeros(3), np.array([0.0, 0.0, 1.0]), 2).links.tolist() == [0, 2]
    assert strongest(found, np.array([1.0, 5.0, 0.0, 9.0]), 2).links.tolist() == [1, 3]


def test_on_a_slope_hardly_any_friction_is_lost_between_the_edges_of_its_cone():
    steep = np.array([0.0, 0.5, 1.0]) / np.linalg.norm([0.0, 0.5, 1.0])
    least = []
    for normal in (np.array([0.0, 0.0, 1.0]), steep):
        found = Touching(np.zeros(1, dtype=int), np.zeros((1, 3)), normal[None], np.full(1, 0.8))
        edges = found.edges(0.9)[0]
        sideways = np.linalg.norm(edges + np.roll(edges, 1, axis=0) - 2.0 * normal, axis=1) / 2.0
        least.append(sideways.min() / 0.72)
    assert least == pytest.approx([np.cos(np.pi / 4), np.cos(np.pi / 8)])


def test_the_lie_of_a_plane_is_the_plane():
    ground = Ground(point=np.array([0.0, 0.0, 0.2]), normal=np.array([0.3, 0.0, 1.0]))
    lie = lie_under(ground, np.array([[1.0, 0.0, 1.0]]), 0.4)
    np.testing.assert_allclose(lie.normals[0], ground.normal)
    assert lie.heights[0] == pytest.approx(-0.1)


class _Narrow:
    """A strip along x, 10 cm wide and 0.3 m up, that rises; a metre below it a floor."""

    def __init__(self, rise: float) -> None:
        self._rise = rise

    def height(self, points):
        return np.where(np.abs(points[..., 1]) <= 0.05, 0.3 + self._rise * points[..., 0], -0.7)


@pytest.mark.parametrize("beside", [-0.04, 0.0, 0.04])
@pytest.mark.parametrize("rise", [0.0, 0.2])
def test_what_falls_away_beside_a_beam_is_no_land(beside, rise):
    lie = lie_under(_Narrow(rise), np.array([[1.0, beside, 1.0]]), 0.4)
    np.testing.assert_allclose(lie.normals[0] / lie.normals[0, 2], [-rise, 0.0, 1.0], atol=0.03)
    assert lie.heights[0] == pytest.approx(0.3 + rise, abs=0.01)


def test_the_land_of_a_lone_post_is_its_top():
    post = SimpleNamespace(height=lambda points: np.where(np.linalg.norm(points[..., :2], axis=-1) < 0.01, 0.3, -0.7))
    lie = lie_under(post, np.array([[0.0, 0.0, 1.0]]), 0.4)
    np.testing.assert_allclose(lie.normals[0], [0.0, 0.0, 1.0])
    assert lie.heights[0] == pytest.approx(0.3)


def test_the_lie_of_a_slope_that_is_no_plane_of_the_scene_is_the_slope():
    slope = SimpleNamespace(height=lambda points: 0.3 * points[..., 0] - 0.2 * points[..., 1])
    lie = lie_under(slope, np.array([[1.0, 2.0, 1.0]]), 0.4)
    np.testing.assert_allclose(lie.normals[0] / lie.normals[0, 2], [-0.3, 0.2, 1.0], atol=1e-9)
    assert lie.heights[0] == pytest.approx(-0.1)


def test_who_rolls_uphill_is_faster_by_what_the_climb_takes():
    span = RollSpan(0, 100, 2, np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0]), is_led=True)
    com = np.linspace(0.0, 3.0, 101)[:, None] * np.array([1.0, 0.0, 0.0])  # 1.5 m/s at 50 fps, 1.5 m a turn
    up, down = (Ground(normal=np.array([-side * np.sin(0.1), 0.0, np.cos(0.1)])) for side in (1.0, -1.0))
    faster = pace_uphill(span, com, 50.0, up)
    assert (faster**2 - 1.0) * 1.5**2 == pytest.approx(9.81 * 1.5 * np.sin(0.1), rel=1e-3)
    assert pace_uphill(span, com, 50.0, down) == pace_uphill(span, com, 50.0, Ground()) == 1.0
    assert pace_uphill(span._replace(is_led=False), com, 50.0, up) == 1.0, "logs are not pushed off"


@pytest.fixture(scope="module")
def stand(tmp_path_factory):
    path = tmp_path_factory.mktemp("rolls") / "stand.bvh"
    write_new(path, make_sample("stand", 1.0))
    return path


@EVERY_ENGINE
def test_a_roll_that_is_made(capsys, tmp_path, stand, engine):
    output, report = tmp_path / "out.bvh", tmp_path / "report.json"
    roll = ["--motion", "roll", "--roll", "backward", "--rolls", 1]
    outcome = call(
        capsys, "bake", stand, "-o", output, *roll, "--engine", engine, "--budget", "draft", "--report", report
    )
    assert outcome.status == 0, outcome.out + outcome.err
    told = json.loads(report.read_text())
    assert told["motion"] == "roll"
    assert told["roll"]["rolls"] == pytest.approx(1.0, abs=0.2)
    assert told["roll"]["direction_off_deg"] < 30.0
    assert told["after"]["penetration_m"] < 0.01
    assert "It rolled" in outcome.out
    again = tmp_path / "again.bvh"
    call(capsys, "bake", stand, "-o", again, *roll, "--engine", engine, "--budget", "draft")
    assert again.read_bytes() == output.read_bytes()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rolls", "2"], "--rolls is for --motion roll, not track"),
        (["--motion", "roll", "--direction", "20"], "--direction is for a roll that is made"),
        (["--motion", "roll", "--rolls", "2", "--distance", "3", "--roll", "forward"], "give one of them"),
        (["--motion", "roll", "--rolls", "0"], "--rolls takes a number from 1 to 100, not 0"),
        (["--motion", "roll", "--controller", "va"], "--motion roll is for --controller qp"),
        (["--motion", "roll"], "No roll was found in the clip"),
        (["--motion", "roll", "--roll", "forward", "--roll-at", "999"], "Frame 999 is none to roll from"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(capsys, tmp_path, stand, options, words):
    outcome = call(capsys, "bake", stand, "-o", tmp_path / "out.bvh", *options)
    assert outcome.status not in (0, None)
    assert words in outcome.out + outcome.err
    assert not (tmp_path / "out.bvh").exists()
