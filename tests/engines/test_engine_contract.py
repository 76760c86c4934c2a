"""What every engine must do, told by laws of physics; contacts and saving have files of their own."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core.body.body import Body
from sim_core.dynamics import kinematics
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.spatial import ANGULAR, LINEAR
from sim_core.engines.engine import Engine, State, Wrench
from sim_core.errors import SimulationError
from sim_core.scene import Scene
from tests.engines.single_bodies import box_body, sphere_body
from tests.engines.situations import NOTHING, STEP_S, at_height, high_up, limp_figure, still
from tests.makers import figure_body

TINY_STEP_S = 1e-5  # where differences of first order in the step vanish


@pytest.mark.parametrize("seed", range(5))
def test_reset_gives_back_the_state_it_was_given(engine: Engine, seed: int) -> None:
    body = figure_body()
    engine.load(body, Scene(), STEP_S)
    given = high_up(body, seed, speed=5.0)
    for sign in (1.0, -1.0):  # -q is the same rotation, and comes back as it went in
        q = given.q.copy()
        q[3:7] *= sign
        read = engine.reset(State(q, given.v))
        np.testing.assert_allclose(read.q, q, atol=1e-9)
        np.testing.assert_allclose(read.v, given.v, atol=1e-9)


def test_states_that_came_out_stay_as_they_are(engine: Engine) -> None:
    body = figure_body()
    engine.load(body, Scene(), STEP_S)
    first = engine.reset(high_up(body, 1))
    kept = State(first.q.copy(), first.v.copy())
    engine.step(still(body))
    np.testing.assert_array_equal(first.q, kept.q)
    np.testing.assert_array_equal(first.v, kept.v)


@pytest.mark.parametrize("hinges", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_one_step_accelerates_as_our_dynamics_say(engine: Engine, seed: int, hinges: bool) -> None:
    """Within 1e-7 of the largest acceleration; Bullet reaches 1e-8 and MuJoCo 1e-12."""
    body = replace(figure_body(hinges=hinges), collision_pairs=())
    engine.load(body, Scene(), TINY_STEP_S)
    state = high_up(body, seed, speed=2.0)
    torques = np.random.default_rng(seed).normal(0.0, 5.0, body.nv)
    torques[:6] = 0.0
    now = Dynamics(body).evaluate(state.q, state.v)
    expected = np.linalg.solve(now.M, torques - now.bias)
    engine.reset(state)
    found = (engine.step(torques).v - state.v) / TINY_STEP_S
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-7 * np.abs(expected).max())


def test_joints_faster_than_a_hundred_radians_a_second_are_not_clamped(engine: Engine) -> None:
    body = limp_figure()
    engine.load(body, Scene(), TINY_STEP_S)
    state = high_up(body, 0)
    state.v[body.v_slice["hand_l"]] = [300.0, 0.0, 0.0]
    engine.reset(state)
    assert np.linalg.norm(engine.step(still(body)).v[body.v_slice["hand_l"]]) == pytest.approx(300.0, rel=0.01)


def momentum_gained_in_flight(engine: Engine, body: Body, step_s: float, duration_s: float) -> np.ndarray:
    """(6,) beyond what gravity gives."""
    dynamics, scene = Dynamics(body), Scene()
    engine.load(body, scene, step_s)
    state = engine.reset(high_up(body, 3))
    before = dynamics.evaluate(state.q, state.v).momentum
    steps = round(duration_s / step_s)
    for _ in range(steps):
        state = engine.step(still(body))
    gained = dynamics.evaluate(state.q, state.v).momentum - before
    gained[2] += body.mass * scene.gravity * steps * step_s
    return gained


def test_free_flight_conserves_momentum_and_angular_momentum(engine: Engine) -> None:
    """Both integrators err by the first order in the step: below 0.1 % and 1.5 % at 2 ms in half a second of
    wild flailing, half of it at half the step, and extrapolated to no step at all ten times less."""
    body = limp_figure()
    start = Dynamics(body).evaluate(*high_up(body, 3)[:2]).momentum
    scale = np.repeat([np.linalg.norm(start[LINEAR]), np.linalg.norm(start[ANGULAR])], 3)
    coarse = momentum_gained_in_flight(engine, body, STEP_S, 0.5) / scale
    fine = momentum_gained_in_flight(engine, body, 0.5 * STEP_S, 0.5) / scale
    assert np.abs(coarse[LINEAR]).max() < 1e-3
    assert np.abs(coarse[ANGULAR]).max() < 1.5e-2
    assert np.linalg.norm(fine) < 0.6 * np.linalg.norm(coarse)
    assert np.linalg.norm(2.0 * fine - coarse) < 0.1 * np.linalg.norm(coarse)


def test_a_push_changes_momentum_by_exactly_its_impulse(engine: Engine) -> None:
    body, scene = box_body(), Scene()
    engine.load(body, scene, STEP_S)
    state = engine.reset(at_height(body, 50.0))
    force = np.array([30.0, -20.0, 50.0])
    for _ in range(100):
        state = engine.step(still(body), [Wrench(0, force, NOTHING, state.q[:3])])
    weight = np.array([0.0, 0.0, -body.mass * scene.gravity])
    np.testing.assert_allclose(body.mass * state.v[:3], (force + weight) * 100 * STEP_S, rtol=1e-9)
    np.testing.assert_allclose(state.v[3:6], 0.0, atol=1e-9)


@pytest.mark.parametrize("name", ["pelvis", "chest", "hand_l", "toes_r"])
def test_a_wrench_off_the_centre_gives_its_force_and_torque(engine: Engine, name: str) -> None:
    """Both momenta of the whole figure, within 1e-3 of the impulse; two wrenches on a link add up."""
    body = limp_figure()
    engine.load(body, Scene(), TINY_STEP_S)
    dynamics, link = Dynamics(body), body.index(name)
    state = high_up(body, 5)
    force, torque = np.array([40.0, -70.0, 90.0]), np.array([6.0, 3.0, -8.0])
    point = kinematics.pose(body, state.q).origins[link] + np.array([0.1, -0.2, 0.15])
    halves = [Wrench(link, 0.5 * force, NOTHING, point), Wrench(link, 0.5 * force, torque, point)]
    engine.reset(state)
    free = dynamics.evaluate(*engine.step(still(body))[:2]).momentum
    engine.reset(state)
    pushed = dynamics.evaluate(*engine.step(still(body), halves)[:2]).momentum
    lever = point - kinematics.pose(body, state.q).com
    expected = np.concatenate([force, torque + np.cross(lever, force)])
    np.testing.assert_allclose((pushed - free) / TINY_STEP_S, expected, rtol=0.0, atol=1e-3 * 100.0)


def test_a_wrench_lasts_one_step(engine: Engine) -> None:
    body = sphere_body()
    engine.load(body, Scene(gravity=0.0), STEP_S)
    state = engine.reset(at_height(body, 5.0))
    centre = state.q[:3] + body.links[0].com
    pushed = engine.step(still(body), [Wrench(0, np.array([10.0, 0.0, 0.0]), NOTHING, centre)])
    np.testing.assert_allclose(engine.step(still(body)).v, pushed.v, atol=1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_torques_and_forces_that_are_not_numbers_are_refused_in_a_sentence(engine: Engine, bad: float) -> None:
    body = figure_body()
    engine.load(body, Scene(), STEP_S)
    engine.reset(high_up(body, 0))
    torques = still(body)
    torques[10] = bad
    with pytest.raises(SimulationError, match=r"^The torques .*\.$"):
        engine.step(torques)
    with pytest.raises(SimulationError, match=r"^The outside forces .*\.$"):
        engine.step(still(body), [Wrench(0, np.full(3, bad), NOTHING, NOTHING)])


def test_a_simulation_that_explodes_says_so(engine: Engine, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    body = limp_figure()
    engine.load(body, Scene(), STEP_S)
    state = engine.reset(high_up(body, 0))
    with pytest.raises(SimulationError, match=r"^The body's (pose|speed) .*\.$"):  # noqa: PT012 - takes some steps
        for _ in range(500):
            torques = np.concatenate([np.zeros(6), np.clip(1e3 * state.v[6:], -1e300, 1e300)])
            state = engine.step(torques)
    assert not list(tmp_path.iterdir())  # and no engine left a log


def test_torques_on_the_root_are_refused(engine: Engine) -> None:
    body = figure_body()
    engine.load(body, Scene(), STEP_S)
    engine.reset(high_up(body, 0))
    torques = still(body)
    torques[1] = 1.0
    with pytest.raises(ValueError, match="root"):
        engine.step(torques)
