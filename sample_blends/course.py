"""What lies in the way of a walk: slabs, hills, stairs and blocks, placed by how far ahead and aside they are."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, sin, tau

import bmesh
import bpy
from bpy.types import Collection, Mesh, Object, Scene
from mathutils import Matrix, Vector

from sample_blends.scenery import material

COLOURS = {
    "stone": (0.62, 0.64, 0.67, 1.0),
    "earth": (0.55, 0.60, 0.50, 1.0),
    "wood": (0.78, 0.60, 0.40, 1.0),
    "ice": (0.72, 0.86, 0.95, 1.0),
    "moving": (0.85, 0.68, 0.35, 1.0),
    "loose": (0.80, 0.45, 0.35, 1.0),
    "cup": (0.35, 0.55, 0.80, 1.0),
}
_CORNERS = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
Height = Callable[[float, float], float]  # of the ground, ahead and aside of the start


@dataclass(frozen=True, kw_only=True)
class Course:
    """Measured from where the walk starts, along it and to its left, in metres."""

    start: Vector
    along: Vector
    collection: Collection

    def matrix(self, ahead: float, aside: float = 0.0, up: float = 0.0, turn: float = 0.0) -> Matrix:
        """X points ahead, Y to the left."""
        left = Vector((0.0, 0.0, 1.0)).cross(self.along)
        axes = Matrix((self.along, left, Vector((0.0, 0.0, 1.0)))).transposed().to_4x4()
        place = self.start + ahead * self.along + aside * left + Vector((0.0, 0.0, up))
        return Matrix.Translation(place) @ axes @ Matrix.Rotation(turn, 4, "Z")

    def add(self, name: str, mesh: Mesh, matrix: Matrix, colour: str) -> Object:
        mesh.materials.append(bpy.data.materials.get(colour) or material(colour, COLOURS[colour]))
        item = bpy.data.objects.new(name, mesh)
        self.collection.objects.link(item)
        item.matrix_world = matrix
        return item

    def slab(self, name: str, begin: float, end: float, *, width: float = 3.0, top: float = 0.0, colour: str) -> Object:
        """A floor of some length, 10 cm thick."""
        matrix = self.matrix((begin + end) / 2.0, 0.0, top - 0.05)
        return self.add(name, box_mesh(name, (end - begin, width, 0.1)), matrix, colour)

    def block(self, name: str, size: Vector, matrix: Matrix, colour: str) -> Object:
        return self.add(name, box_mesh(name, size), matrix, colour)


def new_course(scene: Scene, start: Vector, along: Vector) -> Course:
    collection = bpy.data.collections.new("World")
    scene.collection.children.link(collection)
    return Course(start=start, along=along, collection=collection)


def box_mesh(name: str, size: Vector | tuple[float, float, float]) -> Mesh:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(c * s for c, s in zip(corner, size, strict=True)) for corner in _CORNERS], [], _FACES)
    return mesh


def ground_mesh(height: Height, begin: float, end: float, width: float, cell: float) -> Mesh:
    """A grid over the course, as high as `height` says."""
    columns, rows = ceil((end - begin) / cell), ceil(width / cell)
    points = [
        (x := begin + cell * column, y := cell * row - width / 2.0, height(x, y))
        for row in range(rows + 1)
        for column in range(columns + 1)
    ]
    corner = [row * (columns + 1) + column for row in range(rows) for column in range(columns)]
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(points, [], [(k, k + 1, k + columns + 2, k + columns + 1) for k in corner])
    for face in mesh.polygons:
        face.use_smooth = True
    return mesh


def stairs_mesh(steps: int, rise: float, run: float, platform: float, width: float) -> Mesh:
    """Up, a platform, and as many down: closed, and with its foot at the origin."""
    outline = [(0.0, 0.0)]
    for step in range(steps):
        length = platform if step == steps - 1 else run
        outline += [(step * run, (step + 1) * rise), (step * run + length, (step + 1) * rise)]
    for step in range(steps - 1, 0, -1):
        x = outline[-1][0]
        outline += [(x, step * rise), (x + run, step * rise)]
    outline.append((outline[-1][0], 0.0))
    count = len(outline)
    points = [(x, side * width / 2.0, z) for side in (-1.0, 1.0) for x, z in outline]
    around = [(k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(count)]
    mesh = bpy.data.meshes.new("Stairs")
    mesh.from_pydata(points, [], [*around, tuple(range(count)), tuple(range(count, 2 * count))])
    shell = bmesh.new()
    shell.from_mesh(mesh)
    bmesh.ops.recalc_face_normals(shell, faces=shell.faces)
    shell.to_mesh(mesh)
    shell.free()
    return mesh


def cup_mesh(radius: float, height: float) -> Mesh:
    shell = bmesh.new()
    bmesh.ops.create_cone(
        shell, cap_ends=True, segments=16, radius1=0.8 * radius, radius2=radius, depth=height, calc_uvs=False
    )
    mesh = bpy.data.meshes.new("Cup")
    shell.to_mesh(mesh)
    shell.free()
    return mesh


def ball_mesh(radius: float) -> Mesh:
    shell = bmesh.new()
    bmesh.ops.create_icosphere(shell, subdivisions=3, radius=radius)
    mesh = bpy.data.meshes.new("Ball")
    shell.to_mesh(mesh)
    shell.free()
    for face in mesh.polygons:
        face.use_smooth = True
    return mesh


def rigid(scene: Scene, item: Object, kind: str, **settings: object) -> Object:
    """With one of Blender's rigid bodies; Blender's own simulation stays off, or blocks would fall before the bake."""
    if scene.rigidbody_world is None:
        bpy.ops.rigidbody.world_add()
        scene.rigidbody_world.collection = bpy.data.collections.new("Rigid Bodies")
        scene.rigidbody_world.enabled = False
    scene.rigidbody_world.collection.objects.link(item)
    item.rigid_body.type = kind
    for name, value in settings.items():
        setattr(item.rigid_body, name, value)
    return item


def swing(item: Object, frames: range, period: float, offset: Callable[[float], Matrix]) -> None:
    """Keys at every other frame; `offset` of a wave between -1 and 1 moves it in its own axes."""
    rest = item.matrix_world.copy()
    item.rotation_mode = "QUATERNION"
    for frame in frames[::2]:
        item.matrix_world = rest @ offset(sin(tau * (frame - frames[0]) / period))
        item.keyframe_insert("location", frame=frame)
        item.keyframe_insert("rotation_quaternion", frame=frame)


def bumps(seed: int, size: float, cell: float) -> Height:
    """Irregular ground: a height of its own for every place of a grid, smooth between, and none at the start."""
    chance = random.Random(seed)
    heights: dict[tuple[int, int], float] = {}

    def at(column: int, row: int) -> float:
        if (column, row) not in heights:
            heights[column, row] = chance.uniform(-size, size)
        return heights[column, row]

    def height(ahead: float, aside: float) -> float:
        column, row = int(ahead // cell), int(aside // cell)
        x, y = ahead / cell - column, aside / cell - row
        near = at(column, row) * (1 - x) + at(column + 1, row) * x
        far = at(column, row + 1) * (1 - x) + at(column + 1, row + 1) * x
        return (near * (1 - y) + far * y) * min(max((ahead - 0.4) / 0.6, 0.0), 1.0)

    return height
