"""Collections of things around a character, and what Heft reads of them."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Collection, Mesh, Object

FRAMES = 12
CUBE = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
CUBE_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def world_collection(armature: Object | None = None, name: str = "World") -> Collection:
    collection = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(collection)
    if armature is not None:
        armature.heft.ground = collection
    return collection


def cube_mesh() -> Mesh:
    mesh = bpy.data.meshes.new("Cube")
    mesh.from_pydata(CUBE, [], CUBE_FACES)
    return mesh


def plane_mesh(size: float = 20.0, height: float = 0.0, tilt: float = 0.0) -> Mesh:
    half = size / 2.0
    mesh = bpy.data.meshes.new("Plane")
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    mesh.from_pydata([(x, y, height + tilt * x) for x, y in corners], [], [(0, 1, 2, 3)])
    return mesh


def add(collection: Collection, name: str, data: Any, **settings: Any) -> Object:
    item = bpy.data.objects.new(name, data)
    collection.objects.link(item)
    for attribute, value in settings.items():
        setattr(item, attribute, value)
    bpy.context.view_layer.update()
    return item


def slide(item: Object, first: int = 1, last: int = FRAMES, metres: float = 1.0) -> Action:
    """Keys that move and turn it, in straight lines."""
    for frame, way in ((first, 0.0), (last, 1.0)):
        item.location.x += way * metres
        item.rotation_euler.z += way * 0.8
        item.keyframe_insert("location", frame=frame)
        item.keyframe_insert("rotation_euler", frame=frame)
    return item.animation_data.action


def rigid(item: Object, kind: str = "ACTIVE", **settings: Any) -> Object:
    """With one of Blender's rigid bodies."""
    scene = bpy.context.scene
    if scene.rigidbody_world is None:
        bpy.ops.rigidbody.world_add()
    if scene.rigidbody_world.collection is None:
        scene.rigidbody_world.collection = bpy.data.collections.new("Rigid Bodies")
    scene.rigidbody_world.collection.objects.link(item)
    item.rigid_body.type = kind
    for attribute, value in settings.items():
        setattr(item.rigid_body, attribute, value)
    return item


def made_motion(frames: int = FRAMES, metres_per_unit: float = 1.0, first: int = 1, fps: float = 30.0) -> Any:
    """As much of a RigMotion as the world asks for: two metres along Y."""
    path = np.column_stack([np.zeros(frames), np.linspace(-1.0, 1.0, frames), np.ones(frames)])
    return SimpleNamespace(
        frames=np.arange(first, first + frames),
        rig=SimpleNamespace(metres_per_unit=metres_per_unit),
        clip=SimpleNamespace(positions=path[:, None], fps=fps),
    )


def read(heft: Callable[[str], ModuleType], armature: Object, motion: Any = None, friction: float = 0.8) -> Any:
    run_to_end = heft("addon.generators").run_to_end
    motion = made_motion() if motion is None else motion
    return run_to_end(heft("addon.world.read_world").read_world(armature, bpy.context.scene, motion, friction))


def written(heft: Callable[[str], ModuleType], world: Any, folder: Path) -> tuple[dict[str, Any], Any]:
    """The scene as the worker gets it: its JSON, and the arrays beside it."""
    import json

    path = folder / "scene.json"
    heft("addon.world.scene_file").write_scene(path, world)
    meshes = folder / "objects.npz"
    arrays = dict(np.load(meshes)) if meshes.exists() else {}
    return json.loads(path.read_text()), arrays


def corners(told: dict[str, Any], arrays: Any, row: int = 0) -> np.ndarray:
    """The vertices (V, 3) of an object of a scene file, in the world."""
    from mathutils import Matrix, Quaternion, Vector

    where = told.get("moves")
    place = where["positions"][row] if where else told["position"]
    turn = where["rotations"][row] if where else told["rotation"]
    if "box" in told:
        points = [Vector(corner) * Vector(told["box"]["size"]) for corner in CUBE]
    else:
        points = [Vector(point) for point in arrays[f"{told['mesh_name']}_vertices"]]
    matrix = Matrix.LocRotScale(Vector(place), Quaternion(turn), None)
    return np.array([matrix @ point for point in points])


def shown(item: Object, frame: int = 1) -> np.ndarray:
    """The vertices (V, 3) of a mesh object as Blender shows them."""
    bpy.context.scene.frame_set(frame)
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([evaluated.matrix_world @ vertex.co for vertex in evaluated.data.vertices])


def same_points(a: Sequence[Any], b: Sequence[Any], tolerance: float = 1e-5) -> bool:
    """Whether they are the same places, in whatever order."""
    a, b = np.asarray(a), np.asarray(b)
    apart = np.linalg.norm(a[:, None] - b[None], axis=-1)
    return bool(apart.min(axis=0).max() < tolerance and apart.min(axis=1).max() < tolerance)


TURN = math.radians(33.0)
