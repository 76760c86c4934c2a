"""What every engine must do with soft flesh and with padding."""

from dataclasses import replace
from xml.etree import ElementTree as Xml

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.body import FIRM, Body, Capsule
from sim_core.body.round_flesh import with_round_flesh
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.kinematics import pose
from sim_core.engines.engine import GROUND, Engine, State
from sim_core.engines.mjcf import body_to_mjcf
from sim_core.engines.urdf import body_to_urdf
from sim_core.posing.surface import surface_points, touch
from sim_core.rig.segments import TRUNK
from sim_core.scene import Scene
from sim_core.world.solids import Cuboid
from sim_core.world.thing import Thing
from tests.engines.single_bodies import sphere_body
from tests.engines.situations import STEP_S, at_height, damping_torques, still
from tests.makers import figure_body

_SOFT_M = 0.012
_STAGE = Cuboid(half_extents=np.array([3.0, 3.0, 0.1]))


def _given(body: Body, **changes) -> Body:
    return replace(body, links=tuple(replace(link, **changes) for link in body.links))


def _tripod() -> Body:
    """A sphere on three others, which are its padding."""
    body = sphere_body(radius=0.05)
    centre, angles = body.links[0].shape.start, 2.0 * np.pi / 3.0 * np.arange(3)
    feet = [centre + 0.2 * np.array([np.cos(a), np.sin(a), -0.3]) for a in angles]
    return _given(body, padding=tuple(Capsule(start=foot, end=foot, radius=0.05) for foot in feet))


def _lowest(body: Body, q: np.ndarray) -> float:
    return float(touch(body, pose(body, q[None]), Scene().ground).distances.min())


def _highest_push(engine: Engine, body: Body, scene: Scene, floor: float = 0.0) -> float:
    """Of the ground on a body that falls on it from 0.1 m [N]."""
    engine.load(body, scene, STEP_S)
    start = at_height(body, 0.0)
    start.q[2] = floor + 0.1 - _lowest(body, start.q)
    engine.reset(start)
    pushes = []
    for _ in range(150):
        engine.step(still(body))
        pushes.append(engine.contacts().forces[:, 2].sum())
    return float(np.max(pushes))


def test_a_firm_body_without_padding_is_described_as_ever():
    body = figure_body()
    mjcf, urdf = Xml.fromstring(body_to_mjcf(body, Scene(), STEP_S)), Xml.fromstring(body_to_urdf(body))
    geoms = mjcf.findall("worldbody//body/geom")
    assert [geom.get("name") for geom in geoms] == list(body.names)
    assert not any(geom.get(key) for geom in geoms for key in ("solref", "solimp", "solmix", "priority"))
    assert not any(pair.get("margin") for pair in mjcf.findall("contact/pair"))
    assert mjcf.find("default/geom").get("solref") == "0.008 1"
    assert len(urdf.findall("link/collision")) == len(body)
    assert body_to_mjcf(_given(body, give_m=FIRM, padding=()), Scene(), STEP_S) == body_to_mjcf(body, Scene(), STEP_S)


def test_padding_is_more_geoms_of_its_link_and_feet_stay_firm():
    body = with_round_flesh(figure_body())
    root = Xml.fromstring(body_to_mjcf(_given(body, give_m=_SOFT_M), Scene(), STEP_S))
    names = [geom.get("name") for geom in root.findall(".//body[@name='chest']/geom")]
    assert names == ["chest", "chest.1", "chest.2", "chest.3"]
    assert root.find(".//geom[@name='foot_l']").get("solref") is None
    assert {pair.get("geom1") for pair in root.findall("contact/pair")} <= set(body.names)


