"""What every engine must make of things that stand, move or run under a body."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.body import Body
from sim_core.dynamics import kinematics
from sim_core.engines.engine import GROUND, Engine, State
from sim_core.scene import Ground, Scene
from sim_core.world.solids import Ball, Convex, Cuboid, HeightField
from sim_core.world.thing import Thing
from sim_core.world.track import Track
from tests.engines.single_bodies import box_body, sphere_body
from tests.engines.situations import STEP_S, still

RADIUS = 0.1
POINTED = np.array([[x, y, 0.2] for x in (-0.4, 0.4) for y in (-0.3, 0.3)] + [[0.1, 0.0, -0.3]])
SOLIDS = {
    "cuboid": Cuboid(half_extents=np.array([0.4, 0.3, 0.2])),
    "turned cuboid": Cuboid(
        half_extents=np.array([0.2, 0.4, 0.3]),
        centre=np.array([0.1, 0.0, -0.1]),
        turn=rotations.from_euler(np.array([np.pi / 2]), (1,)),
    ),
    "ball": Ball(radius=0.3, centre=np.array([0.1, 0.0, 0.0])),
    "hull": Convex(vertices=POINTED),
    "height field": HeightField(corner=np.array([-0.5, -0.4]), cell=0.2, heights=np.full((6, 5), 0.15)),
}


def vector(*values: float) -> np.ndarray:
    return np.array(values, dtype=float)


def at(body: Body, place: np.ndarray, turn: np.ndarray = rotations.IDENTITY) -> State:
    """With the centre of mass of its only link there, at rest."""
    q = body.zero_q.copy()
    q[:3], q[3:7] = place - rotations.rotate(turn, body.links[0].com), turn
    return State(q, np.zeros(body.nv))


def centre(body: Body, state: State) -> np.ndarray:
    return kinematics.pose(body, state.q).link_coms[0]


def run(engine: Engine, body: Body, steps: int) -> State:
    for _ in range(steps):
        state = engine.step(still(body))
    return state


@pytest.mark.parametrize("kind", SOLIDS)
def test_a_ball_rests_on_top_of_every_solid(engine: Engine, kind: str) -> None:
    body = sphere_body(RADIUS)
    aside = Thing(name="aside", solids=(SOLIDS["cuboid"],), position=vector(5.0, 0.0, 0.0))
    thing = Thing(name=kind, solids=(SOLIDS[kind],), position=vector(1.0, 2.0, 0.6))
    scene = Scene(things=(aside, thing))
    engine.load(body, scene, STEP_S)
    above = vector(1.1, 2.0, 0.0)
    top = scene.surface(0.0).height(above[None] + [0.0, 0.0, 2.0])[0]
    assert top > 0.7
    engine.reset(at(body, above + vector(0.0, 0.0, top + RADIUS + 0.02)))
    state = run(engine, body, 300)
    np.testing.assert_allclose(centre(body, state), above + vector(0.0, 0.0, top + RADIUS), atol=3e-4)
    assert np.abs(state.v).max() < 1e-3
    contacts = engine.contacts()
    assert set(contacts.things) == {1}
    assert set(contacts.others) == {GROUND}
    weight = body.mass * scene.gravity
    np.testing.assert_allclose(contacts.forces.sum(axis=0), [0.0, 0.0, weight], atol=0.01 * weight)


def bumpy() -> Thing:
    x, y = np.meshgrid(
        0.25 * np.arange(21), 0.25 * np.arange(13), indexing="ij"
    )  # longer than wide, all corners differ
    heights = 0.1 * np.sin(x) + 0.2 * np.cos(0.8 * y) + 0.015 * x * y
    field = HeightField(corner=vector(-2.0, -1.0), cell=0.25, heights=heights)
    return Thing(name="bumpy", solids=(field,), position=vector(0.5, 0.3, 0.7))


def test_a_height_field_is_where_the_surface_is(engine: Engine) -> None:
    """Small heavy balls laid on it at random spots stay there, within 2 mm of the surface that feet are planned on."""
    body, scene = sphere_body(0.03), Scene(things=(bumpy(),))
    surface = scene.surface(0.0)
    engine.load(body, scene, STEP_S)
    rng = np.random.default_rng(0)
    for spot in rng.uniform([-1.4, -0.6, 0.0], [3.4, 2.2, 0.0], (25, 3)):
        point = spot + vector(0.0, 0.0, surface.height(spot[None])[0])
        normal = surface.normals(spot[None])[0]
        engine.reset(at(body, point + 0.03 * normal))
        state = run(engine, body, 15)
        assert surface.distance(centre(body, state)[None])[0] == pytest.approx(0.03, abs=5e-4)
        contacts = engine.contacts()
        np.testing.assert_allclose(contacts.normals @ normal, 1.0, atol=3e-3)
        np.testing.assert_allclose(surface.distance(contacts.positions), 0.0, atol=2e-3)


def test_beyond_the_edges_of_a_height_field_there_is_the_ground(engine: Engine) -> None:
    body, scene = sphere_body(RADIUS), Scene(things=(bumpy(),))
    engine.load(body, scene, STEP_S)
    engine.reset(at(body, vector(-1.5 - 2 * RADIUS, 0.0, RADIUS)))
    assert centre(body, run(engine, body, 50))[2] == pytest.approx(RADIUS, abs=3e-4)
    assert set(engine.contacts().things) == {GROUND}


def test_a_body_stands_across_the_edge_of_two_stairs(engine: Engine) -> None:
    """One thing of many solids: stairs of 0.17 m; a long box lies on the edges of two of them."""
    steps = tuple(
        Cuboid(half_extents=vector(0.14, 0.6, 0.085 * (k + 1)), centre=vector(0.28 * k, 0.0, 0.085 * (k + 1)))
        for k in range(4)
    )
    scene = Scene(things=(Thing(name="stairs", solids=steps),), friction=1.0)
    body = box_body((0.3, 0.15, 0.05))
    engine.load(body, scene, STEP_S)
    slope = np.arctan2(0.17, 0.28)
    turn = rotations.from_euler(np.array([-slope]), (1,))
    edges = vector(0.5 * (0.14 + 0.42), 0.0, 0.17 * 2.5)  # half-way between the edges of the second and third step
    engine.reset(at(body, edges + rotations.rotate(turn, vector(0.0, 0.0, 0.0505)), turn))
    state = run(engine, body, 500)
    np.testing.assert_allclose(centre(body, state), edges + rotations.rotate(turn, vector(0.0, 0.0, 0.05)), atol=2e-3)
    assert rotations.angle_between(state.q[3:7], turn) < 0.01
    assert np.abs(state.v).max() < 0.01


@pytest.mark.parametrize("spin", [0.0, 0.5])
@pytest.mark.parametrize("velocity", [(0.3, 0.0, 0.0), (-0.2, 0.2, 0.1)])
def test_a_moving_platform_carries_a_body_along(engine: Engine, velocity: tuple, spin: float) -> None:
    """Two seconds of it, from its own speed on: it stays within a millimetre, turning included."""
    times = np.linspace(0.0, 3.0, 31)
    track = Track(
        times=times,
        positions=vector(1.0, 0.0, 0.5) + times[:, None] * vector(*velocity),
        turns=rotations.exp(times[:, None] * vector(0.0, 0.0, spin)),
    )
    platform = Thing(name="platform", solids=(Cuboid(half_extents=vector(1.0, 1.0, 0.1)),), moves=track)
    body, scene = box_body(), Scene(things=(platform,))
    engine.load(body, scene, STEP_S)
    own = vector(0.4, 0.3, 0.15)
    start = at(body, vector(1.0, 0.0, 0.5) + own)
    start.v[:3], start.v[5] = vector(*velocity) + np.cross([0.0, 0.0, spin], own), spin
    engine.reset(start)
    state = run(engine, body, 1000)
    pose = track.poses(np.array(2.0))
    np.testing.assert_allclose(pose.to_own(centre(body, state)), own, atol=1e-3)
    assert rotations.angle_between(state.q[3:7], pose.turns) < 1e-4
    assert set(engine.contacts().things) == {0}
    engine.reset(State(state.q, state.v), at_s=2.0)  # goes on from the time it is given
    state = run(engine, body, 250)
    np.testing.assert_allclose(track.poses(np.array(2.5)).to_own(centre(body, state)), own, atol=1.5e-3)


def test_a_platform_that_swings_carries_a_body_along(engine: Engine) -> None:
    """0.2 m to and fro at 0.4 Hz, with accelerations of 1.3 m/s^2: it stays within a millimetre."""
    times = np.linspace(0.0, 5.0, 151)
    way = 0.2 * (1.0 - np.cos(2 * np.pi * 0.4 * times))
    track = Track(
        times=times,
        positions=vector(0.0, 0.0, 0.4) + way[:, None] * vector(1.0, 0.0, 0.0),
        turns=np.tile(rotations.IDENTITY, (len(times), 1)),
    )
    platform = Thing(name="platform", solids=(Cuboid(half_extents=vector(1.0, 1.0, 0.1)),), moves=track)
    body, scene = box_body(), Scene(things=(platform,))
    engine.load(body, scene, STEP_S)
    engine.reset(at(body, vector(0.0, 0.0, 0.55)))
    for seconds in (0.5, 1.0, 1.5, 2.0):
        own = track.poses(np.array(seconds)).to_own(centre(body, run(engine, body, 250)))
        np.testing.assert_allclose(own, [0.0, 0.0, 0.15], atol=1e-3)


def test_a_belt_carries_a_body_and_stays_where_it_is(engine: Engine) -> None:
    belt = Thing(
        name="belt",
        solids=(Cuboid(half_extents=vector(3.0, 0.5, 0.1)),),
        position=vector(0.0, 0.0, 0.4),
        turn=rotations.exp(vector(0.0, 0.0, 0.5)),
        belt=vector(0.3, 0.0, 0.0),
    )
    body = box_body()
    engine.load(body, Scene(things=(belt,)), STEP_S)
    engine.reset(at(body, vector(0.0, 0.0, 0.55)))
    first = run(engine, body, 500)
    last = run(engine, body, 500)
    expected = rotations.rotate(belt.turn, belt.belt)
    np.testing.assert_allclose(last.v[:3], expected, atol=1e-4)
    np.testing.assert_allclose(last.q[:3] - first.q[:3], expected, atol=1e-3)
    assert last.q[2] == pytest.approx(0.55, abs=3e-4)


@pytest.mark.parametrize("friction", [0.3, 0.9, None])
def test_friction_on_a_thing_is_its_own(engine: Engine, friction: float | None) -> None:
    """On a slope whose tangent is 0.85 of it a box holds, and at 1.1 it slides; whatever the scene's is."""
    scene_friction = 0.6
    coefficient = scene_friction if friction is None else friction
    body = box_body()
    for steepness, holds in ((0.85, True), (1.1, False)):
        turn = rotations.exp(vector(0.0, np.arctan(steepness * coefficient), 0.0))
        slope = Thing(
            name="slope",
            solids=(Cuboid(half_extents=vector(2.0, 1.0, 0.1)),),
            position=vector(0.0, 0.0, 3.0),
            turn=turn,
            friction=friction,
        )
        engine.load(body, Scene(things=(slope,), friction=scene_friction), STEP_S)
        engine.reset(at(body, slope.position + rotations.rotate(turn, vector(0.0, 0.0, 0.15)), turn))
        first = run(engine, body, 100)
        slid = np.linalg.norm(run(engine, body, 400).q[:3] - first.q[:3])
        assert slid < 5e-4 if holds else slid > 0.05


def test_things_and_ground_leave_each_other_alone(engine: Engine) -> None:
    """A platform that sinks through the ground and a block does not notice them, and takes the body down with it."""
    times = np.array([0.0, 0.5, 1.0, 1.5, 2.0])
    track = Track(
        times=times,
        positions=vector(0.0, 0.0, 0.4) - 0.2 * times[:, None] * vector(0.0, 0.0, 1.0),
        turns=np.tile(rotations.IDENTITY, (len(times), 1)),
    )
    solids = (Cuboid(half_extents=vector(1.0, 1.0, 0.1)),)
    things = (
        Thing(name="block", solids=solids, position=vector(1.5, 0.0, 0.0)),
        Thing(name="platform", solids=solids, moves=track),
    )
    body, low = box_body(), Ground(point=vector(0.0, 0.0, 0.3))
    engine.load(body, Scene(ground=low, things=things), STEP_S)
    start = at(body, vector(-0.5, 0.0, 0.55))
    start.v[2] = -0.2
    engine.reset(start)
    state = run(engine, body, 400)
    assert state.q[2] == pytest.approx(0.55 - 0.16, abs=1e-3)
    run(engine, body, 600)
    assert set(engine.contacts().things) == {GROUND}
