"""Yu's balance control: the references that feet carry, the linear system behind its velocities, and that it stands."""

import numpy as np
import pytest

from sim_core.controllers.controller import assist_size
from sim_core.controllers.tracking.tracked_motion import track_motion
from sim_core.controllers.tracking.yu import YuController, YuGains
from sim_core.controllers.tracking.yu_references import (
    AdjustedCom,
    LoadMeter,
    cop_reference,
    locked_inertia,
    support_centre,
    within_support,
)
from sim_core.controllers.tracking.yu_velocities import Goal, Weights, best_velocities, linear_system
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.spatial import ANGULAR, LINEAR
from sim_core.dynamics.state_space import integrate
from sim_core.engines.engine import GROUND, Contacts, State, no_contacts
from sim_core.reference.reference import build_reference
from sim_core.scene import Ground, Scene
from sim_core.settings import ReferenceSettings
from sim_core.simulation.simulate import simulate
from tests.clips import crouching

SCENE = Scene()
STEP_S = 0.002
CLIP, BODY = crouching(frames=30, fps=30.0)
REFERENCE = build_reference(CLIP, BODY, SCENE, ReferenceSettings(), rate=1.0 / STEP_S, hold_s=0.5)
MOTION = track_motion(BODY, REFERENCE, SCENE)
WEIGHT = BODY.mass * SCENE.gravity
HERE = State(REFERENCE.q[0], np.zeros(BODY.nv))


def _dynamics(seed: int | None = None):
    rng = np.random.default_rng(seed)
    off = np.zeros(BODY.nv) if seed is None else rng.normal(0.0, 0.1, BODY.nv)
    v = np.zeros(BODY.nv) if seed is None else rng.normal(0.0, 0.5, BODY.nv)
    return Dynamics(BODY).evaluate(integrate(BODY, HERE.q, off), v)


def _supports(dynamics):
    points = dynamics.points(BODY.soles.links, BODY.soles.local)
    return dynamics.point_jacobian(BODY.soles.links, points).J.reshape(-1, BODY.nv)


def _goal(seed: int) -> Goal:
    rng = np.random.default_rng(seed)
    return Goal(rng.normal(0.0, 20.0, 2), rng.normal(0.0, 5.0, 3), rng.normal(0.0, 1.0, BODY.nv))


def _standing_on(*feet: int) -> Contacts:
    """Half the weight on each of two points under the feet."""
    rows = np.array([np.flatnonzero(BODY.soles.left == (foot == 0))[0] for foot in feet])
    links = BODY.soles.links[rows]
    points = _dynamics().points(links, BODY.soles.local[rows])
    up = np.tile([0.0, 0.0, 1.0], (len(rows), 1))
    share = WEIGHT / len(rows)
    return Contacts(
        links, np.full(len(rows), GROUND), points, up, share * up, np.zeros(len(rows)), np.full(len(rows), GROUND)
    )


# The centre of mass


@pytest.mark.parametrize("load", [[400.0, 200.0], [0.0, 600.0], [0.0, 0.0]])
@pytest.mark.parametrize("step", [0, 100])
def test_feet_on_their_marks_leave_the_reference_as_it_is(load, step):
    aim = AdjustedCom(MOTION, 1.0).aim(step, MOTION.foot_places[step], MOTION.foot_velocities[step], np.array(load))
    np.testing.assert_allclose(aim.place, REFERENCE.com[step], atol=1e-12)
    np.testing.assert_allclose(aim.velocity, REFERENCE.com_velocity[step], atol=1e-12)


def test_the_foot_that_bears_more_carries_the_reference_further():
    beside = np.array([[0.1, 0.0, 0.0], [0.0, -0.2, 0.0]])
    aim = AdjustedCom(MOTION, 1.0).aim(0, MOTION.foot_places[0] + beside, np.zeros((2, 3)), np.array([300.0, 100.0]))
    np.testing.assert_allclose(aim.place - REFERENCE.com[0], [0.075, -0.05, 0.0], atol=1e-12)  # eq. 3.3


