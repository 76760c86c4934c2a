"""Virtual actuators by what they must achieve on both engines: stand, stay standing, go on from any moment alike."""

import pickle
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from sim_core.controllers.choose_controller import make_controller
from sim_core.controllers.controller import foot_help_size
from sim_core.controllers.variation import AS_IT_IS
from sim_core.disturbances import Push
from sim_core.engines.engine import available_engines
from sim_core.motion.hold_pose import Hold
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import prepare
from sim_core.realism import REALISTIC, help_at
from sim_core.samples.catalogue import make_sample
from sim_core.settings import BakeSettings, EngineName, VaSettings
from sim_core.simulation.one_pass import window_ends
from sim_core.simulation.readings import reading
from sim_core.simulation.recording import Recording
from sim_core.simulation.simulate import beginning, last_step
from sim_core.simulation.simulator import Setup, Simulator
from sim_core.simulation.stretch import Moment, recording_of
from sim_core.simulation.trial import Attempt, Trial, Window

SECONDS = 1.5
PUSHED_AT_S = 0.3
FELT_NM = 0.1  # less than this on a foot is no chatter
REALISTICALLY = help_at(REALISTIC).va


@pytest.fixture(params=["bullet", "mujoco"])
def name(request) -> EngineName:
    if request.param not in available_engines():
        pytest.skip(f"Engine '{request.param}' is not installed; 'make test' installs both.")
    return request.param


@cache
def _setup(engine: EngineName, *, va: VaSettings = VaSettings(), held: bool = False) -> Setup:  # noqa: B008
    settings = BakeSettings(controller="va", motion="hold" if held else "track", va=va, assist="none")
    source = SourceClip(clip=make_sample("stand", SECONDS), t_pose_frames=0, guesses=(), notes=())
    performance = prepare(source, settings.clip, settings.friction, settings.ground, hold=Hold(None) if held else None)
    body, scene = performance.body, performance.scene
    reference = reading(
        performance.motion, body, scene, performance.made_for, settings, settings.reference, lambda done: None
    )
    return Setup(
        body=body, scene=scene, readings=(reference,), forces=None, outside=(), settings=settings, engine=engine
    )


def _pushed(setup: Setup, angle_deg: float, newtons: float = 200.0) -> Setup:
    angle = np.radians(angle_deg)
    force = (newtons * np.cos(angle), newtons * np.sin(angle), 0.0)
    return replace(setup, outside=(Push(bone="chest", at_s=PUSHED_AT_S, for_s=0.2, force=force),))


def _run(setup: Setup, start: Moment | None = None, limit: float = 0.0) -> Attempt:
    moment = start or beginning(setup.reference, setup.scene)
    ends = window_ends(last_step(setup.reference), setup.reference.rate, resumable=True)
    windows = tuple(Window(end, AS_IT_IS, limit) for end in ends if end > moment.step)
    simulator = Simulator(setup)
    attempt = simulator.run(Trial(moment, windows, stop_at_failure=False), lambda done: None)
    simulator.close()
    return attempt


def _recorded(setup: Setup, limit: float = 0.0) -> Recording:
    stretches = [leg.stretch for leg in _run(setup, limit=limit).legs]
    return recording_of(stretches, setup.body, setup.scene, setup.reference.rate)


def _off_m(recording: Recording, setup: Setup) -> float:
    return float(np.linalg.norm(recording.q[:, :3] - setup.reference.q[:, :3], axis=1).max())


@pytest.mark.parametrize("held", [False, True])
def test_a_stand_is_kept_and_hardly_needs_help(name, held):
    setup = _setup(name, held=held)
    found = _recorded(setup)
    assert found.completed
    assert _off_m(found, setup) < 0.03
    assert not found.assist_force.any()
    assert not found.assist_torque.any()
    assert foot_help_size(found.foot_torque[: setup.reference.clip_steps - 1]).max() < 1.0


