"""The surface under points, against the definition: just below it is solid, just above it is not."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.scene import Ground, Scene
from sim_core.world.ground import GROUND
from sim_core.world.solids import Ball, Convex, Cuboid, HeightField
from sim_core.world.thing import Loose, Thing
from sim_core.world.track import Track

_HAIR = np.array([0.0, 0.0, 1e-6])


def _inside(thing: Thing, points: np.ndarray, time: float) -> np.ndarray:
    own = thing.poses(np.asarray(time)).to_own(points)
    inside = np.zeros(len(points), dtype=bool)
    for solid in thing.solids:
        if isinstance(solid, Ball):
            inside |= np.linalg.norm(own - solid.centre, axis=1) < solid.radius
        else:
            assert not isinstance(solid, HeightField)
            faces = solid.half_spaces
            inside |= (own @ faces.normals.T < faces.offsets).all(axis=1)
    return inside


def _things(rng: np.random.Generator) -> tuple[Thing, ...]:
    turn = rotations.normalise(rng.normal(size=4))
    return (
        Thing(
            name="box", solids=(Cuboid(half_extents=np.array([0.4, 0.3, 0.2])),), position=rng.normal(size=3), turn=turn
        ),
        Thing(name="rock", solids=(Convex(vertices=rng.normal(size=(30, 3)) * 0.5),), position=rng.normal(size=3)),
        Thing(name="ball", solids=(Ball(radius=0.5),), position=rng.normal(size=3)),
    )


@pytest.mark.parametrize("seed", range(5))
def test_below_the_surface_is_solid_and_above_it_is_air(seed):
    rng = np.random.default_rng(seed)
    scene = Scene(ground=Ground(normal=np.array([0.1, 0.2, 1.0])), things=_things(rng))
    surface = scene.surface(0.0)
    points = rng.uniform(-1.5, 1.5, size=(400, 3)) * [1, 1, 0] + [0, 0, 10.0]
    heights, things = surface.height(points), surface.things(points)
    for k, thing in enumerate(scene.things):
        mine = points[things == k] * [1, 1, 0] + heights[things == k, None] * [0, 0, 1]
        assert _inside(thing, mine - _HAIR, 0.0).all()
        assert not _inside(thing, mine + _HAIR, 0.0).any()
    assert len(np.unique(things)) > 2
    bare = things == GROUND
    np.testing.assert_allclose(heights[bare], scene.ground.height(points[bare]))
    up = surface.normals(points)
    np.testing.assert_allclose(np.linalg.norm(up, axis=1), 1.0)
    assert (up[:, 2] > 0.0).all()


def test_normals_are_the_slope_of_the_heights():
    rng = np.random.default_rng(1)
    scene = Scene(things=_things(rng))
    surface = scene.surface(0.0)
    points = rng.uniform(-1.0, 1.0, size=(200, 3)) + np.array([0, 0, 10.0])
    step = 1e-6
    slopes = [
        (surface.height(points + step * d) - surface.height(points - step * d)) / (2 * step) for d in np.eye(3)[:2]
    ]
    normals = surface.normals(points)
    smooth = np.abs(slopes).max(axis=0) < 10.0  # not across an edge
    for slope, part in zip(slopes, normals.T[:2], strict=True):
        np.testing.assert_allclose(-part[smooth] / normals[smooth, 2], slope[smooth], atol=1e-3)


def test_what_hangs_overhead_is_no_ground_and_what_is_loose_neither():
    beam = Thing(name="beam", solids=(Cuboid(half_extents=np.array([1.0, 1.0, 0.1])),), position=np.array([0, 0, 2.0]))
    crate = Thing(name="crate", solids=(Cuboid(half_extents=np.full(3, 0.2)),), loose=Loose(mass=1.0))
    ball = Thing(name="ball", solids=(Ball(radius=0.3),), loose=Loose(mass=1.0))
    surface = Scene(things=(beam, crate, ball)).surface(0.0)
    assert surface.height(np.array([0.0, 0.0, 0.5])) == 0.0
    assert surface.height(np.array([0.0, 0.0, 3.0])) == pytest.approx(2.1)
    assert surface.distance(np.array([0.0, 0.0, 2.05])) == pytest.approx(-0.05)


def test_a_thing_that_moves_is_where_it_is_at_each_time():
    times = np.linspace(0.0, 1.0, 11)
    lift = Thing(
        name="lift",
        solids=(Cuboid(half_extents=np.array([1.0, 1.0, 0.5]), centre=np.array([0, 0, -0.5])),),
        moves=Track(
            times=times, positions=times[:, None] * [0.0, 0.0, 1.0], turns=np.tile(rotations.IDENTITY, (11, 1))
        ),
    )
    scene = Scene(things=(lift,))
    points = np.full((11, 2, 3), [0.3, 0.2, 2.0])
    np.testing.assert_allclose(scene.surface(times).height(points), np.stack([times, times], axis=1), atol=1e-9)
    speed = lift.surface_velocities(np.array(0.5), np.array([[0.3, 0.2, 0.5]]))
    np.testing.assert_allclose(speed, [[0.0, 0.0, 1.0]], atol=1e-6)


def test_a_height_field_is_met_between_its_samples():
    heights = np.array([[0.0, 0.1], [0.2, 0.5]])
    field = Thing(name="hill", solids=(HeightField(corner=np.array([0.0, 0.0]), cell=1.0, heights=heights),))
    surface = Scene(things=(field,), ground=Ground(point=np.array([0.0, 0.0, -1.0]))).surface(0.0)
    np.testing.assert_allclose(
        surface.height(np.array([[0.5, 0.5, 3.0], [1.0, 1.0, 3.0], [1.1, 0.5, 3.0]])), [0.2, 0.5, -1.0]
    )
