"""What every engine must make of things that are simulated, too."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.engines.engine import GROUND, Engine, State
from sim_core.engines.loose import initial_things
from sim_core.scene import Scene
from sim_core.world.mass_properties import mass_properties
from sim_core.world.solids import Ball, Convex, Cuboid
from sim_core.world.thing import Loose, Thing
from sim_core.world.track import Track
from tests.engines.single_bodies import box_body
from tests.engines.situations import STEP_S, at_height, still
from tests.engines.test_engine_contract_saving import assert_same_bits

BLOCK = Cuboid(half_extents=np.array([0.1, 0.15, 0.2]))
HULL = Convex(vertices=BLOCK.vertices)
HAMMER = (  # nothing of it is at its origin, nor along its axes
    Cuboid(half_extents=np.array([0.3, 0.02, 0.02]), centre=np.array([0.3, 0.0, 0.0])),
    Cuboid(
        half_extents=np.array([0.05, 0.1, 0.05]),
        centre=np.array([0.6, 0.02, 0.0]),
        turn=rotations.exp(np.array([0.2, 0.0, 0.4])),
    ),
    Convex(vertices=np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1], [0.1, 0.1, 0.1]])),
)


def loose(*solids, mass: float = 4.0, place=(0.0, 0.0, 0.0), **how) -> Thing:
    given = {name: np.array(how.pop(name), dtype=float) for name in ("velocity", "spin") if name in how}
    return Thing(
        name="loose",
        solids=solids,
        position=np.array(place, dtype=float),
        turn=rotations.exp(np.array(how.pop("turn", (0.0, 0.0, 0.0)))),
        friction=how.pop("friction", None),
        loose=Loose(mass=mass, **given, **how),
    )


def start(engine: Engine, scene: Scene, state: State | None = None, at_s: float = 0.0) -> State:
    """A box far away, and the things as they are at first."""
    body = box_body()
    engine.load(body, scene, STEP_S)
    q, v = (at_height(body, 50.0) if state is None else state)[:2]
    return engine.reset(State(q, v, initial_things(scene)), at_s)


def run(engine: Engine, steps: int) -> State:
    for _ in range(steps):
        state = engine.step(np.zeros(6))
    return state


@pytest.mark.parametrize("gravity", [9.81, 1.62, 0.0])
def test_a_thrown_thing_falls_by_the_law(engine: Engine, gravity: float) -> None:
    """By that of the scene's gravity, with one step's difference between the engines' integrators."""
    thrown = loose(BLOCK, place=(1.0, 0.0, 20.0), velocity=(2.0, -1.0, 3.0))
    scene = Scene(things=(thrown,), gravity=gravity)
    start(engine, scene)
    thing = run(engine, 500).things[0]
    fallen = thrown.position + thrown.loose.velocity - [0.0, 0.0, 0.5 * gravity]
    np.testing.assert_allclose(thing[:3], fallen, atol=gravity * STEP_S)
    np.testing.assert_allclose(thing[7:10], thrown.loose.velocity - [0.0, 0.0, gravity], atol=1e-6)
    np.testing.assert_allclose(thing[10:], 0.0, atol=1e-9)


def test_a_thing_keeps_its_spin_about_a_main_axis(engine: Engine) -> None:
    turn = np.array([0.3, -0.2, 0.5])
    spin = rotations.rotate(rotations.exp(turn), np.array([0.0, 0.0, 3.0]))
    start(engine, Scene(things=(loose(BLOCK, place=(0.0, 0.0, 20.0), turn=turn, spin=spin),), gravity=0.0))
    thing = run(engine, 500).things[0]
    np.testing.assert_allclose(thing[10:], spin, atol=1e-6)
    expected = rotations.multiply(rotations.exp(turn), rotations.exp(np.array([0.0, 0.0, 3.0])))
    assert rotations.angle_between(thing[3:7], expected) < 1e-4


