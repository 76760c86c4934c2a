"""When a performance counts as kept."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core import rotations
from sim_core.dynamics.kinematics import pose
from sim_core.engines.engine import GROUND, Contacts, State, no_contacts
from sim_core.reference.reference import Reference, build_reference
from sim_core.scene import Scene
from sim_core.settings import ReferenceSettings
from sim_core.simulation.gates import FARTHEST_M, FARTHEST_RAD, end_failure, path_failure
from tests.clips import crouching

SOMEONE = crouching(frames=10, fps=30.0)
REFERENCE = build_reference(SOMEONE.clip, SOMEONE.body, Scene(), ReferenceSettings(), rate=500.0, hold_s=0.1)
HERE = REFERENCE.q[-1]

AT_HOME = np.zeros(3)


def _shifted(shift: list[float]) -> np.ndarray:
    q = HERE.copy()
    q[:3] += shift
    return q


def _tilted(angle: float) -> np.ndarray:
    q = HERE.copy()
    q[3:7] = rotations.multiply(rotations.about_axis(0, np.array(angle)), q[3:7])
    return q


@pytest.mark.parametrize("direction", np.eye(3))
def test_the_path_is_left_at_its_farthest(direction):
    assert path_failure(_shifted(0.99 * FARTHEST_M * direction), HERE, AT_HOME) is None
    assert path_failure(_shifted(1.01 * FARTHEST_M * direction), HERE, AT_HOME) == "left the path"


def test_what_a_step_of_recovery_displaced_is_no_failure_and_gliding_off_is_one():
    gone = np.array([0.6, 0.0, 0.0])
    assert path_failure(_shifted(gone), HERE, gone) is None
    assert path_failure(_shifted(gone), HERE, 0.4 * gone) == "left the path"


def test_the_body_tips_over_at_its_farthest():
    assert path_failure(_tilted(0.99 * FARTHEST_RAD), HERE, AT_HOME) is None
    assert path_failure(_tilted(1.01 * FARTHEST_RAD), HERE, AT_HOME) == "tipped over"
    assert path_failure(np.concatenate([HERE[:3], -HERE[3:]]), HERE, AT_HOME) is None  # the same rotation


def test_a_pose_that_is_no_number_is_never_kept():
    assert path_failure(np.full_like(HERE, np.nan), HERE, AT_HOME) is not None


def _feet_on_ground(q: np.ndarray) -> Contacts:
    body = SOMEONE.body
    points = pose(body, q).points(body.soles.links, body.soles.local)
    count = len(points)
    up = np.tile([0.0, 0.0, 1.0], (count, 1))
    return Contacts(
        body.soles.links, np.full(count, GROUND), points, up, 50.0 * up, np.zeros(count), np.full(count, GROUND)
    )


def _end(q: np.ndarray, velocity: list[float] | None = None, contacts: Contacts | None = None):
    v = np.zeros(SOMEONE.body.nv)
    v[:3] = velocity or [0.0, 0.0, 0.0]
    return end_failure(
        SOMEONE.body, REFERENCE, State(q, v), _feet_on_ground(q) if contacts is None else contacts, AT_HOME
    )


def test_standing_at_rest_is_an_end():
    assert _end(HERE) is None


@pytest.mark.parametrize(
    ("q", "velocity"),
    [
        (_shifted([0.0, 0.0, -0.2]), None),  # sank down
        (_tilted(0.7), None),  # leans
        (HERE, [0.0, -2.0, 0.0]),  # runs out of its feet
    ],
)
def test_whoever_would_go_on_falling_is_not_at_rest(q, velocity):
    assert _end(q, velocity) == "was still falling at its end"


def test_whoever_hangs_in_the_air_is_not_at_rest():
    assert _end(HERE, contacts=no_contacts()) == "was still falling at its end"


def test_a_slow_sway_over_the_feet_is_rest_enough():
    assert _end(HERE, [0.1, -0.1, 0.0]) is None


@pytest.mark.parametrize("angle", [1.2, 1.6, 2.0])
def test_a_standing_clip_that_ends_level_in_the_air_is_not_lying_down(angle):
    """A tilted body raises its lowest joint; whether the clip lies is told by the reference alone."""
    assert _end(_tilted(angle), contacts=no_contacts()) == "was still falling at its end"


def _lying() -> tuple[np.ndarray, Reference]:
    q = REFERENCE.q.copy()
    q[:, 3:7] = rotations.multiply(rotations.about_axis(0, np.array(-0.5 * np.pi)), q[:, 3:7])
    q[:, 2] = 0.12
    return q[-1], replace(REFERENCE, q=q)


def test_a_clip_that_ends_lying_ends_at_rest_as_it_does():
    q, reference = _lying()
    still, sliding, turning = np.zeros((3, SOMEONE.body.nv))
    sliding[0] = 0.45
    turning[3] = 3.0
    floor = _feet_on_ground(q)
    assert end_failure(SOMEONE.body, reference, State(q, still), floor, AT_HOME) is None
    for v in (sliding, turning):
        assert end_failure(SOMEONE.body, reference, State(q, v), floor, AT_HOME) is not None
    assert end_failure(SOMEONE.body, reference, State(q, still), no_contacts(), AT_HOME) is not None
    turned = q.copy()
    turned[3:7] = rotations.multiply(rotations.about_axis(2, np.array(np.pi)), q[3:7])
    assert end_failure(SOMEONE.body, reference, State(turned, still), floor, AT_HOME) is not None
