"""Masses of loose things, against sums over many small cubes and against each other."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.errors import SettingsError
from sim_core.world.mass_properties import MassProperties, mass_properties
from sim_core.world.solids import Ball, Convex, Cuboid, HeightField, Solid
from sim_core.world.thing import Loose, Thing
from sim_core.world.track import Track

TURN = rotations.exp(np.array([0.3, -0.5, 0.9]))
CENTRE = np.array([0.3, -0.2, 0.1])


def of(*solids: Solid, mass: float = 3.0) -> MassProperties:
    return mass_properties(Thing(name="it", solids=solids, loose=Loose(mass=mass)))


def assert_same(one: MassProperties, other: MassProperties, tolerance: float = 1e-12) -> None:
    assert one.mass == pytest.approx(other.mass)
    np.testing.assert_allclose(one.com, other.com, atol=tolerance)
    np.testing.assert_allclose(one.inertia, other.inertia, atol=tolerance * one.mass)


def summed(inside, reach: float, mass: float) -> MassProperties:
    """From points of a fine grid."""
    line = (np.arange(120) + 0.5) / 60.0 - 1.0
    points = reach * np.stack(np.meshgrid(line, line, line, indexing="ij"), axis=-1).reshape(-1, 3)
    points = points[inside(points)]
    com = points.mean(axis=0)
    second = (points - com).T @ (points - com) / len(points)
    return MassProperties(mass, com, mass * (np.trace(second) * np.eye(3) - second))


def test_a_cuboid_is_the_hull_of_its_corners() -> None:
    cuboid = Cuboid(half_extents=np.array([0.1, 0.2, 0.4]), centre=CENTRE, turn=TURN)
    assert_same(of(cuboid), of(Convex(vertices=cuboid.vertices)))
    np.testing.assert_allclose(of(cuboid).com, CENTRE)
    plain = of(Cuboid(half_extents=np.array([0.1, 0.2, 0.4]))).inertia
    np.testing.assert_allclose(plain, np.diag([0.2, 0.17, 0.05]), atol=1e-12)  # m/3 (b^2 + c^2)


def test_a_ball() -> None:
    np.testing.assert_allclose(of(Ball(radius=0.5, centre=CENTRE)).inertia, 0.4 * 3.0 * 0.25 * np.eye(3), atol=1e-12)


def test_a_hull_of_any_points() -> None:
    hull = Convex(vertices=np.random.default_rng(1).uniform(-0.5, 0.5, (12, 3)))
    normals, offsets = hull.half_spaces
    expected = summed(lambda points: (points @ normals.T <= offsets).all(axis=1), 0.5, 3.0)
    assert_same(of(hull), expected, 1e-3)


def test_halves_make_a_whole() -> None:
    halves = [
        Cuboid(half_extents=np.array([0.1, 0.2, 0.2]), centre=np.array([0.0, 0.0, z]), turn=rotations.IDENTITY)
        for z in (-0.2, 0.2)
    ]
    assert_same(of(*halves), of(Cuboid(half_extents=np.array([0.1, 0.2, 0.4]))))


def test_a_height_field_stays_where_it_is() -> None:
    field = HeightField(corner=np.zeros(2), cell=0.5, heights=np.zeros((3, 3)))
    still = Track(times=np.zeros(1), positions=np.zeros((1, 3)), turns=rotations.IDENTITY[None])
    for how in ({"loose": Loose(mass=1.0)}, {"moves": still}, {"belt": CENTRE}, {"turn": TURN}):
        with pytest.raises(SettingsError, match=r"^'hill' is made of a height field.*\.$"):
            Thing(name="hill", solids=(field,), **how)
    with pytest.raises(SettingsError, match=r"choose one of both\.$"):
        Thing(name="cart", solids=(Ball(radius=0.1),), moves=still, loose=Loose(mass=1.0))