def test_a_figure_dropped_on_its_back_lies_where_its_flesh_should_be(engine: Engine):
    """Its trunk within 6 mm of the ground, which bears it there, and all its weight."""
    body, scene = with_round_flesh(figure_body()), Scene()
    dynamics = Dynamics(body)
    engine.load(body, scene, STEP_S)
    start = at_height(body, 0.0)
    start.q[3:7] = rotations.exp(np.array([0.5 * np.pi, 0.0, 0.0]))  # faces +Y: now upwards
    start.q[2] = 0.1 - _lowest(body, start.q)
    state, forces, depths = engine.reset(start), [], []
    for step in range(1500):
        state = engine.step(damping_torques(dynamics, state))
        depths.append(_lowest(body, state.q))
        if step >= 1400:
            contacts = engine.contacts()
            forces.append(contacts.forces[contacts.others == GROUND].sum(axis=0))
    distances = touch(body, pose(body, state.q[None]), scene.ground).distances[0]
    on_trunk = np.isin(np.array(body.names)[surface_points(body).links], TRUNK)
    assert abs(distances[on_trunk].min()) < 0.006
    assert min(depths) > -0.015
    assert abs(depths[-1]) < 0.006
    assert {"pelvis", "chest"} <= {body.names[link] for link in engine.contacts().links}
    weight = body.mass * scene.gravity
    np.testing.assert_allclose(np.mean(forces, axis=0), [0.0, 0.0, weight], atol=0.01 * weight)


@pytest.mark.parametrize("on_a_thing", [False, True])
def test_soft_flesh_lands_more_softly(engine: Engine, on_a_thing: bool):
    things = (Thing(name="stage", solids=(_STAGE,), position=np.array([0.0, 0.0, 0.4])),) if on_a_thing else ()
    scene, floor = Scene(things=things), 0.5 if on_a_thing else 0.0
    for body in (sphere_body(), _tripod()):
        firm = _highest_push(engine, body, scene, floor)
        soft = _highest_push(engine, _given(body, give_m=_SOFT_M), scene, floor)
        assert firm > body.mass * scene.gravity
        assert soft < 0.5 * firm


def test_padding_bears_its_link_at_points_of_its_own(engine: Engine):
    for give_m in (FIRM, _SOFT_M):
        body, scene = _given(_tripod(), give_m=give_m), Scene()
        engine.load(body, scene, STEP_S)
        start = at_height(body, 0.0)
        start.q[2] = -_lowest(body, start.q)
        engine.reset(start)
        for _ in range(500):
            state = engine.step(still(body))
        contacts = engine.contacts()
        assert contacts.links.tolist() == [0, 0, 0]
        weight = body.mass * scene.gravity
        np.testing.assert_allclose(contacts.forces[:, 2], weight / 3.0, rtol=0.02)
        feet = pose(body, state.q).points(
            np.zeros(3, np.int64), np.array([foot.start for foot in body.links[0].padding])
        )
        for x_y in contacts.positions[:, :2]:
            assert np.linalg.norm(feet[:, :2] - x_y, axis=1).min() < 0.002


@pytest.mark.parametrize("friction", [0.2, 1.0])
def test_soft_flesh_slides_by_the_friction_of_what_it_slides_on(engine: Engine, friction: float):
    stage = Thing(name="stage", solids=(_STAGE,), position=np.array([0.0, 0.0, 0.4]), friction=friction)
    body, scene = _given(_tripod(), give_m=_SOFT_M), Scene(things=(stage,), friction=0.6)
    engine.load(body, scene, STEP_S)
    start = at_height(body, 0.0)
    start.q[2] = 0.5 - _lowest(body, start.q)
    engine.reset(start)
    for _ in range(300):
        rested = engine.step(still(body))
    fast = rested.v.copy()
    fast[0] = 2.0
    engine.reset(State(rested.q, fast))
    engine.step(still(body))
    forces = []
    for _ in range(60):
        engine.step(still(body))
        forces.append(engine.contacts().forces.sum(axis=0))
    pushes = np.sum(forces, axis=0)
    assert -pushes[0] / pushes[2] == pytest.approx(friction, rel=0.15)


def test_padding_does_not_meet_links_that_may_not_touch_its_own(engine: Engine):
    body = with_round_flesh(replace(figure_body(), collision_pairs=()))
    engine.load(body, Scene(gravity=0.0), STEP_S)
    engine.reset(at_height(body, 50.0))
    state = engine.step(still(body))
    assert len(engine.contacts().links) == 0
    np.testing.assert_allclose(state.v, 0.0, atol=1e-12)