def test_realistic_means_no_help_at_all(name):
    setup = _setup(name, va=REALISTICALLY)
    for one in (setup, _pushed(setup, 90.0)):
        found = _recorded(one)
        assert not found.foot_torque.any()
        assert not found.assist_force.any()
        assert not found.assist_torque.any()
    standing = _recorded(setup)
    assert standing.completed
    assert _off_m(standing, setup) < 0.03


@pytest.mark.parametrize("angle_deg", [0, 90, 180, 270])
def test_who_is_pushed_stands_by_the_torque_of_his_feet(name, angle_deg):
    setup = _pushed(_setup(name), angle_deg)
    found = _recorded(setup)
    assert found.completed
    assert 0.03 < _off_m(found, setup) < 0.2  # the push is felt
    allowed = setup.settings.va.thr_max - setup.settings.va.thr_min
    assert 20.0 < np.linalg.norm(found.foot_torque, axis=-1).max() <= allowed + 1e-9
    assert not found.assist_force.any()


def test_who_is_pushed_falls_without_it(name):
    assert not _recorded(_pushed(_setup(name, va=REALISTICALLY), 90.0)).completed


@pytest.mark.parametrize("newtons", [0.0, 200.0])
def test_help_on_the_feet_does_not_chatter(name, newtons):
    torque = _recorded(_pushed(_setup(name), 0.0, newtons)).foot_torque
    later = torque[len(torque) // 2 :].reshape(-1, 6)
    for column in later.T:
        felt = column[np.abs(column) > FELT_NM]
        changes = np.count_nonzero(felt[1:] * felt[:-1] < 0.0)
        assert changes * 500.0 / len(later) < 5.0


def test_assist_stays_within_its_limit(name):
    setup = _pushed(_setup(name, va=REALISTICALLY), 90.0)
    found = _recorded(setup, limit=50.0)
    sizes = np.linalg.norm(found.assist_force, axis=1) + np.linalg.norm(found.assist_torque, axis=1)
    assert 1.0 < sizes.max() <= 50.0 + 1e-9


def test_another_process_goes_on_from_any_moment_in_the_same_way(name):
    """The midst of a push is such a moment: help on feet, trust and the anchor are all under way."""
    setup = _pushed(_setup(name), 45.0)
    whole = _run(setup)
    for k in (0, 1, 2):
        moment = pickle.loads(pickle.dumps(whole.legs[k].stretch.end))
        again = _run(setup, start=moment)
        assert len(again.legs) == len(whole.legs) - k - 1
        for one, other in zip(again.legs, whole.legs[k + 1 :], strict=True):
            for array in ("q", "v", "foot_torque", "displaced"):
                assert getattr(one.stretch, array).tobytes() == getattr(other.stretch, array).tobytes()
    assert whole.legs[2].stretch.foot_torque.any()


def test_a_reset_forgets_everything(name):
    setup = _pushed(_setup(name), 45.0)
    simulator = Simulator(setup)
    windows = (Window(250, AS_IT_IS, 0.0),)
    trial = Trial(beginning(setup.reference, setup.scene), windows)
    first, again = (simulator.run(trial, lambda done: None).legs[0].stretch for _ in range(2))
    simulator.close()
    assert first.q.tobytes() == again.q.tobytes()
    assert first.foot_torque.tobytes() == again.foot_torque.tobytes()


def test_wild_states_get_no_more_than_muscles_have(name):
    setup = _setup(name)
    body, reference = setup.body, setup.reference
    controller = make_controller(body, reference, None, setup.scene, setup.settings, 0.0)
    start = beginning(reference, setup.scene)
    for seed in range(5):
        controller.reset()
        wild = start.state._replace(v=np.random.default_rng(seed).normal(0.0, 5.0, body.nv))
        command = controller.compute(0, wild, start.contacts)
        assert np.all(np.abs(command.torques) <= body.torque_limit)
        assert not command.torques[:6].any()
        assert command.assist is None
