"""What is to bear besides feet: held where it touches, put down where it is a hand and does not."""

from dataclasses import replace

import numpy as np

from sim_core.controllers.tracking.heft import Heft
from sim_core.controllers.tracking.heft_gains import Gains
from sim_core.controllers.tracking.resting import Resting
from sim_core.controllers.tracking.stance import Others
from sim_core.controllers.tracking.tracker import Assist
from sim_core.controllers.tracking.whole_body_qp import solve_whole_body
from sim_core.dynamics.dynamics import Dynamics
from sim_core.engines.engine import State, no_contacts
from sim_core.reference.reference import Reference, build_reference
from sim_core.scene import Scene
from sim_core.settings import ReferenceSettings
from tests.clips import person

CLIP, BODY = person(frames=60, fps=30.0)
SCENE = Scene()
STANDING = build_reference(CLIP, BODY, SCENE, ReferenceSettings(), rate=500.0, hold_s=0.0)
HAND, KNEE = BODY.index("hand_l"), BODY.index("shin_l")


def _bearing(*links: int) -> Reference:
    """Someone who stands, and of whom labels say that other links bear too."""
    labels = STANDING.contacts.links.copy()
    labels[:, links] = True
    return replace(STANDING, contacts=STANDING.contacts._replace(links=labels))


def _touching(*links: int) -> Others:
    return Others(np.array(links, dtype=np.int64), np.zeros((len(links), 3)))


def test_what_touches_is_held_only_if_it_is_to_bear():
    resting = Resting(BODY, _bearing(HAND), SCENE)
    assert resting.held(0, _touching(HAND, KNEE)).links.tolist() == [HAND]


def test_hands_that_are_to_bear_and_do_not_touch_are_put_down():
    resting = Resting(BODY, _bearing(HAND, KNEE), SCENE)
    dynamics = Dynamics(BODY, SCENE.gravity).evaluate(STANDING.q[0], np.zeros(BODY.nv))
    assert resting.raised(0, _touching(HAND), dynamics, SCENE.ground).links.tolist() == []
    raised = resting.raised(0, _touching(), dynamics, SCENE.ground)
    assert raised.links.tolist() == [HAND]
    np.testing.assert_allclose(raised.lacking, 0.0, atol=1e-9)  # where the reference has it
    lifted = Dynamics(BODY, SCENE.gravity).evaluate(STANDING.q[0] + 0.1 * np.eye(BODY.nq)[2], np.zeros(BODY.nv))
    np.testing.assert_allclose(resting.raised(0, _touching(), lifted, SCENE.ground).lacking, -0.1, atol=1e-9)


def _hand_acceleration(reference: Reference, lift: float) -> float:
    """Upwards, as the controller plans it, of a left hand that is so many metres higher than it is to rest."""
    state = State(reference.q[0], np.zeros(BODY.nv))
    dynamics = Dynamics(BODY, SCENE.gravity).evaluate(state.q, state.v)
    preset = Heft(BODY, reference, SCENE, Gains())
    preset._resting._heights = preset._resting._heights - lift
    none = Assist(np.zeros((0, BODY.nv)), np.zeros(0))
    solution = solve_whole_body(dynamics, preset.problem(0, state, dynamics, no_contacts(), none))
    assert solution is not None
    task = dynamics.point_jacobian(np.array([HAND]), dynamics.origins[[HAND]])
    return float((task.J[0] @ solution.accelerations + task.drift[0])[2])


def test_the_controller_brings_such_a_hand_down():
    assert _hand_acceleration(_bearing(HAND), 0.05) < _hand_acceleration(_bearing(), 0.05) - 1.0
