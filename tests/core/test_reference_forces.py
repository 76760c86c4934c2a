"""The forces behind a reference: statics where it stands, and Newton's law with all of them together."""

import numpy as np
import pytest

from sim_core.dynamics.dynamics import Dynamics
from sim_core.errors import Cancelled
from sim_core.reference.reference import build_reference
from sim_core.reference.reference_forces import reference_forces
from sim_core.scene import Scene
from sim_core.settings import ReferenceSettings
from tests.clips import Person, crouching, moved

RATE = 500.0
SCENE = Scene()


def _forces(someone: Person):
    reference = build_reference(someone.clip, someone.body, SCENE, ReferenceSettings(), rate=RATE, hold_s=0.0)
    return reference, reference_forces(someone.body, reference, SCENE, lambda fraction: None)


@pytest.fixture(scope="module")
def standing():
    someone = crouching(frames=20, fps=30.0)
    return someone, *_forces(someone)


def test_the_ground_carries_someone_who_stands(standing):
    someone, reference, forces = standing
    weight = someone.body.mass * SCENE.gravity
    assert len(forces.torques) == len(forces.force_left) == len(reference)
    assert np.linalg.norm(forces.force_left, axis=1).max() < 0.03 * weight
    assert np.linalg.norm(forces.torque_left, axis=1).max() < 0.03 * weight


def test_standing_still_is_held_by_bearable_torques(standing):
    someone, _, forces = standing
    body = someone.body
    np.testing.assert_array_equal(forces.torques[:, :6], 0.0)
    assert np.all(np.abs(forces.torques) <= body.torque_limit + 1e-9)
    knees = np.linalg.norm(forces.torques[:, body.v_slice["shin_l"]], axis=1)
    assert np.all(knees > 1.0)  # bent knees need to be held


def test_arms_that_nothing_touches_are_held_by_plain_statics(standing):
    """Out at the arms no contact acts, so that torques are those of inverse dynamics alone."""
    someone, reference, forces = standing
    body = someone.body
    state = Dynamics(body, SCENE.gravity).evaluate(reference.q[100], reference.v[100])
    for name in ("forearm_l", "hand_r", "head"):
        part = body.v_slice[name]
        np.testing.assert_allclose(forces.torques[100, part], state.bias[part], atol=0.1)


def test_someone_in_the_air_is_held_by_nobody():
    clip, body = crouching(frames=20, fps=30.0)
    _, forces = _forces(Person(moved(clip, [0.0, 0.0, 0.5]), body))
    weight = body.mass * SCENE.gravity
    np.testing.assert_allclose(forces.force_left, np.tile([0.0, 0.0, weight], (len(forces.force_left), 1)), atol=1.0)


def test_a_cancel_comes_through(standing):
    someone, reference, _ = standing

    def stop(fraction: float) -> None:
        raise Cancelled("stop")

    with pytest.raises(Cancelled):
        reference_forces(someone.body, reference, SCENE, stop)
