"""Meshes as solids, by law: as high as the triangles themselves, and as large."""

import time

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from sim_core import rotations
from sim_core.scene import Ground, Scene
from sim_core.world.mesh import Mesh, clean_mesh
from sim_core.world.mesh_solids import MeshSolids, fixed_solids, loose_solids, moving_solids
from sim_core.world.ray_cast import heights_of_hits
from sim_core.world.solids import Convex, Cuboid, HeightField, Solid
from sim_core.world.thing import Thing
from tests.shapes import extruded

EVERYWHERE = np.array([-1e3, -1e3]), np.array([1e3, 1e3])
RNG = np.random.default_rng(3)


STAIRS = [(0.0, 0.0), (1.2, 0.0), (1.2, 0.6), (0.9, 0.6), (0.9, 0.45), (0.6, 0.45), (0.6, 0.3), (0.3, 0.3), (0.3, 0.15),
          (0.0, 0.15)]  # fmt: skip
TABLE = [(0.0, 0.0), (0.1, 0.0), (0.1, 0.7), (1.1, 0.7), (1.1, 0.0), (1.2, 0.0), (1.2, 0.8), (0.0, 0.8)]
RAMP = [(0.0, 0.0), (2.0, 0.0), (2.0, 0.4), (1.0, 0.4)]
VALLEY = [(0.0, 0.0), (2.0, 0.0), (2.0, 0.5), (1.0, 0.1), (0.0, 0.4)]


def box(size: tuple[float, float, float]) -> Mesh:
    x, _, z = size
    return extruded([(0.0, 0.0), (x, 0.0), (x, z), (0.0, z)], size[1])


def rock(seed: int) -> Mesh:
    points = np.random.default_rng(seed).normal(size=(30, 3)) * 0.4
    hull = ConvexHull(points)
    corners = points[hull.simplices]
    out = np.einsum(
        "fi,fi->f", np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), hull.equations[:, :3]
    )
    return clean_mesh(points, np.where(out[:, None] > 0, hull.simplices, hull.simplices[:, ::-1]))


def bumpy(count: int, size: float) -> Mesh:
    """An open terrain of 2 (count - 1)^2 triangles."""
    x, y = np.meshgrid(np.linspace(0, size, count), np.linspace(0, size, count), indexing="ij")
    z = 0.2 * np.sin(2.0 * x) * np.cos(1.7 * y) + 0.05 * RNG.random(x.shape)
    k = np.arange(count**2).reshape(count, count)
    a, b, c, d = (part.ravel() for part in (k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]))
    return clean_mesh(
        np.stack([x, y, z], axis=-1).reshape(-1, 3), np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    )


def surface_heights(solids: tuple[Solid, ...], points: np.ndarray) -> np.ndarray:
    scene = Scene(ground=Ground(point=np.array([0.0, 0.0, -50.0])), things=(Thing(name="mesh", solids=solids),))
    return scene.surface(0.0).height(points)


def check_heights(mesh: Mesh, made: MeshSolids, count: int = 3000) -> None:
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    points = RNG.uniform(low - 0.05, high + 0.05, (count, 3)) * [1, 1, 0] + [0, 0, 20.0]
    expected = np.nan_to_num(heights_of_hits(mesh, points), nan=-50.0).max(axis=1)
    off = np.abs(surface_heights(made.solids, points) - expected)
    assert np.mean(off < 1e-3) > 0.999  # a spot may fall on an edge
    assert (expected > -50.0).mean() > 0.3


@pytest.mark.parametrize(
    ("mesh", "count"),
    [
        (extruded(STAIRS, 1.5), 4),
        (extruded(TABLE, 0.9), 1),
        (extruded(RAMP, 1.0), 1),
        (extruded(VALLEY, 1.0), 2),
        (rock(0), 1),
        (box((1.0, 2.0, 0.5)), 1),
        (bumpy(12, 4.0), None),
    ],
    ids=["stairs", "table", "ramp", "valley", "rock", "box", "terrain"],
)
@pytest.mark.parametrize("make", [lambda mesh: fixed_solids(mesh, *EVERYWHERE), moving_solids], ids=["fixed", "moving"])
def test_solids_are_as_high_as_the_triangles(mesh, count, make):
    made = make(mesh)
    check_heights(mesh, made)
    if count is not None:
        assert len(made.solids) == count


def test_a_mesh_turned_on_its_side_is_as_high_as_its_triangles():
    for seed in range(5):
        turn = rotations.normalise(np.random.default_rng(seed).normal(size=4))
        mesh = extruded(STAIRS, 1.5)
        turned = Mesh(vertices=rotations.rotate(turn, mesh.vertices), triangles=mesh.triangles)
        check_heights(turned, fixed_solids(turned, *EVERYWHERE))


