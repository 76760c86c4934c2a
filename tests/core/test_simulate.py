"""The loop on both engines, by what physics and a recording must obey."""

import numpy as np
import pytest

from sim_core.controllers.controller import Command, assist_size
from sim_core.controllers.stable_pd import StablePd
from sim_core.controllers.whole_runs import WholeRuns
from sim_core.disturbances import Push
from sim_core.dynamics.kinematics import pose
from sim_core.engines.engine import Contacts, Engine, State
from sim_core.errors import Cancelled
from sim_core.reference.reference import Reference, build_reference
from sim_core.reference.reference_forces import reference_forces
from sim_core.scene import Scene
from sim_core.settings import PdSettings, ReferenceSettings
from sim_core.simulation.recording import Recording
from sim_core.simulation.simulate import simulate
from tests.clips import Person, crouching, moved

STEP_S = 0.002
SCENE = Scene()


def _silent(fraction: float) -> None: ...


def _reference(someone: Person, hold_s: float = 0.1) -> Reference:
    settings = ReferenceSettings()
    return build_reference(someone.clip, someone.body, SCENE, settings, rate=1.0 / STEP_S, hold_s=hold_s)


STANDING = crouching(frames=10, fps=30.0)
REFERENCE = _reference(STANDING)
FORCES = reference_forces(STANDING.body, REFERENCE, SCENE, _silent)
WEIGHT = STANDING.body.mass * SCENE.gravity


def _standing(engine: Engine, limit: float = 0.1 * WEIGHT, pushes=(), progress=_silent, stop=False) -> Recording:
    engine.load(STANDING.body, SCENE, STEP_S)
    controller = StablePd(STANDING.body, REFERENCE, FORCES, SCENE, PdSettings(), limit)
    return simulate(STANDING.body, REFERENCE, controller, engine, SCENE, pushes, progress, stop_at_failure=stop)


class Limp(WholeRuns):
    """No torque, no help."""

    def __init__(self, nv: int) -> None:
        self.resets = 0
        self._nv = nv

    solve_count = None

    def reset(self) -> None:
        self.resets += 1

    def compute(self, step: int, state: State, contacts: Contacts) -> Command:
        return Command(np.zeros(self._nv), None)


def _limp(engine: Engine, someone: Person, reference: Reference, pushes=(), stop=False) -> Recording:
    engine.load(someone.body, SCENE, STEP_S)
    limp = Limp(someone.body.nv)
    recording = simulate(someone.body, reference, limp, engine, SCENE, pushes, _silent, stop_at_failure=stop)
    assert limp.resets == 1
    return recording


def test_someone_who_stands_goes_on_standing(engine):
    recording = _standing(engine)
    assert recording.completed
    assert recording.failed_at_s is None
    assert len(recording.q) == len(REFERENCE)
    assert np.linalg.norm(recording.q[:, :3] - REFERENCE.q[:, :3], axis=1).max() < 0.03
    carried = recording.ground_force[-60:-1].sum(axis=1).mean()
    assert carried == pytest.approx(WEIGHT, rel=0.1)


def test_the_same_again_is_the_same_to_the_last_bit(engine):
    first, second = _standing(engine), _standing(engine)
    for name in ("q", "assist_force", "assist_torque", "torque_ratio", "ground_force"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


def test_a_rollout_leaves_no_trace_in_the_next(engine):
    """Another rollout in between, on the same loaded engine, changes nothing."""
    body = STANDING.body
    engine.load(body, SCENE, STEP_S)

    def run(limit: float, pushes=()) -> Recording:
        controller = StablePd(body, REFERENCE, FORCES, SCENE, PdSettings(), limit)
        return simulate(body, REFERENCE, controller, engine, SCENE, pushes, _silent, stop_at_failure=False)

    first = run(50.0)
    run(10.0, [Push(bone="chest", at_s=0.05, for_s=0.1, force=(400.0, 0.0, 0.0))])
    np.testing.assert_array_equal(run(50.0).q, first.q)


@pytest.mark.parametrize("limit", [0.0, 5.0, 60.0])
def test_assist_and_torques_never_exceed_their_limits(engine, limit):
    push = Push(bone="chest", at_s=0.05, for_s=0.2, force=(150.0, 100.0, 0.0))
    recording = _standing(engine, limit, [push])
    assert assist_size(recording.assist_force, recording.assist_torque).max() <= limit * (1 + 1e-12)
    assert recording.torque_ratio.max() <= 1.0


@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (0.0, -0.6, 0.8)])
def test_a_push_in_the_air_changes_the_momentum_by_its_impulse(engine, direction):
    clip, body = STANDING
    flying = Person(moved(clip, [0.0, 0.0, 5.0]), body)
    reference = _reference(flying)
    force, for_s = 200.0, 0.1
    push = Push(bone="chest", at_s=0.1, for_s=for_s, force=tuple(force * np.array(direction)))
    plain, pushed = (_limp(engine, flying, reference, pushes) for pushes in ((), (push,)))
    com = [pose(body, recording.q).com for recording in (plain, pushed)]
    velocity = [(c[-1] - c[-6]) / (5 * STEP_S) for c in com]
    gained = body.mass * (velocity[1] - velocity[0])
    np.testing.assert_allclose(gained, force * for_s * np.array(direction), atol=0.05 * force * for_s)


def test_without_torques_someone_falls_freely(engine):
    clip, body = STANDING
    flying = Person(moved(clip, [0.0, 0.0, 5.0]), body)
    recording = _limp(engine, flying, _reference(flying))
    com = pose(body, recording.q).com[:, 2]
    times = np.arange(len(com)) * STEP_S
    np.testing.assert_allclose(com[0] - com, 0.5 * 9.81 * times**2, atol=0.01)


def test_a_failure_stops_the_run_only_where_asked(engine):
    clip, body = STANDING
    flying = Person(moved(clip, [0.0, 0.0, 5.0]), body)
    reference = _reference(flying)
    stopped, whole = (_limp(engine, flying, reference, stop=stop) for stop in (True, False))
    assert stopped.failure == whole.failure == "left the path"
    assert stopped.failed_at_s == whole.failed_at_s
    fall_s = np.sqrt(2.0 * 0.3 / 9.81)  # free fall over the farthest a pelvis may be off
    assert stopped.failed_at_s == pytest.approx(fall_s, abs=0.02)
    assert len(stopped.q) == round(stopped.failed_at_s / STEP_S) + 1
    assert len(whole.q) == len(reference)
    np.testing.assert_array_equal(stopped.q, whole.q[: len(stopped.q)])


def test_quaternions_of_a_recording_never_flip(engine):
    recording = _standing(engine, pushes=[Push(bone="hand_l", at_s=0.02, for_s=0.2, force=(0.0, 40.0, 0.0))])
    for link in STANDING.body.links:
        stop = STANDING.body.q_slice[link.name].stop
        turns = recording.q[:, stop - 4 : stop]
        assert np.all(np.sum(turns[1:] * turns[:-1], axis=1) > 0.9)


def test_a_cancel_comes_through_and_leaves_the_engine_usable(engine):
    told: list[float] = []

    def stop(fraction: float) -> None:
        told.append(fraction)
        if len(told) == 2:
            raise Cancelled("stop")

    with pytest.raises(Cancelled):
        _standing(engine, progress=stop)
    assert 0.0 <= told[0] < told[1] < 1.0
    assert _standing(engine).completed