def test_what_is_not_round_about_its_origin_flies_about_its_centre_of_mass(engine: Engine) -> None:
    """Both engines alike, of many solids and given at their origin: momentum and its moment stay what they were."""
    hammer = loose(*HAMMER, place=(0.0, 0.0, 20.0), velocity=(1.0, 0.0, 0.0), spin=(1.0, 2.0, -3.0))
    mass, com, inertia = mass_properties(hammer)

    def momenta(row: np.ndarray) -> np.ndarray:
        R = rotations.to_matrix(row[3:7])
        lever = R @ com
        linear = mass * (row[7:10] + np.cross(row[10:], lever))
        return np.concatenate([linear, R @ inertia @ R.T @ row[10:]])

    state = start(engine, Scene(things=(hammer,), gravity=0.0))
    before = momenta(state.things[0])
    after = momenta(run(engine, 250).things[0])
    np.testing.assert_allclose(after[:3], before[:3], atol=1e-4 * np.linalg.norm(before[:3]))
    np.testing.assert_allclose(after[3:], before[3:], atol=0.01 * np.linalg.norm(before[3:]))


def test_a_reset_gives_back_the_things_it_was_given(engine: Engine) -> None:
    hammer = loose(*HAMMER, place=(1.0, 2.0, 20.0), velocity=(1.0, 0.0, 0.0), spin=(1.0, 2.0, -3.0), turn=(1.0, 0.5, 0))
    for sign in (1.0, -1.0):
        scene = Scene(things=(hammer,))
        state = start(engine, scene)
        given = state.things.copy()
        given[0, 3:7] *= sign
        read = engine.reset(State(state.q, state.v, given)).things
        np.testing.assert_allclose(read, given, atol=1e-9)


def test_a_thing_that_hits_the_body_gives_what_the_body_gains(engine: Engine) -> None:
    """Newton's third law, and both come to go together: contacts are soft, and give nothing back."""
    body = box_body()
    flying = loose(Ball(radius=0.1), mass=2.0, place=(-0.5, 0.02, 50.0), velocity=(3.0, 0.0, 0.0))
    scene = Scene(things=(flying,), gravity=0.0)
    state = start(engine, scene)
    pushed = np.zeros(3)
    for _ in range(250):
        state = engine.step(still(body))
        contacts = engine.contacts()
        assert set(contacts.things) <= {0}
        assert set(contacts.others) <= {GROUND}
        pushed += contacts.forces.sum(axis=0) * STEP_S
    assert state.v[0] > 0.2
    gained, lost = body.mass * state.v[:3], 2.0 * (flying.loose.velocity - state.things[0, 7:10])
    np.testing.assert_allclose(gained, lost, atol=0.005)
    np.testing.assert_allclose(pushed, gained, atol=0.01 * np.linalg.norm(gained))


def test_loose_things_rest_on_the_ground_and_on_each_other(engine: Engine) -> None:
    shelf = Thing(
        name="shelf", solids=(Cuboid(half_extents=np.array([0.5, 0.5, 0.1])),), position=np.array([3.0, 0, 1])
    )
    things = (
        shelf,
        loose(BLOCK, place=(0.0, 0.0, 0.21)),
        loose(BLOCK, place=(0.0, 0.0, 0.62)),
        loose(Ball(radius=0.1), place=(3.0, 0.0, 1.21)),
        loose(HULL, place=(6.0, 0.0, 0.21)),
    )
    start(engine, Scene(things=things))
    rows = run(engine, 750).things
    np.testing.assert_allclose(rows[:, 2], [0.2, 0.6, 1.2, 0.2], atol=2e-3)
    assert np.abs(rows[:, 7:]).max() < 0.02
    assert len(engine.contacts().links) == 0  # things among themselves


def test_a_body_rests_on_a_loose_block(engine: Engine) -> None:
    start(engine, Scene(things=(loose(BLOCK, mass=20.0, place=(0.0, 0.0, 0.2)),)), at_height(box_body(), 0.46))
    state = run(engine, 500)
    assert state.q[2] == pytest.approx(0.45, abs=2e-3)
    assert set(engine.contacts().things) == {0}


@pytest.mark.parametrize("friction", [0.3, 0.7])
def test_a_loose_thing_slides_on_the_ground_by_its_own_friction(engine: Engine, friction: float) -> None:
    """Its way to rest is that of Coulomb's law."""
    flat = Cuboid(half_extents=np.array([0.2, 0.2, 0.02]))
    sliding = loose(flat, place=(0.0, 0.0, 0.02), velocity=(2.0, 0.0, 0.0), friction=friction)
    start(engine, Scene(things=(sliding,), friction=0.5))
    row = run(engine, 750).things[0]
    assert row[0] == pytest.approx(2.0**2 / (2 * friction * 9.81), rel=0.03)
    assert np.linalg.norm(row[7:10]) < 1e-3


