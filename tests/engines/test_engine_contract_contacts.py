"""What every engine must do where bodies touch the ground and each other."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.body import Body, Box
from sim_core.dynamics import kinematics
from sim_core.dynamics.dynamics import Dynamics
from sim_core.engines.engine import GROUND, Engine, State, Wrench
from sim_core.scene import Ground, Scene
from tests.engines.single_bodies import box_body, clapper_body, ridden_box_body, sphere_body
from tests.engines.situations import (
    NOTHING,
    STEP_S,
    at_height,
    damping_torques,
    high_up,
    lowest_distance,
    still,
)
from tests.makers import figure_body


@pytest.mark.parametrize("tilt", [0.0, 0.3])
@pytest.mark.parametrize("make_body", [box_body, sphere_body])
def test_a_dropped_body_comes_to_rest_without_sinking(engine: Engine, make_body, tilt: float) -> None:
    """From 0.1 m, at 1.4 m/s: soft as flesh, which gives way by millimetres, and at rest by a tenth of one."""
    body, scene = make_body(), Scene()
    engine.load(body, scene, STEP_S)
    start = at_height(body, 0.0)
    start.q[3:7] = rotations.exp(np.array([tilt, 0.5 * tilt, 0.1]))
    start.q[2] = 0.1 - lowest_distance(body, start.q, scene.ground)
    state = engine.reset(start)
    depths = []
    for _ in range(750):
        state = engine.step(still(body))
        depths.append(lowest_distance(body, state.q, scene.ground))
    assert -0.006 < min(depths) < -0.001
    assert abs(depths[-1]) < 2e-4
    assert np.abs(state.v).max() < 1e-3


def test_a_collapsing_figure_comes_to_rest_on_the_ground_carrying_its_weight(engine: Engine) -> None:
    body, scene = figure_body(), Scene()
    dynamics = Dynamics(body)
    engine.load(body, scene, STEP_S)
    state = engine.reset(at_height(body, 0.95))
    forces = []
    for step in range(2000):
        state = engine.step(damping_torques(dynamics, state))
        if step >= 1900:
            contacts = engine.contacts()
            forces.append(contacts.forces[contacts.others == GROUND].sum(axis=0))
    assert lowest_distance(body, state.q, scene.ground) > -0.005
    assert np.linalg.norm(dynamics.evaluate(state.q, state.v).com_velocity) < 0.02
    weight = body.mass * scene.gravity
    np.testing.assert_allclose(np.mean(forces, axis=0), [0.0, 0.0, weight], atol=0.01 * weight)


@pytest.mark.parametrize("make_body", [box_body, sphere_body])
def test_contact_forces_at_rest_sum_to_the_weight(engine: Engine, make_body) -> None:
    body, scene = make_body(), Scene()
    engine.load(body, scene, STEP_S)
    state = at_height(body, -lowest_distance(body, body.zero_q, scene.ground))
    engine.reset(state)
    for _ in range(250):
        engine.step(still(body))
    contacts = engine.contacts()
    weight = body.mass * scene.gravity
    np.testing.assert_allclose(contacts.forces.sum(axis=0), [0.0, 0.0, weight], atol=0.01 * weight)
    np.testing.assert_allclose(contacts.normals, np.tile([0.0, 0.0, 1.0], (len(contacts.links), 1)), atol=1e-9)
    assert set(contacts.others) == {GROUND}
    np.testing.assert_allclose(contacts.positions[:, 2], 0.0, atol=1e-3)


def slide_down(engine: Engine, body: Body, friction: float, steepness: float, heading: float) -> tuple[float, float]:
    """How far a box slides in a second where the slope's tangent is steepness * friction, and the coefficient
    of friction that this distance means."""
    angle = np.arctan(steepness * friction)
    turn = rotations.from_euler(np.array([heading, angle]), (2, 0))
    normal = rotations.rotate(turn, np.array([0.0, 0.0, 1.0]))
    scene = Scene(ground=Ground(point=np.array([1.0, 2.0, 3.0]), normal=normal), friction=friction)
    engine.load(body, scene, STEP_S)
    start = at_height(body, 0.0)
    start.q[:3], start.q[3:7] = scene.ground.point + 0.05 * normal, turn
    state = engine.reset(start)
    weight = body.mass * scene.gravity * np.array([0.0, 0.0, -1.0])
    pull = weight - (weight @ normal) * normal
    for _ in range(50):  # held until the ground bears it: a soft one that bears nothing yet has no friction either
        state = engine.step(still(body), [Wrench(0, -pull, NOTHING, state.q[:3])])
    rested = state
    for _ in range(500):
        state = engine.step(still(body))
    slid = float(np.linalg.norm(state.q[:3] - rested.q[:3]))
    return slid, float(np.tan(angle) - 2.0 * slid / (scene.gravity * np.cos(angle)))


@pytest.mark.parametrize("make_body", [box_body, ridden_box_body])
@pytest.mark.parametrize("heading", [0.0, 0.7, 2.5])
@pytest.mark.parametrize("friction", [0.2, 0.8, 1.2])
def test_friction_holds_on_a_slope_below_its_cone_and_slides_above(
    engine: Engine, make_body, friction: float, heading: float
) -> None:
    """Of the first link and of others. MuJoCo follows Coulomb's law within 1 %; what slides between Bullet's two
    directions of friction is braked by up to 14 % less."""
    body = make_body()
    held, _ = slide_down(engine, body, friction, 0.85, heading)
    assert held < 2e-4
    weight = body.mass * Scene().gravity
    np.testing.assert_allclose(engine.contacts().forces.sum(axis=0), [0.0, 0.0, weight], atol=0.01 * weight)
    slid, coefficient = slide_down(engine, body, friction, 1.1, heading)
    assert slid > 0.05
    assert coefficient == pytest.approx(friction, rel=0.15)


def test_friction_holds_against_a_sideways_push_below_its_cone_and_slides_above(engine: Engine) -> None:
    body, scene = box_body(), Scene(friction=0.5)
    for share, moves in ((0.95, False), (1.1, True)):
        engine.load(body, scene, STEP_S)
        start = at_height(body, 0.05)
        state = engine.reset(start)
        force = np.array([0.6, 0.8, 0.0]) * share * scene.friction * body.mass * scene.gravity
        for _ in range(250):
            foot = state.q[:3] - np.array([0.0, 0.0, 0.05])  # pushed at its foot, so that it does not tip
            state = engine.step(still(body), [Wrench(0, force, NOTHING, foot)])
        moved = float(np.linalg.norm(state.q[:2] - start.q[:2]))
        if moves:
            ideal = 0.5 * (share - 1.0) * scene.friction * scene.gravity * 0.5**2
            assert moved == pytest.approx(ideal, rel=0.2)
        else:
            assert moved < 1e-4


@pytest.mark.parametrize("friction", [0.4, 0.8])
@pytest.mark.parametrize("make_body", [sphere_body, box_body])
def test_what_spins_on_the_ground_stops_by_the_friction_of_its_patches(
    engine: Engine, make_body, friction: float
) -> None:
    """A sphere on one point is braked by that patch alone; a box, by four corners that slide besides."""
    body, scene = make_body(), Scene(friction=friction, patch_m=0.03)
    link = body.links[0]
    corner = float(np.linalg.norm(link.shape.half_extents[:2])) if isinstance(link.shape, Box) else 0.0
    brake = friction * scene.gravity * link.mass / link.inertia[2, 2] * np.hypot(corner, scene.patch_m)
    engine.load(body, scene, STEP_S)
    state = engine.reset(at_height(body, -lowest_distance(body, body.zero_q, scene.ground)))
    for _ in range(100):
        state = engine.step(still(body))
    spin = np.array([0.0, 0.0, 6.0])
    drift = -np.cross(spin, rotations.rotate(state.q[3:7], link.com))  # of the link's origin about its centre of mass
    engine.reset(State(state.q, np.concatenate([drift, spin])))
    steps = round(0.9 * spin[2] / brake / STEP_S)
    rates = [engine.step(still(body)).v[5] for _ in range(2 * steps)]
    assert (spin[2] - rates[steps - 1]) / (steps * STEP_S) == pytest.approx(brake, rel=0.12)
    assert abs(rates[-1]) < 1e-3


def test_links_that_touch_push_each_other_equally_and_oppositely(engine: Engine) -> None:
    body = clapper_body()
    engine.load(body, Scene(gravity=0.0), STEP_S)
    start = at_height(body, 50.0)
    start.q[body.q_slice["two"]] = rotations.exp(np.array([0.0, 0.0, 0.8]))
    engine.reset(start)
    closing = still(body)
    closing[body.v_slice["two"]] = [0.0, 0.0, -6.0]
    for _ in range(500):
        state = engine.step(closing)
    contacts = engine.contacts()
    assert contacts.links.tolist() == [0, 1] or contacts.links.tolist() == [1, 0]
    assert contacts.others.tolist() == contacts.links.tolist()[::-1]
    np.testing.assert_array_equal(contacts.forces[0], -contacts.forces[1])
    np.testing.assert_array_equal(contacts.normals[0], -contacts.normals[1])
    assert np.all(np.sum(contacts.forces * contacts.normals, axis=1) > 0.0)
    row_of_two = contacts.links.tolist().index(1)
    pose = kinematics.pose(body, state.q)
    apart = pose.link_coms[1] - pose.link_coms[0]
    assert contacts.normals[row_of_two] @ apart / np.linalg.norm(apart) == pytest.approx(1.0, abs=1e-6)
    assert np.linalg.norm(apart) > 0.2 - 0.005
    # At rest against each other the contact's torque about the joint balances the drive.
    torque = np.cross(contacts.positions[row_of_two] - pose.origins[1], contacts.forces[row_of_two])
    np.testing.assert_allclose(torque, [0.0, 0.0, 6.0], atol=0.06)
    assert np.abs(Dynamics(body, gravity=0.0).evaluate(state.q, state.v).momentum).max() < 1e-3


def test_neighbours_at_a_joint_do_not_touch(engine: Engine) -> None:
    body = figure_body()
    engine.load(body, Scene(gravity=0.0), STEP_S)
    start = at_height(body, 50.0)
    for side, sign in (("_l", 1.0), ("_r", -1.0)):  # arms a little out: hanging straight, hands meet thighs
        start.q[body.q_slice["upper_arm" + side]] = rotations.exp(np.array([0.0, sign * 0.5, 0.0]))
    engine.reset(start)
    state = engine.step(still(body))
    assert len(engine.contacts().links) == 0
    np.testing.assert_allclose(state.v, 0.0, atol=1e-12)


def test_only_the_allowed_pairs_touch(engine: Engine) -> None:
    body = figure_body()
    allowed = {frozenset(pair) for pair in body.collision_pairs}
    engine.load(body, Scene(gravity=0.0), STEP_S)
    touched = set()
    for seed in range(10):
        engine.reset(high_up(body, seed))
        engine.step(still(body))
        contacts = engine.contacts()
        touched |= {frozenset(pair) for pair in zip(contacts.links, contacts.others, strict=True)}
    assert touched
    assert touched <= allowed


def test_a_reset_body_has_no_contacts_yet(engine: Engine) -> None:
    body = box_body()
    engine.load(body, Scene(), STEP_S)
    engine.reset(at_height(body, 0.049))
    assert len(engine.contacts().links) == 0
    engine.step(still(body))
    assert len(engine.contacts().links) > 0
    engine.reset(at_height(body, 0.049))
    assert len(engine.contacts().links) == 0
