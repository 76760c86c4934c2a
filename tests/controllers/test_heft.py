"""Heft's own preset by what it must achieve: it stands, keeps its balance by steps, and never leaves its limits."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core.controllers.tracking.heft import Heft
from sim_core.controllers.tracking.heft_gains import Gains
from sim_core.controllers.tracking.objectives import press_at
from sim_core.controllers.tracking.tracker import Assist, Tracker
from sim_core.controllers.tracking.whole_body_qp import solve_whole_body
from sim_core.disturbances import Push
from sim_core.dynamics.contact_fit import cone_edges
from sim_core.dynamics.dynamics import Dynamics
from sim_core.engines.engine import ROOT_DOFS, State, available_engines, make_engine, no_contacts
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import Performance, prepare
from sim_core.reference.reference import Reference, build_reference
from sim_core.samples.catalogue import has_captured_samples, make_sample
from sim_core.settings import BakeSettings
from sim_core.simulation.recording import Recording
from sim_core.simulation.simulate import simulate

SETTINGS = BakeSettings()
CAPTURED = pytest.mark.skipif(
    not has_captured_samples(), reason="Runs where pybullet is installed: the captured walk lies in its data."
)


def _prepared(name: str, seconds: float) -> tuple[Performance, Reference]:
    source = SourceClip(clip=make_sample(name, seconds), t_pose_frames=0, guesses=(), notes=())
    performance = prepare(source, SETTINGS.clip, SETTINGS.friction)
    reference = build_reference(
        performance.motion,
        performance.body,
        performance.scene,
        SETTINGS.reference,
        rate=1.0 / SETTINGS.step_s,
        hold_s=SETTINGS.hold_s,
    )
    return performance, reference


STANDING = _prepared("stand", 3.0)


def _simulated(
    prepared: tuple[Performance, Reference], engine_name: str, gains: Gains | None = None, pushes: tuple[Push, ...] = ()
) -> Recording:
    performance, reference = prepared
    body, scene = performance.body, performance.scene
    engine = make_engine(engine_name)
    engine.load(body, scene, SETTINGS.step_s)
    tracker = Tracker(body, scene, Heft(body, reference, scene, gains or Gains()), 0.0, reference.rate)
    recording = simulate(body, reference, tracker, engine, scene, pushes, lambda done: None, stop_at_failure=True)
    engine.close()
    return recording


def _solve(state: State, gains: Gains | None = None):
    performance, reference = STANDING
    body, scene = performance.body, performance.scene
    dynamics = Dynamics(body, scene.gravity).evaluate(state.q, state.v)
    preset = Heft(body, reference, scene, gains or Gains())
    assist = Assist(np.zeros((0, body.nv)), np.zeros(0))
    problem = preset.problem(0, state, dynamics, no_contacts(), assist)
    solution = solve_whole_body(dynamics, problem)
    assert solution is not None
    return dynamics, problem, solution


def test_its_forces_and_torques_obey_the_equations_of_motion():
    _, reference = STANDING
    dynamics, problem, solution = _solve(State(reference.q[0], reference.v[0]))
    pushed = solution.edge_forces @ problem.pushes.edges
    left = dynamics.M @ solution.accelerations + dynamics.bias - solution.torques - pushed
    np.testing.assert_allclose(left[:ROOT_DOFS], 0.0, atol=1e-6)
    np.testing.assert_allclose(left, 0.0, atol=1e-6)
    assert solution.edge_forces.min() >= 0.0


def test_who_stands_is_carried_by_the_ground():
    performance, reference = STANDING
    _, _, solution = _solve(State(reference.q[0], np.zeros(performance.body.nv)), replace(Gains(), ramp_s=1e-6))
    weight = performance.body.mass * performance.scene.gravity
    assert solution.edge_forces.sum() == pytest.approx(weight, rel=0.03)  # each edge has a unit part along the normal


@pytest.mark.parametrize("ahead_m", [-0.02, 0.0, 0.03])
def test_pressure_comes_to_lie_where_it_is_asked_to(ahead_m):
    performance, reference = STANDING
    body, normal = performance.body, performance.scene.ground.normal
    dynamics, problem, _ = _solve(State(reference.q[0], np.zeros(body.nv)))
    soles = dynamics.points(body.soles.links, body.soles.local)
    edges = cone_edges(normal, Gains().friction_share * performance.scene.friction, 4)
    assert len(problem.pushes.edges) == len(soles) * len(edges)  # every sole point bears
    place = soles.mean(axis=0) + np.array([ahead_m, 0.0, 0.0])
    asked = problem._replace(forces=[press_at(soles, edges, place, normal, 1.0)])
    solution = solve_whole_body(dynamics, asked)
    assert solution is not None
    load = solution.edge_forces.reshape(len(soles), -1).sum(axis=1)
    np.testing.assert_allclose((load @ soles / load.sum())[:2], place[:2], atol=0.003)


def test_torques_do_not_jump():
    performance, reference = STANDING
    body = performance.body
    preset = Heft(body, reference, performance.scene, Gains())
    most = body.torque_limit / (Gains().full_torque_s * reference.rate)
    first = preset._no_jump(np.zeros(body.nv))
    preset._torques = first
    assert np.all(np.abs(preset._no_jump(3.0 * body.torque_limit) - first) <= most + 1e-12)


@pytest.mark.parametrize("name", [pytest.param("walk", marks=CAPTURED), "squat"])
@pytest.mark.parametrize("engine_name", available_engines())
def test_a_performance_is_kept_without_assist(engine_name, name):
    recording = _simulated(_prepared(name, 3.0), engine_name)
    assert recording.failure is None
    assert recording.solve_count is not None
    assert recording.solve_count.failed == 0


@pytest.mark.parametrize("engine_name", available_engines())
def test_who_stands_survives_a_shove(engine_name):
    push = Push(bone="chest", at_s=0.5, for_s=0.1, force=(0.0, 100.0, 0.0))
    recording = _simulated(STANDING, engine_name, pushes=(push,))
    assert recording.failure is None


def test_two_runs_are_the_same_to_the_bit():
    engine_name = available_engines()[0]
    first, second = (_simulated(STANDING, engine_name) for _ in range(2))
    assert first.q.tobytes() == second.q.tobytes()