def test_in_the_air_the_last_word_of_the_feet_stands():
    adjusted = AdjustedCom(MOTION, 1.0)
    shifted = MOTION.foot_places[0] + [0.1, 0.0, 0.0]
    landed = adjusted.aim(0, shifted, np.zeros((2, 3)), np.array([300.0, 300.0]))
    flying = adjusted.aim(0, shifted + 5.0, np.ones((2, 3)), np.zeros(2))
    np.testing.assert_allclose(flying.place, landed.place)


def test_the_support_centre_is_the_middle_of_what_bears_and_at_rest():
    aim = support_centre(np.zeros(3), np.array([[0.0, 0.0, 0.0], [0.2, 0.4, 0.0]]))
    np.testing.assert_allclose(aim.place, [0.1, 0.2, 0.0])
    np.testing.assert_array_equal(aim.velocity, 0.0)


# The centre of pressure


def _cop(dynamics, acceleration):
    return cop_reference(
        dynamics, np.array(acceleration), to_left=np.array([1.0, 0.0, 0.2]), ankle=dynamics.root * 0.0, weight=WEIGHT
    )


def test_without_acceleration_the_pressure_lies_under_the_centre_of_mass():
    dynamics = _dynamics(0)
    np.testing.assert_allclose(_cop(dynamics, [0.0, 0.0, 0.0])[:2], dynamics.com[:2], atol=1e-12)


@pytest.mark.parametrize("axis", [0, 1])
def test_who_accelerates_presses_behind(axis):
    """A point mass would press h / g behind for 1 m/s^2; a body that has inertia presses further back."""
    dynamics = _dynamics()
    acceleration = np.eye(3)[axis]
    behind = (dynamics.com - _cop(dynamics, acceleration))[:2]
    assert behind[axis] > dynamics.com[2] / SCENE.gravity
    assert behind[1 - axis] == pytest.approx(0.0, abs=1e-12)


def test_the_locked_inertia_is_what_turning_the_whole_body_shows():
    dynamics = _dynamics(1)
    spin = np.zeros(BODY.nv)
    spin[3:6] = [0.3, -0.5, 0.7]
    momentum = (dynamics.momentum_matrix @ spin)[ANGULAR]
    np.testing.assert_allclose(locked_inertia(dynamics) @ dynamics.R_world_link[0] @ spin[3:6], momentum, atol=1e-9)


@pytest.mark.parametrize(
    ("place", "nearest"),
    [([0.1, 0.05, 0.9], [0.1, 0.05, 0.0]), ([0.5, 0.05, 0.9], [0.2, 0.05, 0.0]), ([-1.0, -1.0, 0.0], [0.0, 0.0, 0.0])],
)
def test_the_pressure_stays_within_the_support(place, nearest):
    support = np.array([[0.0, 0.0, 0.0], [0.2, 0.0, 0.0], [0.2, 0.1, 0.0], [0.0, 0.1, 0.0]])
    np.testing.assert_allclose(within_support(np.array(place), support, Ground()), nearest, atol=1e-4)


def test_the_load_is_told_by_foot_and_the_pressure_by_place():
    meter = LoadMeter(BODY, SCENE.ground, 8)
    contacts = _standing_on(0, 1)
    meter.add(contacts)
    load = meter.read()
    np.testing.assert_allclose(load.feet, 0.5 * WEIGHT)
    np.testing.assert_allclose(load.cop, contacts.positions.mean(axis=0))


def test_no_load_has_no_centre():
    meter = LoadMeter(BODY, SCENE.ground, 8)
    meter.add(no_contacts())
    assert meter.read().cop is None


# The linear system


