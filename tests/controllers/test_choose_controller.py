"""Every controller that can be chosen keeps the same promises, and drives the body in its own way."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core.controllers.choose_controller import make_controller
from sim_core.controllers.controller import Command, Controller, assist_size
from sim_core.dynamics.state_space import integrate
from sim_core.engines.engine import ROOT_DOFS, State, no_contacts
from sim_core.reference.reference import build_reference
from sim_core.reference.reference_forces import reference_forces
from sim_core.scene import Scene
from sim_core.settings import BakeSettings, QpSettings, ReferenceSettings
from tests.clips import crouching

SCENE = Scene()
SOMEONE = crouching(frames=10, fps=30.0)
BODY = SOMEONE.body
REFERENCE = build_reference(SOMEONE.clip, BODY, SCENE, ReferenceSettings(), rate=500.0, hold_s=0.1)
FORCES = reference_forces(BODY, REFERENCE, SCENE, lambda fraction: None)
WEIGHT = BODY.mass * SCENE.gravity
HERE = State(REFERENCE.q[0], REFERENCE.v[0])
CHOICES = {
    "pd": BakeSettings(controller="pd"),
    "heft": BakeSettings(qp=QpSettings(preset="heft")),
    "yu": BakeSettings(qp=QpSettings(preset="yu")),
    "mcsim": BakeSettings(qp=QpSettings(preset="mcsim")),
    "mcsim, full-state": BakeSettings(qp=QpSettings(preset="mcsim", balance="full-state")),
    "mcsim, three-link": BakeSettings(qp=QpSettings(preset="mcsim", balance="three-link")),
}


def _make(settings: BakeSettings, limit: float) -> Controller:
    forces = FORCES if settings.controller == "pd" else None
    controller = make_controller(BODY, REFERENCE, forces, SCENE, settings, limit)
    controller.reset()
    return controller


def _off(angle: float, joint: str = "upper_arm_l") -> State:
    move = np.zeros(BODY.nv)
    move[BODY.v_slice[joint].start] = angle
    return State(integrate(BODY, HERE.q, move), HERE.v)


def _ask(settings: BakeSettings, limit: float = 0.1 * WEIGHT, state: State = HERE) -> Command:
    return _make(settings, limit).compute(0, state, no_contacts())


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("limit", [0.0, 0.1, 1.0])
def test_within_what_muscles_and_assist_can_do(name, limit):
    for state in (HERE, _off(0.5), State(HERE.q, HERE.v + 0.3)):
        command = _ask(CHOICES[name], limit * WEIGHT, state)
        assert np.isfinite(command.torques).all()
        assert (np.abs(command.torques) <= BODY.torque_limit + 1e-9).all()
        assert not command.torques[:ROOT_DOFS].any()
        if command.assist is not None:
            assert assist_size(command.assist.force, command.assist.torque) <= limit * WEIGHT * (1.0 + 1e-6) + 1e-9


@pytest.mark.parametrize("name", CHOICES)
def test_a_reset_forgets_everything(name):
    controller = _make(CHOICES[name], 0.1 * WEIGHT)
    first = [controller.compute(step, _off(0.02 * step), no_contacts()).torques for step in range(6)]
    controller.reset()
    again = [controller.compute(step, _off(0.02 * step), no_contacts()).torques for step in range(6)]
    np.testing.assert_array_equal(first, again)


@pytest.mark.parametrize("name", CHOICES)
def test_solves_are_counted_from_the_last_reset_on(name):
    controller = _make(CHOICES[name], 0.0)
    if name in ("pd", "yu"):  # these solve linear systems, which cannot fail
        assert controller.solve_count is None
        return
    assert controller.solve_count == (0, 0, 0.0)
    for step in range(12):
        controller.compute(step, HERE, no_contacts())
    count = controller.solve_count
    assert 1 <= count.solves <= 12
    assert 0 <= count.failed <= count.solves
    assert count.seconds > 0.0
    controller.reset()
    assert controller.solve_count == (0, 0, 0.0)


@pytest.mark.parametrize("name", CHOICES)
def test_a_stiffer_joint_is_drawn_back_harder(name):
    dof = BODY.v_slice["upper_arm_l"].start

    def drawn_back(stiffness: float) -> float:
        settings = replace(CHOICES[name], stiffness=stiffness)
        return float(_ask(settings).torques[dof] - _ask(settings, state=_off(0.02)).torques[dof])

    assert 0.0 < drawn_back(0.5) < drawn_back(2.0)


def test_no_choice_is_another_under_a_second_name():
    state = State(_off(0.1).q, HERE.v + 0.1)
    asked = {name: _ask(settings, state=state).torques for name, settings in CHOICES.items()}
    alike = [(a, b) for a in asked for b in asked if a < b and np.allclose(asked[a], asked[b], atol=1e-3)]
    assert alike == []
