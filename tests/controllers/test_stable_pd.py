"""The baseline controller by what it must achieve: pull back, stay within its limits, stand on both engines."""

import numpy as np
import pytest

from sim_core.controllers.controller import assist_size
from sim_core.controllers.stable_pd import StablePd
from sim_core.dynamics.state_space import integrate
from sim_core.engines.engine import State, no_contacts
from sim_core.reference.reference import build_reference
from sim_core.reference.reference_forces import reference_forces
from sim_core.scene import Scene
from sim_core.settings import PdSettings, ReferenceSettings
from sim_core.simulation.simulate import simulate
from tests.clips import crouching

SCENE = Scene()
STEP_S = 0.002
CLIP, BODY = crouching(frames=20, fps=30.0)
REFERENCE = build_reference(CLIP, BODY, SCENE, ReferenceSettings(), rate=1.0 / STEP_S, hold_s=0.1)
FORCES = reference_forces(BODY, REFERENCE, SCENE, lambda fraction: None)
WEIGHT = BODY.mass * SCENE.gravity
HERE = State(REFERENCE.q[0], np.zeros(BODY.nv))


def _controller(limit: float = WEIGHT) -> StablePd:
    return StablePd(BODY, REFERENCE, FORCES, SCENE, PdSettings(), limit)


def _off(dof: int, angle: float) -> State:
    step = np.zeros(BODY.nv)
    step[dof] = angle
    return State(integrate(BODY, HERE.q, step), HERE.v)


def _command(state: State, limit: float = WEIGHT):
    return _controller(limit).compute(0, state, no_contacts())


@pytest.mark.parametrize("name", ["head", "forearm_l", "hand_r", "neck"])
def test_a_joint_that_is_off_is_pulled_back(name):
    still = _command(HERE).torques
    for dof in range(BODY.v_slice[name].start, BODY.v_slice[name].stop):
        for sign in (-1.0, 1.0):
            change = _command(_off(dof, 0.05 * sign)).torques[dof] - still[dof]
            assert sign * change < 0.0


def test_a_stiffer_joint_is_pulled_back_harder():
    dof = BODY.v_slice["head"].start
    pulls = []
    for stiffness in (0.5, 1.0, 2.0):
        controller = StablePd(BODY, REFERENCE, FORCES, SCENE, PdSettings(), WEIGHT, stiffness=stiffness)
        here, off = (controller.compute(0, state, no_contacts()).torques[dof] for state in (HERE, _off(dof, 0.05)))
        pulls.append(here - off)
    assert 0.0 < pulls[0] < pulls[1] < pulls[2]


@pytest.mark.parametrize("name", ["head", "forearm_l"])
def test_a_joint_that_moves_is_braked(name):
    still = _command(HERE).torques
    for dof in range(BODY.v_slice[name].start, BODY.v_slice[name].stop):
        v = np.zeros(BODY.nv)
        v[dof] = 0.5
        assert _command(State(HERE.q, v)).torques[dof] < still[dof]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("limit", [0.0, 30.0, 300.0])
def test_no_limit_is_ever_exceeded(seed, limit):
    rng = np.random.default_rng(seed)
    wild = State(integrate(BODY, HERE.q, rng.normal(0.0, 1.0, BODY.nv)), rng.normal(0.0, 10.0, BODY.nv))
    torques, assist, *_ = _command(wild, limit)
    assert np.all(np.abs(torques) <= BODY.torque_limit)
    np.testing.assert_array_equal(torques[:6], 0.0)
    if assist is not None:
        assert assist.link == 0
        assert assist_size(assist.force, assist.torque) <= limit * (1 + 1e-12)


@pytest.mark.parametrize("axis", range(3))
def test_the_assist_pulls_the_pelvis_back(axis):
    for sign in (-1.0, 1.0):
        there, here = (_command(state, 1e6).assist for state in (_off(axis, 0.05 * sign), HERE))
        assert sign * (there.force - here.force)[axis] < 0.0
        turned = _command(_off(3 + axis, 0.05 * sign), 1e6).assist
        assert sign * (turned.torque - here.torque)[axis] < 0.0  # the root's frame is the world's


def test_the_same_state_gives_the_same_command_and_is_not_touched():
    before = HERE.q.copy()
    first, second = _command(HERE), _command(HERE)
    np.testing.assert_array_equal(first.torques, second.torques)
    np.testing.assert_array_equal(HERE.q, before)


def test_beyond_the_last_row_the_last_pose_is_held():
    controller = _controller()
    late = controller.compute(len(REFERENCE) + 100, HERE, no_contacts())
    assert np.isfinite(late.torques).all()


def test_it_stands_on_every_engine(engine):
    engine.load(BODY, SCENE, STEP_S)
    controller = _controller(0.1 * WEIGHT)
    found = simulate(BODY, REFERENCE, controller, engine, SCENE, (), lambda fraction: None, stop_at_failure=False)
    assert found.completed
    assert np.linalg.norm(found.q[:, :3] - REFERENCE.q[:, :3], axis=1).max() < 0.03


def test_a_pose_that_is_far_off_is_reached_without_shaking(engine):
    """Stiff gains at a step of 2 ms: the error dies out and stays away (what "stable" in the name means)."""
    engine.load(BODY, SCENE, STEP_S)
    controller = _controller(2.0 * WEIGHT)
    arm = BODY.v_slice["forearm_l"]
    step = np.zeros(BODY.nv)
    step[arm] = [0.3, -0.2, 0.3]
    state = engine.reset(State(integrate(BODY, HERE.q, step), HERE.v))
    part = BODY.q_slice["forearm_l"]
    errors = []
    for tick in range(300):
        errors.append(np.linalg.norm(state.q[part] - REFERENCE.q[min(tick, len(REFERENCE) - 1), part]))
        state = engine.step(*_as_step(controller.compute(tick, state, engine.contacts())))
    assert errors[-1] < 0.05 * errors[0]
    assert max(errors[150:]) < 0.1 * errors[0]


def _as_step(command):
    return command.torques, [] if command.assist is None else [command.assist]
