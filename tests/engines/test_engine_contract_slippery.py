"""What every engine must make of links that slide on purpose: little friction, for as long as it is asked for."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.body import Body
from sim_core.dynamics.dynamics import Dynamics
from sim_core.engines.engine import SLIPPERY, Engine, State, Wrench
from sim_core.scene import Scene
from sim_core.world.solids import Cuboid
from sim_core.world.thing import Thing
from tests.engines.single_bodies import box_body, clapper_body, ridden_box_body
from tests.engines.situations import NOTHING, STEP_S, at_height, damping_torques, lowest_distance, still
from tests.engines.test_engine_contract_saving import Tumble, assert_same_bits
from tests.makers import figure_body

FRICTION = 0.8
SIDEWAYS = np.array([0.6, 0.8, 0.0])
PLATE = Thing(name="plate", solids=(Cuboid(half_extents=np.array([2.0, 2.0, 0.1])),), position=np.array([0, 0, 0.2]))
BOXES = [(box_body, 0), (ridden_box_body, 1)]  # the link that is the box


def push(
    engine: Engine, body: Body, state: State, *, box: int, force: float, steps: int, slippery: tuple[int, ...] = ()
) -> State:
    """Sideways at the foot of a box, with a share of its weight."""
    wrench = force * body.mass * Scene().gravity * SIDEWAYS
    for _ in range(steps):
        foot = state.q[:3] - np.array([0.0, 0.0, 0.05])
        state = engine.step(still(body), [Wrench(box, wrench, NOTHING, foot)], slippery)
    return state


def rubbing(engine: Engine) -> float:
    """The coefficient that the forces of the last step show."""
    force = engine.contacts().forces.sum(axis=0)
    return float(np.linalg.norm(force[:2]) / force[2])


@pytest.mark.parametrize(("make_body", "box"), BOXES)
def test_a_slippery_box_slides_with_a_tenth_of_the_friction_and_holds_otherwise(
    engine: Engine, make_body, box: int
) -> None:
    body = make_body()
    engine.load(body, Scene(friction=FRICTION), STEP_S)
    state = held = push(engine, body, engine.reset(at_height(body, 0.05)), box=box, force=0.4, steps=100)
    assert np.linalg.norm(held.q[:2]) < 2e-4
    state = push(engine, body, held, box=box, force=0.4, steps=150, slippery=(box,))
    assert rubbing(engine) == pytest.approx(SLIPPERY * FRICTION, rel=0.15)
    slid = float(np.linalg.norm(state.q[:2] - held.q[:2]))
    assert slid == pytest.approx(0.5 * (0.4 - SLIPPERY * FRICTION) * Scene().gravity * 0.3**2, rel=0.1)
    braked = push(engine, body, state, box=box, force=0.0, steps=25)  # at once, and not only where it touches anew
    assert np.linalg.norm(braked.v[:2] - state.v[:2]) == pytest.approx(FRICTION * Scene().gravity * 0.05, rel=0.25)
    stopped = push(engine, body, braked, box=box, force=0.4, steps=250)
    still_there = push(engine, body, stopped, box=box, force=0.4, steps=50)
    assert np.abs(still_there.q[:2] - stopped.q[:2]).max() < 1e-4


@pytest.mark.parametrize(("make_body", "box"), BOXES)
def test_a_slippery_box_holds_below_its_smaller_cone(engine: Engine, make_body, box: int) -> None:
    body = make_body()
    engine.load(body, Scene(friction=FRICTION), STEP_S)
    force = 0.8 * SLIPPERY * FRICTION
    state = push(engine, body, engine.reset(at_height(body, 0.05)), box=box, force=0.0, steps=50)
    moved = push(engine, body, state, box=box, force=force, steps=250, slippery=(box,))
    assert np.abs(moved.q[:2] - state.q[:2]).max() < 2e-4


def test_a_slippery_box_spins_on_with_a_tenth_of_the_brake(engine: Engine) -> None:
    body, scene = box_body(), Scene(friction=FRICTION, patch_m=0.03)
    link = body.links[0]
    corner = float(np.linalg.norm(link.shape.half_extents[:2]))
    brake = SLIPPERY * FRICTION * scene.gravity * link.mass / link.inertia[2, 2] * np.hypot(corner, scene.patch_m)
    engine.load(body, scene, STEP_S)
    state = push(engine, body, engine.reset(at_height(body, 0.05)), box=0, force=0.0, steps=100)
    engine.reset(State(state.q, np.array([0.0, 0.0, 0.0, 0.0, 0.0, 6.0])))
    for _ in range(50):
        state = engine.step(still(body), (), (0,))
    assert (6.0 - state.v[5]) / (50 * STEP_S) == pytest.approx(brake, rel=0.12)


def test_links_that_are_not_slippery_keep_their_friction(engine: Engine) -> None:
    body = ridden_box_body()
    engine.load(body, Scene(friction=FRICTION), STEP_S)
    state = push(engine, body, engine.reset(at_height(body, 0.05)), box=1, force=0.4, steps=250, slippery=(0,))
    assert np.linalg.norm(state.q[:2]) < 2e-4


@pytest.mark.parametrize("friction", [0.3, 1.5])
def test_on_a_thing_a_slippery_box_meets_a_tenth_of_the_friction_of_the_thing(engine: Engine, friction: float) -> None:
    """Whether the thing grips less than the ground or more."""
    body = box_body()
    thing = Thing(name="plate", solids=PLATE.solids, position=PLATE.position, friction=friction)
    engine.load(body, Scene(friction=FRICTION, things=(thing,)), STEP_S)
    force = 0.6 * friction
    state = push(engine, body, engine.reset(at_height(body, 0.35)), box=0, force=force, steps=100)
    assert np.linalg.norm(state.q[:2]) < 2e-3
    push(engine, body, state, box=0, force=force, steps=50, slippery=(0,))
    assert rubbing(engine) == pytest.approx(SLIPPERY * friction, rel=0.15)


def test_of_two_links_that_touch_a_slippery_one_slides_on_the_other(engine: Engine) -> None:
    """Two spheres that are pressed together, while one of them is turned along the other."""
    body = clapper_body()
    engine.load(body, Scene(gravity=0.0, friction=FRICTION), STEP_S)
    start = at_height(body, 50.0)
    start.q[body.q_slice["two"]] = rotations.exp(np.array([0.0, 0.0, 0.675]))
    turning = still(body)
    turning[body.v_slice["two"]] = [0.0, 3.0, -6.0]
    ratios = []
    for slippery in ((), (1,)):
        engine.reset(start)
        for _ in range(60):
            engine.step(turning, (), slippery)
        contacts = engine.contacts()
        assert len(contacts.links) == 2
        along = contacts.forces[0] @ contacts.normals[0]
        across = np.linalg.norm(contacts.forces[0] - along * contacts.normals[0])
        ratios.append(float(across / along))
    assert ratios[0] > 2.0 * SLIPPERY * FRICTION
    assert ratios[1] == pytest.approx(SLIPPERY * FRICTION, rel=0.15)


class SlipperyTumble(Tumble):
    """Some links are slippery, others each few steps."""

    def slide(self, steps: int, seed: int) -> list[np.ndarray]:
        rng = np.random.default_rng(seed)
        state, seen = self.engine.save().state, []
        links: tuple[int, ...] = ()
        for step in range(steps):
            if step % 20 == 0:
                links = tuple(rng.choice(len(self.body), 3, replace=False).tolist())
            shaken = State(state.q, state.v + rng.normal(0.0, 3.0, self.body.nv))
            state = self.engine.step(damping_torques(self.dynamics, shaken), (), links)
            seen += [state.q, state.v, self.engine.contacts().forces]
        return seen


def test_a_reset_leaves_no_trace_of_slippery_links(engine: Engine) -> None:
    tumble = SlipperyTumble(engine)
    engine.reset(tumble.start)
    first = tumble.run(150, seed=1)
    lying = engine.save().state
    engine.reset(tumble.start)
    slid = tumble.slide(150, seed=2)
    engine.reset(tumble.start)
    assert_same_bits(tumble.run(150, seed=1), first)
    engine.reset(lying)  # into the midst of contacts
    tumble.slide(30, seed=3)
    engine.reset(tumble.start)
    assert_same_bits(tumble.slide(150, seed=2), slid)
    tumble = SlipperyTumble(engine)  # loads anew
    engine.reset(tumble.start)
    assert_same_bits(tumble.run(150, seed=1), first)


def test_restoring_repeats_steps_with_slippery_links_bit_for_bit(engine: Engine) -> None:
    tumble = SlipperyTumble(engine)
    engine.reset(tumble.start)
    tumble.run(150, seed=1)
    firm = engine.save()
    slid = tumble.slide(110, seed=2)
    slippery = engine.save()
    after = tumble.run(50, seed=3)
    engine.restore(firm)
    ordinary = tumble.run(50, seed=3)
    engine.restore(slippery)
    assert_same_bits(tumble.run(50, seed=3), after)
    tumble.slide(30, seed=4)
    engine.restore(firm)
    assert_same_bits(tumble.slide(110, seed=2), slid)
    engine.restore(firm)
    assert_same_bits(tumble.run(50, seed=3), ordinary)


def test_a_standing_figure_stands_on_where_nothing_pulls_at_its_slippery_foot(engine: Engine) -> None:
    """Becoming slippery is no blow: contacts bear on as they did."""
    body, scene = figure_body(), Scene(friction=FRICTION)
    dynamics, feet = Dynamics(body), (figure_body().index("foot_l"), figure_body().index("toes_l"))
    engine.load(body, scene, STEP_S)
    start = at_height(body, 0.0)
    start.q[2] = -lowest_distance(body, start.q, scene.ground)
    speeds = []
    for slippery in ((), feet):
        state = engine.reset(start)
        for step in range(60):
            state = engine.step(damping_torques(dynamics, state), (), slippery if step >= 50 else ())
        speeds.append(dynamics.evaluate(state.q, state.v).com_velocity)
    np.testing.assert_allclose(speeds[1], speeds[0], atol=0.03)
