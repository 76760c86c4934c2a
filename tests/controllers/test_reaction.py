"""Who is pushed while he stands steps, stays on his feet, and goes on from there; who is not, does nothing of it."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from sim_core.controllers.variation import AS_IT_IS
from sim_core.disturbances import Push
from sim_core.dynamics.kinematics import pose
from sim_core.engines.engine import available_engines
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import prepare
from sim_core.samples.catalogue import make_sample
from sim_core.settings import BakeSettings, EngineName, GroundSettings
from sim_core.simulation.one_pass import window_ends
from sim_core.simulation.readings import reading
from sim_core.simulation.simulate import beginning, last_step
from sim_core.simulation.simulator import Setup, Simulator
from sim_core.simulation.stretch import Moment
from sim_core.simulation.trial import Attempt, Trial, Window

PUSHED_AT_S, PUSHED_FOR_S = 0.3, 0.1
ENOUGH_N = 300.0  # of a push that no standing foot can answer


@cache
def _setup(slope_deg: float = 0.0) -> Setup:
    settings = BakeSettings(ground=GroundSettings(slope_deg=slope_deg))
    source = SourceClip(clip=make_sample("stand", 1.5), t_pose_frames=0, guesses=(), notes=())
    performance = prepare(source, settings.clip, settings.friction, settings.ground)
    body, scene = performance.body, performance.scene
    reference = reading(
        performance.motion, body, scene, performance.made_for, settings, settings.reference, lambda done: None
    )
    return Setup(
        body=body, scene=scene, readings=(reference,), forces=None, outside=(), settings=settings, engine="mujoco"
    )


def _pushed(engine: EngineName, angle_deg: float, newtons: float, slope_deg: float = 0.0) -> Setup:
    angle = np.radians(angle_deg)
    force = (newtons * np.cos(angle), newtons * np.sin(angle), 0.0)
    push = Push(bone="chest", at_s=PUSHED_AT_S, for_s=PUSHED_FOR_S, force=force)
    return replace(_setup(slope_deg), engine=engine, outside=(push,) if newtons else ())


def _run(setup: Setup, start: Moment | None = None, until: int | None = None) -> Attempt:
    moment = start or beginning(setup.reference, setup.scene)
    ends = window_ends(last_step(setup.reference), setup.reference.rate, resumable=True)
    windows = tuple(Window(end, AS_IT_IS, 0.0) for end in ends if moment.step < end <= (until or ends[-1]))
    simulator = Simulator(setup)
    attempt = simulator.run(Trial(moment, windows), lambda done: None)
    simulator.close()
    return attempt


def _sliding_m_s(attempt: Attempt, setup: Setup) -> float:
    """Mean speed of soles that are on the ground."""
    body, ground, every = setup.body, setup.scene.ground, 10
    q = np.concatenate([leg.stretch.q for leg in attempt.legs])[::every]
    soles = pose(body, q).points(body.soles.links, body.soles.local)
    down = ground.distance(soles) < 0.01
    speeds = np.linalg.norm(np.diff(soles, axis=0)[..., :2], axis=-1) * setup.reference.rate / every
    return float(speeds[down[1:] & down[:-1]].mean())


@pytest.mark.parametrize("angle_deg", [45, 90, 270])
@pytest.mark.parametrize("engine", available_engines())
def test_who_is_pushed_hard_steps_and_stays_on_his_feet(engine, angle_deg):
    setup = _pushed(engine, angle_deg, ENOUGH_N)
    attempt = _run(setup)
    assert not attempt.failed
    assert _sliding_m_s(attempt, setup) < 0.03


@pytest.mark.parametrize("engine", available_engines())
def test_the_clip_goes_on_from_where_the_step_has_led(engine):
    setup = _pushed(engine, 90, ENOUGH_N)
    end = _run(setup).legs[-1].stretch.end
    assert np.linalg.norm(end.displaced) > 0.1
    led_to = setup.reference.q[-1, :3] + end.displaced
    assert np.linalg.norm((end.state.q[:3] - led_to)[:2]) < 0.05


def test_on_a_slope_as_well():
    setup = _pushed("mujoco", 90, ENOUGH_N, slope_deg=8.0)
    attempt = _run(setup)
    assert not attempt.failed
    displaced = attempt.legs[-1].stretch.end.displaced
    assert abs(displaced @ setup.scene.ground.normal) < 1e-9  # along the ground


def test_who_is_not_pushed_or_only_a_little_stays_where_he_is():
    for newtons in (0.0, 60.0):
        attempt = _run(_pushed("mujoco", 90, newtons))
        assert not attempt.failed
        assert not any(leg.stretch.displaced.any() for leg in attempt.legs)


def test_who_is_pushed_beyond_recovery_falls():
    assert _run(_pushed("mujoco", 180, 1500.0)).failed


@pytest.mark.parametrize("engine", available_engines())
def test_another_process_goes_on_from_the_midst_of_a_step_in_the_same_way(engine):
    setup = _pushed(engine, 90, ENOUGH_N)
    whole = _run(setup, until=450)
    midst = whole.legs[1].stretch.end  # 0.2 s after the push
    again = _run(setup, start=midst, until=450)
    assert again.legs[0].stretch.q.tobytes() == whole.legs[2].stretch.q.tobytes()
    assert again.legs[0].stretch.displaced.tobytes() == whole.legs[2].stretch.displaced.tobytes()
    assert whole.legs[2].stretch.displaced.any()
