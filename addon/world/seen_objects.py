"""What a viewport shows of a collection in one frame: every mesh of it, instances included, and where it is."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import NamedTuple

import bpy
import numpy as np
from bpy.types import Collection, Depsgraph, DepsgraphObjectInstance, Mesh, Object, Scene

from ...sim_core.arrays import Floats, Ints
from ..leftovers import mark

_NO_ID = 2**31 - 1  # how Blender fills up the numbers of an instance
Key = tuple[int, ...]  # tells one thing from all others, in every frame


class MeshArrays(NamedTuple):
    vertices: Floats  # (V, 3) in the axes of the object, Blender's units
    triangles: Ints  # (F, 3)


@dataclass(frozen=True, kw_only=True)
class RigidBody:
    """What is set under Physics > Rigid Body."""

    is_active: bool
    is_animated: bool
    mass: float
    friction: float
    shape: str


@dataclass(frozen=True, kw_only=True, eq=False)
class SeenObject:
    name: str
    uid: int
    place: int  # among all that Blender shows
    why_no_keys: str  # empty for an object that can be given keys
    matrix: Floats  # (4, 4)
    mesh: MeshArrays
    mesh_number: int  # of those that share a mesh
    rigid_body: RigidBody | None
    belt: tuple[float, float, float]


@contextmanager
def stage_for(collection: Collection, scene: Scene) -> Iterator[Scene]:
    """A scene with nothing but the collection, so that the person's scene stays at its frame.

    It has no rigid body world: things are where they are keyed or placed, not where Blender let them fall.
    """
    stage = bpy.data.scenes.new("Heft reads the world")
    try:
        mark(stage)
        stage.is_runtime_data = True  # a file saved meanwhile is saved without it
        stage.render.fps, stage.render.fps_base = scene.render.fps, scene.render.fps_base
        stage.collection.children.link(collection)
        yield stage
    finally:
        with suppress(ReferenceError):  # another file was loaded meanwhile
            bpy.data.scenes.remove(stage)


def counted_objects(collection: Collection, scene: Scene) -> set[int]:
    """Those that are in a view layer of the scene, as in Blender's own physics; all, where the collection is in none.

    The eye in the Outliner hides, the check box of a collection excludes.
    """
    everything = {item.session_uid for item in collection.all_objects}
    layers = [layer.layer_collection for layer in scene.view_layers]
    included = set()
    while layers:
        layer = layers.pop()
        layers += layer.children
        if not layer.exclude:
            included |= {item.session_uid for item in layer.collection.objects}
    return everything & included or everything


def see_objects(stage: Scene, counted: set[int], rig: Object) -> dict[Key, SeenObject]:
    depsgraph = stage.view_layers[0].depsgraph
    found: dict[Key, SeenObject] = {}
    meshes: dict[int, tuple[int, MeshArrays]] = {}
    for place, instance in _meshes_of(depsgraph, counted, rig):
        shown, original = instance.object, instance.object.original
        pointer = shown.data.as_pointer()
        if pointer not in meshes:
            meshes[pointer] = (len(meshes), arrays_of(shown.data))
        number, mesh = meshes[pointer]
        found[_key(instance)] = SeenObject(
            name=original.name,
            uid=original.session_uid,
            place=place,
            why_no_keys=_why_no_keys(instance),
            matrix=np.array(instance.matrix_world),
            mesh=mesh,
            mesh_number=number,
            rigid_body=_rigid_body(original, shown),
            belt=tuple(original.heft_world.belt),
        )
    return found


def see_places(stage: Scene, seen: Mapping[Key, SeenObject]) -> dict[Key, Floats]:
    """Only the matrices (4, 4), of what was seen before and is still there."""
    found: dict[Key, Floats] = {}
    expected = iter(seen.items())
    key, item = next(expected)
    # Telling instances apart takes longer than all else, and they come in the same order almost always.
    for place, instance in enumerate(stage.view_layers[0].depsgraph.object_instances):
        if place < item.place:
            continue
        if place > item.place or instance.object.name != item.name:
            break
        found[key] = np.array(instance.matrix_world)
        key, item = next(expected, (key, item))
        if key in found:
            return found
    return {key: np.array(instance.matrix_world) for key, instance in _again(stage, seen)}


def see_sums(stage: Scene, seen: Mapping[Key, SeenObject]) -> dict[Key, Floats]:
    """Some numbers of every mesh that change when it is deformed."""
    sums: dict[int, Floats] = {}
    found = {}
    for key, item in _again(stage, seen):
        mesh = item.object.data
        if mesh.as_pointer() not in sums:
            sums[mesh.as_pointer()] = shape_sums(vertices_of(mesh))
        found[key] = sums[mesh.as_pointer()]
    return found


def shape_sums(vertices: Floats) -> Floats:
    return np.concatenate([vertices.sum(axis=0), (vertices**2).sum(axis=0), [len(vertices)]])


def arrays_of(mesh: Mesh) -> MeshArrays:
    mesh.calc_loop_triangles()
    rows = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", rows)
    return MeshArrays(vertices_of(mesh), rows.reshape(-1, 3).astype(np.int64))


def vertices_of(mesh: Mesh) -> Floats:
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    return points.reshape(-1, 3).astype(np.float64)


def _meshes_of(depsgraph: Depsgraph, counted: set[int], rig: Object) -> Iterator[tuple[int, DepsgraphObjectInstance]]:
    """With their places among all that is shown.

    Curves, texts and metaballs are shown as themselves, and once more as instances of the meshes they make.
    """
    for place, instance in enumerate(depsgraph.object_instances):
        owner = instance.parent.original if instance.is_instance else instance.object.original
        if instance.object.type != "MESH" or not instance.show_self:
            continue
        if owner.session_uid in counted and not _belongs_to(owner, rig) and not _belongs_to(instance.object, rig):
            yield place, instance


def _again(stage: Scene, seen: Mapping[Key, SeenObject]) -> Iterator[tuple[Key, DepsgraphObjectInstance]]:
    """One by one, by what they are."""
    for instance in stage.view_layers[0].depsgraph.object_instances:
        if instance.object.type == "MESH" and (key := _key(instance)) in seen:
            yield key, instance


def _belongs_to(item: Object, rig: Object) -> bool:
    """The rig's own body: what it deforms and what hangs on it."""
    above: Object | None = item.original
    if any(modifier.type == "ARMATURE" and modifier.object == rig for modifier in above.modifiers):
        return True
    while above is not None and above != rig:
        above = above.parent
    return above is not None


def _is_itself(instance: DepsgraphObjectInstance) -> bool:
    """Whether it is an object and not one of many copies of it."""
    if not instance.is_instance:
        return True
    return instance.parent.original == instance.object.original and instance.persistent_id[1] == _NO_ID


def _key(instance: DepsgraphObjectInstance) -> Key:
    if _is_itself(instance):
        return (instance.object.original.session_uid,)
    return (instance.object.original.session_uid, instance.parent.original.session_uid, *instance.persistent_id)


def _why_no_keys(instance: DepsgraphObjectInstance) -> str:
    if not _is_itself(instance):
        return "is an instance; make it real with Object > Apply > Make Instances Real"
    original = instance.object.original
    if not original.is_editable:
        return "is linked from another file; make a library override of it"
    return ""


def _rigid_body(original: Object, shown: Object) -> RigidBody | None:
    body = original.rigid_body
    if body is None:
        return None
    now = shown.rigid_body or body  # Animated may be keyed
    return RigidBody(
        is_active=body.type == "ACTIVE" and body.enabled,
        is_animated=bool(now.kinematic),
        mass=float(body.mass),
        friction=float(body.friction),
        shape=str(body.collision_shape),
    )