@pytest.mark.parametrize("seed", range(3))
def test_the_velocities_solve_the_normal_equations_with_feet_at_rest(seed):
    """What is left of A x = B pushes on the supports alone: eq. 3.12 is solved, and no other x is as good."""
    dynamics = _dynamics(seed)
    system = linear_system(dynamics, _goal(seed), Weights(0.1, 0.1, np.full(BODY.nv, 1.0)))
    supports = _supports(dynamics)
    velocities = best_velocities(system, supports)
    np.testing.assert_allclose(supports @ velocities, 0.0, atol=1e-5)
    left = system.A @ velocities - system.B
    reaction = np.linalg.lstsq(supports.T, left, rcond=None)[0]
    np.testing.assert_allclose(supports.T @ reaction, left, atol=1e-5 * np.abs(system.B).max())


def test_in_the_air_the_normal_equations_hold_as_they_are():
    dynamics = _dynamics(4)
    system = linear_system(dynamics, _goal(4), Weights(0.1, 0.1, np.full(BODY.nv, 1.0)))
    velocities = best_velocities(system, np.zeros((0, BODY.nv)))
    np.testing.assert_allclose(system.A @ velocities, system.B, atol=1e-9 * np.abs(system.B).max())


@pytest.mark.parametrize("standing", [True, False])
def test_with_little_tracking_the_momentum_is_the_wanted_one(standing):
    dynamics, goal = _dynamics(), _goal(5)
    system = linear_system(dynamics, goal, Weights(1.0, 1.0, np.full(BODY.nv, 1e-6)))
    supports = _supports(dynamics) if standing else np.zeros((0, BODY.nv))
    momentum = dynamics.momentum_matrix @ best_velocities(system, supports)
    np.testing.assert_allclose(momentum[LINEAR][:2], goal.linear, atol=1e-2)
    np.testing.assert_allclose(momentum[ANGULAR], goal.angular, atol=1e-2)


def test_with_much_tracking_the_velocities_are_the_tracked_ones():
    goal = _goal(6)
    system = linear_system(_dynamics(), goal, Weights(1.0, 1.0, np.full(BODY.nv, 1e9)))
    np.testing.assert_allclose(best_velocities(system, np.zeros((0, BODY.nv))), goal.velocities, atol=1e-4)


# The controller


def _controller(limit: float = 0.0, gains: YuGains | None = None) -> YuController:
    return YuController(BODY, REFERENCE, SCENE, gains or YuGains(), limit)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("limit", [0.0, 30.0, 300.0])
def test_no_limit_is_ever_exceeded(seed, limit):
    rng = np.random.default_rng(seed)
    wild = State(integrate(BODY, HERE.q, rng.normal(0.0, 1.0, BODY.nv)), rng.normal(0.0, 10.0, BODY.nv))
    torques, assist, *_ = _controller(limit).compute(0, wild, _standing_on(0, 1))
    assert np.all(np.abs(torques) <= BODY.torque_limit)
    np.testing.assert_array_equal(torques[:6], 0.0)
    if limit == 0.0:
        assert assist is None
    else:
        assert assist_size(assist.force, assist.torque) <= limit * (1 + 1e-12)


def test_a_reset_forgets_everything():
    controller = _controller()
    first = controller.compute(0, HERE, no_contacts()).torques
    for step in range(20):
        controller.compute(step, HERE, _standing_on(0))
    controller.reset()
    np.testing.assert_array_equal(controller.compute(0, HERE, no_contacts()).torques, first)


def test_beyond_the_last_row_the_last_pose_is_held():
    assert np.isfinite(_controller().compute(len(REFERENCE) + 100, HERE, _standing_on(0, 1)).torques).all()


@pytest.mark.parametrize("com", ["adjusted", "raw", "support-centre"])
def test_it_stands_without_help_on_every_engine(engine, com):
    engine.load(BODY, SCENE, STEP_S)
    controller = _controller(gains=YuGains(com=com))
    found = simulate(BODY, REFERENCE, controller, engine, SCENE, (), lambda fraction: None, stop_at_failure=False)
    assert found.completed
    assert np.linalg.norm(found.q[:, :3] - REFERENCE.q[:, :3], axis=1).max() < 0.1
