"""Which feet bear: by clip and touch, or by zones (figure 5); trust that grows; no brake before a step (figure 6)."""

import numpy as np
import pytest

from sim_core.controllers.tracking.row import Row, row_at
from sim_core.controllers.tracking.stance import Soles, soles_of
from sim_core.controllers.tracking.tracked_motion import track_motion
from sim_core.controllers.virtual_actuator.supervisor import Supervisor, loads
from sim_core.controllers.virtual_actuator.supports import Supports
from sim_core.controllers.virtual_actuator.va_gains import VaGains
from sim_core.controllers.virtual_actuator.virtual_wrench import towards_step
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.state_space import integrate
from sim_core.engines.engine import GROUND, Contacts, no_contacts
from sim_core.reference.reference import build_reference
from sim_core.scene import Scene
from sim_core.settings import ReferenceSettings
from tests.clips import crouching

SCENE, GAINS = Scene(), VaGains()
CLIP, BODY = crouching(frames=10, fps=30.0)
REFERENCE = build_reference(CLIP, BODY, SCENE, ReferenceSettings(), rate=500.0, hold_s=0.1)
MOTION = track_motion(BODY, REFERENCE, SCENE)
UP = SCENE.ground.normal
TICK_S = 0.01
FEET = [BODY.index("foot_l"), BODY.index("foot_r")]
NOTHING_ELSE = np.zeros(len(BODY), dtype=bool)
BOTH, LEFT, RIGHT, NONE = (np.array(which) for which in ([True, True], [True, False], [False, True], [False, False]))


def _row(down: np.ndarray = BOTH) -> Row:
    return row_at(MOTION, 0)._replace(down=down)


def _touching(*newtons: float, links: tuple[int, ...] = tuple(FEET)) -> Contacts:
    """Links that the ground bears with so much."""
    count = len(links)
    return Contacts(
        np.array(links),
        np.full(count, GROUND),
        np.tile([0.3, 0.2, 0.0], (count, 1)),
        np.tile(UP, (count, 1)),
        np.outer(newtons, UP),
        np.zeros(count),
        np.full(count, GROUND),
    )


def _supervisor(*, has_reference: bool = True) -> Supervisor:
    return Supervisor(BODY, TICK_S, has_reference=has_reference)


def _dynamics(shift: np.ndarray | None = None):
    move = np.zeros(BODY.nv)
    move[:3] = 0.0 if shift is None else shift
    return Dynamics(BODY).evaluate(integrate(BODY, REFERENCE.q[0], move), np.zeros(BODY.nv))


def _soles(down: np.ndarray) -> Soles:
    return soles_of(BODY, _dynamics(), SCENE.ground, _row(down), GAINS.near_m)


def _ask(
    supervisor: Supervisor,
    down: np.ndarray = BOTH,
    shift: np.ndarray | None = None,
    contacts: Contacts | None = None,
    labels: np.ndarray = NOTHING_ELSE,
    load_shares: tuple[float, float] = (0.5, 0.5),
) -> Supports:
    """Soles stay where they are; the rest of the body is shifted."""
    touching = no_contacts() if contacts is None else contacts
    return supervisor.supports(np.array(load_shares), labels, _soles(down), _dynamics(shift), touching, GAINS)


@pytest.mark.parametrize(
    ("meant", "touching", "stands"),
    [
        (BOTH, (300.0, 300.0), BOTH),
        (LEFT, (300.0, 300.0), LEFT),
        (BOTH, (600.0, 0.0), LEFT),
        (RIGHT, (300.0, 300.0), RIGHT),
        (RIGHT, (600.0, 0.0), LEFT),  # whoever lands early bears, or nothing would
        (NONE, (0.0, 0.0), NONE),
    ],
)
def test_with_a_clip_a_foot_stands_that_is_meant_to_and_touches(meant, touching, stands):
    supervisor = _supervisor()
    for _ in range(12):  # touch is smoothed
        found = supervisor.feet_down(_row(meant), _touching(*touching), UP)
    np.testing.assert_array_equal(found, stands)


def test_before_anything_touched_the_clip_is_believed():
    np.testing.assert_array_equal(_supervisor().feet_down(_row(LEFT), no_contacts(), UP), LEFT)


def test_without_a_clip_a_foot_stands_that_touches():
    supervisor = _supervisor(has_reference=False)
    for _ in range(12):
        found = supervisor.feet_down(_row(BOTH), _touching(0.0, 600.0), UP)
    np.testing.assert_array_equal(found, RIGHT)


def test_loads_are_what_the_ground_bears_of_all_parts_of_each_foot():
    toes = BODY.index("toes_l") if "toes_l" in BODY.names else FEET[0]
    contacts = _touching(100.0, 40.0, 30.0, 500.0, links=(*FEET, toes, BODY.index("hand_l")))
    np.testing.assert_allclose(loads(contacts, BODY, UP), [130.0, 40.0])


