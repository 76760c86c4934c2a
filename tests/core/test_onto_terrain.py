"""A motion brought onto another ground: planted soles lie on it, swinging ones clear it, legs stay whole."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.dynamics.kinematics import pose
from sim_core.posing.soles_on_edges import on_edges
from sim_core.reference.onto_terrain import onto_terrain
from sim_core.reference.reference import Reference, build_reference
from sim_core.samples.catalogue import make_sample
from sim_core.scene import Ground, Scene
from sim_core.settings import ReferenceSettings
from sim_core.world.solids import Cuboid
from sim_core.world.thing import Thing
from sim_core.world.track import Track
from tests.clips import body_of

RATE = 500.0
WALK = make_sample("walk", 3.0)
WALKER = body_of(WALK)
FLOOR = Ground()


def _reference(scene: Scene, made_for: Ground | None = FLOOR) -> Reference:
    settings = ReferenceSettings(feasible=False)
    return build_reference(WALK, WALKER, scene, settings, rate=RATE, hold_s=0.0, made_for=made_for)


FLAT = _reference(Scene(), None)
START, WAY = FLAT.q[0, :2], FLAT.q[-1, :2] - FLAT.q[0, :2]
AHEAD = WAY / np.linalg.norm(WAY)
ALONG = rotations.about_axis(2, np.arctan2(AHEAD[1], AHEAD[0]))


def _on_path(name: str, *cuboids: Cuboid, moves: Track | None = None) -> Thing:
    """A thing whose X axis is the walker's way, from where the walk begins."""
    return Thing(name=name, solids=cuboids, position=np.array([*START, 0.0]), turn=ALONG, moves=moves)


def _block(start_m: float, end_m: float, top_m: float) -> Cuboid:
    """Across the way, from one distance to another."""
    return Cuboid(
        half_extents=np.array([0.5 * (end_m - start_m), 1.0, 0.5 * top_m]),
        centre=np.array([0.5 * (start_m + end_m), 0.0, 0.5 * top_m]),
    )


def _stairs() -> Thing:
    treads = [_block(1.0 + 0.28 * i, 4.0, 0.17 * (i + 1)) for i in range(4)]
    return _on_path("stairs", *treads)


def _soles(reference: Reference) -> np.ndarray:
    return pose(WALKER, reference.q).points(WALKER.soles.links, WALKER.soles.local)


def _deepest(scene: Scene, soles: np.ndarray) -> float:
    """How deep soles are in what is below; a wall is not below them before they are some centimetres in it."""
    shifts = [0.04 * share * np.array([*AHEAD, 0.0]) for share in (-1.0, 0.0, 1.0)]
    return -float(np.max([scene.surface(0.0).distance(soles + shift) for shift in shifts], axis=0).min())


def _slope(degrees: float, along: tuple[float, float] = (0.0, -1.0)) -> Scene:
    tilt = np.radians(degrees)
    normal = np.array([-np.sin(tilt) * along[0], -np.sin(tilt) * along[1], np.cos(tilt)])
    return Scene(ground=Ground(normal=normal))


def _steady(reference: Reference) -> np.ndarray:
    """(S, P) sole points that stand well within a stance and lie flat in the clip."""
    feet = reference.contacts.feet[:, np.where(WALKER.soles.left, 0, 1)]
    span = round(0.06 * RATE)
    inner = np.stack([np.convolve(column, np.ones(2 * span + 1), "same") > 2 * span for column in feet.T], axis=1)
    return inner & (FLOOR.distance(_soles(FLAT)) < 0.004)


@pytest.mark.parametrize(
    "scene",
    [
        _slope(5),
        _slope(-12),
        _slope(20),
        _slope(8, (1.0, 0.0)),
        Scene(things=(_stairs(),)),
        Scene(things=(_on_path("box", _block(1.2, 2.0, 0.2)),)),
        Scene(things=(_on_path("kerb", _block(1.2, 1.35, 0.2)),)),
    ],
    ids=["up 5", "down 12", "up 20", "side 8", "stairs", "box", "kerb"],
)
def test_planted_soles_lie_on_what_is_below_them(scene):
    reference = _reference(scene)
    surface = scene.surface(0.0)
    distances = surface.distance(on_edges(WALKER, _soles(reference), surface, 0.008))
    steady = distances[_steady(reference)]
    assert len(steady) > 1000
    assert np.percentile(np.abs(steady), 99) < 0.008
    assert _deepest(scene, _soles(reference)) < 0.02  # a foot that swings clears edges


def test_the_labels_stay_what_they_were():
    reference = _reference(Scene(things=(_stairs(),)))
    np.testing.assert_array_equal(reference.contacts.feet, FLAT.contacts.feet)


def test_stairs_are_climbed_a_tread_a_step():
    reference = _reference(Scene(things=(_stairs(),)))
    assert reference.q[-1, 2] - FLAT.q[-1, 2] == pytest.approx(3 * 0.17, abs=0.04)


def test_a_lower_floor_moves_the_motion_as_one_piece():
    lower = Scene(ground=Ground(point=np.array([0.0, 0.0, -0.7])))
    moved = onto_terrain(FLAT.q, FLAT.contacts, WALKER, FLOOR, lower, RATE)
    np.testing.assert_allclose(moved[:, :3], FLAT.q[:, :3] - [0.0, 0.0, 0.7], atol=0.01)


def test_who_stands_on_a_thing_that_moves_is_carried_along():
    times = np.linspace(0.0, 3.0, 91)
    way = np.stack([np.zeros(91), 0.3 * times, np.zeros(91)], axis=1)
    track = Track(times=times, positions=np.array([*START, 0.0]) + way, turns=np.tile(rotations.IDENTITY, (91, 1)))
    raft = Thing(name="raft", solids=(Cuboid(half_extents=np.array([9.0, 9.0, 0.05])),), moves=track)
    reference = _reference(Scene(things=(raft,)))
    np.testing.assert_allclose(reference.q[-1, :2] - FLAT.q[-1, :2], [0.0, 0.3 * (len(FLAT) - 1) / RATE], atol=0.05)


def test_who_lies_turns_with_the_ground():
    q = FLAT.q[:500].copy()
    q[:] = q[0]
    q[:, 3:7] = rotations.multiply(rotations.about_axis(0, np.array(-0.5 * np.pi)), q[:, 3:7])
    q[:, 2] += 0.12 - q[0, 2]
    contacts = FLAT.contacts._replace(
        feet=np.zeros((500, 2), dtype=bool), links=np.ones((500, len(WALKER)), dtype=bool)
    )
    scene = _slope(10)
    moved = onto_terrain(q, contacts, WALKER, FLOOR, scene, RATE)
    trunk = [WALKER.index(name) for name in ("pelvis", "chest")]
    before, after = (pose(WALKER, motion).origins[:, trunk] for motion in (q, moved))
    np.testing.assert_allclose(scene.ground.distance(after), FLOOR.distance(before), atol=0.02)