def test_a_thing_appears_at_its_time(engine: Engine) -> None:
    """Until then it is in nobody's way, though the state shows where it will come from."""
    thrown = loose(Ball(radius=0.1), place=(0.0, 0.0, 0.05), velocity=(0.0, 0.0, 5.0), appears_s=0.1)
    blocked = at_height(box_body(), 0.05)  # the body stands where it will appear
    state = start(engine, Scene(things=(thrown,)), blocked)
    first = initial_things(Scene(things=(thrown,)))
    for _ in range(50):
        np.testing.assert_array_equal(state.things, first)
        state = engine.step(np.zeros(6))
        assert set(engine.contacts().things) == {GROUND}
    np.testing.assert_allclose(state.things, first, atol=1e-12)
    engine.step(np.zeros(6))
    assert 0 in engine.contacts().things

    state = start(engine, Scene(things=(thrown,)), at_s=0.05)
    np.testing.assert_allclose(run(engine, 25).things, first, atol=1e-12)
    assert run(engine, 10).things[0, 2] > 0.1


class Pile:
    """Loose things dropped with a body onto a platform that moves, one of them thrown later."""

    def __init__(self, engine: Engine, blocks: int = 3) -> None:
        self.engine, self.body = engine, box_body()
        times = np.linspace(0.0, 2.0, 21)
        way = np.stack([0.2 * np.sin(3 * times), np.zeros(21), 0.3 + 0.1 * times], axis=1)
        track = Track(times=times, positions=way, turns=rotations.exp(times[:, None] * [0.0, 0.1, 0.6]))
        belt = np.array([0.2, 0.0, 0.0])
        others = (
            loose(*HAMMER, place=(0.0, 0.3, 1.5), spin=(1.0, 3.0, 0.0)),
            loose(HULL, place=(0.3, -0.3, 1.0), turn=(0.3, 0.2, 0.1)),
        )
        slab = (Cuboid(half_extents=np.array([1.0, 1.0, 0.1])),)
        self.scene = Scene(
            things=(
                Thing(name="platform", solids=slab, moves=track),
                Thing(name="belt", solids=slab, position=np.array([1.8, 0.0, 0.1]), belt=belt),
                *(
                    loose(BLOCK, place=(0.1 * k, 0.05 * k, 0.8 + 0.5 * k), turn=(0.1 * k, 0.2, 0.0))
                    for k in range(blocks)
                ),
                *(others if blocks > 1 else ()),
                loose(Ball(radius=0.1), place=(-2.0, 0.0, 0.8), velocity=(6.0, 0.0, 1.0), appears_s=0.3),
            )
        )
        engine.load(self.body, self.scene, STEP_S)
        begin = at_height(self.body, 0.55)
        self.start = State(begin.q, begin.v, initial_things(self.scene))

    def run(self, steps: int) -> list[np.ndarray]:
        seen = []
        for _ in range(steps):
            state = self.engine.step(np.zeros(6))
            contacts = self.engine.contacts()
            seen += [state.q, state.v, state.things, contacts.forces, contacts.things]
        return seen


def test_piles_repeat_bit_for_bit(engine: Engine) -> None:
    """From a reset, and from a reset into their midst; after whatever happened before, and anywhere."""
    pile = Pile(engine)
    engine.reset(pile.start)
    first = pile.run(300)
    assert {0, 2} <= {int(thing) for things in first[4::5] for thing in things}
    middle = engine.save().state
    pile.run(100)
    engine.reset(pile.start)
    assert_same_bits(pile.run(300), first)

    engine.reset(middle, 300 * STEP_S)
    resumed = pile.run(100)
    engine.reset(pile.start)
    pile.run(123)
    engine.reset(middle, 300 * STEP_S)
    assert_same_bits(pile.run(100), resumed)
    other = Pile(type(engine)())
    other.engine.reset(middle, 300 * STEP_S)
    assert_same_bits(other.run(100), resumed)
    other.engine.close()


def test_a_saved_state_holds_things_and_time(engine: Engine) -> None:
    """Bit for bit with one thing in contact; in a pile Bullet solves restored contacts in another order."""
    pile = Pile(engine, blocks=1)
    engine.reset(pile.start)
    pile.run(100)  # before the ball is thrown
    saved = engine.save()
    rest = pile.run(150)
    engine.restore(saved)
    assert_same_bits(pile.run(150), rest)