def test_zones():
    """Figure 5, right: the foot under the centre of mass, both where it is over both or neither."""
    centres = np.array([_soles(BOTH).points[mine].mean(axis=0) for mine in (BODY.soles.left, ~BODY.soles.left)])
    com = _dynamics().com
    apart = np.linalg.norm(centres[0] - centres[1])
    outward = (centres[0] - centres[1]) / apart
    at = {
        "left": centres[0] + max(0.0, GAINS.zone_m - 0.9 * apart) * outward,
        "right": centres[1] - max(0.0, GAINS.zone_m - 0.9 * apart) * outward,
        "far away": centres[0] + 0.5 * outward,
        "behind": centres.mean(axis=0) + np.array([0.0, 0.5, 0.0]),
    }
    expected = {"left": LEFT, "right": RIGHT, "far away": BOTH, "behind": BOTH}
    for where, place in at.items():
        shift = (place - com) * np.array([1.0, 1.0, 0.0])
        found = _ask(_supervisor(has_reference=False), shift=shift)
        np.testing.assert_array_equal(found.trust[:2] > 0.0, expected[where], where)
        with_clip = _ask(_supervisor(), shift=shift)
        np.testing.assert_array_equal(with_clip.trust[:2] > 0.0, BOTH, where)  # zones are no matter to a clip


def test_supports_bear_in_the_midst_of_their_soles():
    soles, found = _soles(BOTH), _ask(_supervisor())
    for point, mine in zip(found.points, (BODY.soles.left, ~BODY.soles.left), strict=True):
        inside = (point >= soles.points[mine].min(axis=0) - 1e-9) & (point <= soles.points[mine].max(axis=0) + 1e-9)
        assert inside.all()
    np.testing.assert_array_equal(found.links, FEET)


def test_trust_grows_without_a_jump_and_ends_at_all():
    supervisor = _supervisor()
    assert _ask(supervisor, LEFT).trust.tolist() == [1.0, 0.0]  # who begins on a foot has stood on it before
    trust = [0.0] + [float(_ask(supervisor, BOTH).trust[1]) for _ in range(20)]
    steps = np.diff(trust)
    assert np.all(steps >= 0.0)
    assert steps.max() < 1.01 * TICK_S / GAINS.ramp_s
    assert trust[-1] == 1.0
    assert supervisor.memory.trust[FEET].tolist() == [1.0, 1.0]


def test_a_foot_that_leaves_and_comes_back_has_to_be_trusted_anew():
    supervisor = _supervisor()
    _ask(supervisor, BOTH)
    assert _ask(supervisor, LEFT).shares[1] == 0.0  # what is in the air bears nothing
    after_a_moment = _ask(supervisor, BOTH).trust[1]
    for _ in range(20):
        _ask(supervisor, LEFT)
    assert 0.0 < _ask(supervisor, BOTH).trust[1] < after_a_moment < 1.0


def test_a_foot_that_is_about_to_leave_bears_less():
    shares = [_ask(_supervisor(), load_shares=(1.0 - share, share)).shares[1] for share in (0.5, 0.25, 0.1, 0.0)]
    assert 1.0 == shares[0] > shares[1] > shares[2] > shares[3] > 0.0


def test_a_hand_bears_where_the_clip_has_it_bear():
    hand = BODY.index("hand_l")
    labels = NOTHING_ELSE.copy()
    labels[hand] = True
    contacts = _touching(100.0, links=(hand,))
    found = _ask(_supervisor(), contacts=contacts, labels=labels)
    assert found.links.tolist() == [*FEET, hand]
    np.testing.assert_allclose(found.points[2], contacts.positions[0])
    assert found.levers[2] == 0.0  # it is a point
    assert _ask(_supervisor(), contacts=contacts).links.tolist() == FEET  # it only happens to touch
    assert _ask(_supervisor(has_reference=False), contacts=contacts).links.tolist() == [*FEET, hand]


STANCE, OTHER = np.zeros(3), np.array([0.4, 0.0, 0.1])
BETWEEN, PAST, BEHIND = np.array([0.2, 0.1, 1.0]), np.array([0.5, 0.0, 1.0]), np.array([-0.1, 0.0, 1.0])


@pytest.mark.parametrize("seed", range(5))
def test_nothing_holds_back_from_the_coming_step(seed):
    force = np.random.default_rng(seed).normal(0.0, 50.0, 3)
    force[0] = -abs(force[0])
    freed = towards_step(force, STANCE, OTHER, BETWEEN, UP)
    np.testing.assert_allclose(freed, [0.0, *force[1:]], atol=1e-9)  # only the part against the step is gone
    for com in (PAST, BEHIND):
        np.testing.assert_array_equal(towards_step(force, STANCE, OTHER, com, UP), force)
    onward = force * np.array([-1.0, 1.0, 1.0])
    np.testing.assert_allclose(towards_step(onward, STANCE, OTHER, BETWEEN, UP), onward)
    np.testing.assert_array_equal(towards_step(force, STANCE, STANCE + UP, BETWEEN, UP), force)  # no step in sight