def test_what_is_convex_keeps_its_volume():
    for seed in range(5):
        mesh = rock(seed)
        (solid,) = loose_solids(mesh).solids
        assert isinstance(solid, Convex)
        assert ConvexHull(solid.vertices).volume == pytest.approx(mesh.volume)
        assert loose_solids(mesh).made_of == fixed_solids(mesh, *EVERYWHERE).made_of == "itself"


def test_a_block_is_known_however_it_is_turned():
    for seed in range(5):
        turn = rotations.normalise(np.random.default_rng(seed).normal(size=4))
        mesh = box((1.0, 2.0, 0.5))
        turned = Mesh(vertices=rotations.rotate(turn, mesh.vertices), triangles=mesh.triangles)
        (solid,) = fixed_solids(turned, *EVERYWHERE).solids
        assert isinstance(solid, Cuboid)
        assert np.prod(2.0 * solid.half_extents) == pytest.approx(1.0)
        corners = np.sort(np.round(solid.vertices, 9), axis=0)
        np.testing.assert_allclose(corners, np.sort(np.round(turned.vertices, 9), axis=0), atol=1e-8)


def test_an_upright_block_is_not_turned():
    (solid,) = fixed_solids(box((0.3, 2.0, 0.5)), *EVERYWHERE).solids
    np.testing.assert_allclose(solid.turn, rotations.IDENTITY, atol=1e-9)
    np.testing.assert_allclose(solid.half_extents, [0.15, 1.0, 0.25])


def test_below_a_table_top_is_room():
    solids = fixed_solids(extruded(TABLE, 0.9), *EVERYWHERE).solids
    scene = Scene(ground=Ground(), things=(Thing(name="table", solids=solids),))
    assert scene.surface(0.0).height(np.array([0.6, 0.4, 0.3])) == 0.0


def test_below_a_stair_is_none():
    solids = fixed_solids(extruded(STAIRS, 1.5), *EVERYWHERE).solids
    assert min(solid.vertices[:, 2].min() for solid in solids) == 0.0
    assert sum(ConvexHull(solid.vertices).volume for solid in solids) == pytest.approx(extruded(STAIRS, 1.5).volume)


def test_a_mesh_that_is_inside_out_is_turned_round():
    mesh = extruded(STAIRS, 1.5)
    inside_out = clean_mesh(mesh.vertices, mesh.triangles[:, ::-1])
    assert inside_out.volume == pytest.approx(mesh.volume)
    check_heights(inside_out, fixed_solids(inside_out, *EVERYWHERE))


def test_parts_that_do_not_touch_are_solids_of_their_own():
    first, second = box((1.0, 1.0, 0.5)), rock(1)
    vertices = np.concatenate([first.vertices, second.vertices + np.array([3.0, 0.0, 0.0])])
    both = clean_mesh(vertices, np.concatenate([first.triangles, second.triangles + len(first.vertices)]))
    made = fixed_solids(both, *EVERYWHERE)
    assert [type(solid) for solid in made.solids] == [Cuboid, Convex]
    assert made.made_of == "itself"


def test_what_is_loose_is_its_hull_and_what_is_flat_is_nothing():
    made = loose_solids(extruded(STAIRS, 1.5))
    assert (len(made.solids), made.made_of) == (1, "hull")
    assert loose_solids(Mesh(vertices=np.eye(3), triangles=np.array([[0, 1, 2]]))).solids == ()


def test_a_terrain_of_many_faces_is_a_height_field_and_quick(capsys):
    mesh_data = bumpy(320, 20.0)
    start = time.perf_counter()
    mesh = clean_mesh(mesh_data.vertices, mesh_data.triangles)
    made = fixed_solids(mesh, np.array([4.0, 4.0]), np.array([14.0, 12.0]))
    took = time.perf_counter() - start
    with capsys.disabled():
        print(f"\n{len(mesh.triangles)} faces in {took:.2f} s")
    assert len(mesh.triangles) > 200_000
    assert took < 10.0
    (field,) = made.solids
    assert isinstance(field, HeightField)
    assert field.heights.size <= 251_000
    assert (field.corner >= 4.0).all()
    rows = np.stack([RNG.integers(0, count, 200) for count in field.heights.shape], axis=1)
    samples = np.concatenate([field.corner + field.cell * rows, np.full((200, 1), 9.0)], axis=1)
    near = np.abs(mesh.corners[:, 0, :2] - [9.0, 8.0]).max(axis=1) < 6.0
    expected = np.nan_to_num(heights_of_hits(mesh.of(mesh.triangles[near]), samples), nan=-50.0).max(axis=1)
    np.testing.assert_allclose(field.heights[tuple(rows.T)], expected, atol=1e-6)


def test_only_what_is_near_is_needed():
    made = fixed_solids(bumpy(100, 20.0), np.array([100.0, 100.0]), np.array([110.0, 110.0]))
    assert made.solids == ()
