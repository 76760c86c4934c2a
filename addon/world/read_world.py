"""The ground collection as a world for the worker: what stands, what moves by itself, what is loose."""

from collections.abc import Generator

import numpy as np
from bpy.types import Object, Scene

from ...sim_core import rotations
from ...sim_core.arrays import Bools, Floats
from ...sim_core.errors import SettingsError
from ..generators import LongPieceAhead
from ..reading.read_motion import RigMotion
from .ground_plane import Floor, Top, find_floor, spots_of, top_of
from .placements import Path, path_from, placement
from .seen_objects import Key, SeenObject, counted_objects, see_objects, see_places, see_sums, shape_sums, stage_for
from .shapes import Kind, Shape, shape
from .world import Loose, World, WorldObject
from .world_words import Findings

_LEAST_FRICTION = 0.01  # the worker's
_STILL_M, _STILL_RAD = 1e-4, 1e-3  # less is no motion
_SAME = 1e-4  # of the numbers that tell a deformed mesh
_FLAT_M = 1e-4
_AT_ONCE = 50  # objects between two pauses
_SHAPES: dict[str, Kind] = {"BOX": "BOX", "SPHERE": "BALL"}


def read_world(
    armature: Object, scene: Scene, motion: RigMotion, friction: float, *, whole_scene: bool = False
) -> Generator[float, None, World | None]:
    """Yields its fraction. None where no collection was chosen; the person's scene stays at its frame.

    What moves is followed to the last frame of the motion, or of the scene where a take may get longer than that.
    """
    collection = armature.heft.ground
    if collection is None:
        return None
    name, counted = str(collection.name), counted_objects(collection, scene)
    findings = Findings()
    first, last = int(motion.frames[0]), int(motion.frames[-1])
    frames = range(first, max(last, scene.frame_end if whole_scene else last) + 1)
    with stage_for(collection, scene) as stage:
        yield LongPieceAhead(0.0)
        stage.frame_set(int(motion.frames[0]))
        seen = see_objects(stage, counted, armature)
        if not seen:
            raise SettingsError(
                f"Nothing in the collection '{name}' has faces to stand on; put the ground and obstacles into it, or "
                "leave World empty."
            )
        moving = yield from _follow(stage, seen, frames, motion.rig.metres_per_unit, findings)
    objects = yield from _objects(seen, moving, motion, friction, findings)
    if not objects:
        raise SettingsError(
            f"Everything in the collection '{name}' is without faces or scaled to nothing; scale it up."
        )
    floor = yield from _floor(objects, motion)
    own_friction = None
    if floor.index is not None:
        own_friction = objects[floor.index].friction
        objects = [item for index, item in enumerate(objects) if index != floor.index]
    return World(
        ground=floor.plane,
        is_whole=floor.is_whole,
        ground_friction=own_friction,
        first_frame=int(motion.frames[0]),
        objects=tuple(objects),
        warnings=findings.sentences(int(motion.frames[0])),
    )


def _follow(
    stage: Scene, seen: dict[Key, SeenObject], frames: range, metres: float, findings: Findings
) -> Generator[float, None, dict[Key, Floats]]:
    """The matrices (T, 4, 4) of all that is ever elsewhere than in the first frame."""
    keys = list(seen)
    sums = {key: shape_sums(item.mesh.vertices) for key, item in seen.items()}
    first = np.stack([item.matrix for item in seen.values()])
    looked_at = {len(frames) // 2, len(frames) - 1}
    moving: dict[Key, Floats] = {}
    for row, frame in enumerate(frames[1:], start=1):
        stage.frame_set(frame)
        places = see_places(stage, seen)
        findings.vanishing |= {seen[key].name for key in seen.keys() - places.keys()}
        now = np.stack([places.get(key, moving[key][row] if key in moving else seen[key].matrix) for key in keys])
        for number in np.flatnonzero(_is_elsewhere(first, now, metres)):
            moving.setdefault(keys[number], np.tile(first[number], (len(frames), 1, 1)))
        for number, key in enumerate(keys):
            if key in moving:
                moving[key][row:] = now[number]
        if row in looked_at:
            for key, numbers in see_sums(stage, seen).items():
                if not np.allclose(numbers, sums[key], rtol=_SAME, atol=_SAME):
                    findings.deforming.add(seen[key].name)
        yield (row + 1) / len(frames)
    return moving


def _is_elsewhere(first: Floats, now: Floats, metres: float) -> Bools:
    """(N,) of matrices (N, 4, 4)."""
    away = np.abs(now - first)
    size = np.maximum(np.abs(first[:, :3, :3]).max(axis=(1, 2)), 1e-9)
    moved = away[:, :3, 3].max(axis=1) * metres > _STILL_M
    turned = away[:, :3, :3].max(axis=(1, 2)) > _STILL_RAD * size
    result: Bools = moved | turned
    return result


def _objects(
    seen: dict[Key, SeenObject],
    moving: dict[Key, Floats],
    motion: RigMotion,
    friction: float,
    findings: Findings,
) -> Generator[float, None, list[WorldObject]]:
    metres = np.diag([*[motion.rig.metres_per_unit] * 3, 1.0])
    shapes: dict[tuple[int, Kind, bytes], Shape] = {}
    names: dict[str, int] = {}
    found = []
    for number, (key, item) in enumerate(seen.items()):
        start = placement(metres @ item.matrix)
        kind: Kind = _SHAPES.get(item.rigid_body.shape, "MESH") if item.rigid_body is not None else "MESH"
        same = (item.mesh_number, kind, (start.stretch.round(6) + 0.0).tobytes())
        if same not in shapes:
            shapes[same] = _shape(item, start.stretch, kind)
        if shapes[same].is_nothing:
            findings.empty.add(item.name)
            continue
        path = None
        if key in moving:
            path = path_from(start, metres @ moving[key])
            if path.is_stretched:
                findings.growing.add(item.name)
        loose = _loose(item, path, motion.clip.fps, findings)
        found.append(
            WorldObject(
                name=_unique(item.name, names),
                uid=item.uid,
                shape=shapes[same],
                placement=start,
                friction=max(item.rigid_body.friction if item.rigid_body else friction, _LEAST_FRICTION),
                path=None if loose is not None else path,
                loose=loose,
                belt=item.belt if any(item.belt) and loose is None else None,
            )
        )
        if number % _AT_ONCE == 0:
            yield 1.0
    return found


def _shape(item: SeenObject, stretch: Floats, kind: Kind) -> Shape:
    triangles = item.mesh.triangles
    if np.linalg.det(stretch) < 0:  # mirrored: what was outside would be inside
        triangles = triangles[:, ::-1]
    made = shape(item.mesh.vertices @ stretch.T, triangles, kind)
    is_flat = len(made.vertices) and made.size.min() < _FLAT_M  # no box that a worker could build
    return shape(made.vertices, triangles) if kind == "BOX" and is_flat else made


def _loose(item: SeenObject, path: Path | None, fps: float, findings: Findings) -> Loose | None:
    body = item.rigid_body
    if body is None:
        return None
    if body.is_animated:
        if path is None:
            findings.unmoved.add(item.name)
        return None
    if not body.is_active:
        return None
    if item.why_no_keys:
        findings.without_keys[item.name] = item.why_no_keys
        return None
    velocity = spin = np.zeros(3)
    if path is not None:  # thrown by its own animation
        velocity = fps * (path.positions[1] - path.positions[0])
        turn = rotations.multiply(path.rotations[1], rotations.inverse(path.rotations[0]))
        spin = fps * rotations.log(turn)
    return Loose(mass=body.mass, velocity=velocity, spin=spin, object_name=item.name)


def _unique(name: str, taken: dict[str, int]) -> str:
    """Instances have the name of what they copy."""
    taken[name] = taken.get(name, 0) + 1
    if taken[name] == 1:
        return name
    return _unique(f"{name} #{taken[name]}", taken)


def _floor(objects: list[WorldObject], motion: RigMotion) -> Generator[float, None, Floor]:
    spots = spots_of(motion.clip.positions[:, 0])
    still: dict[int, Top] = {}
    others: list[Top] = []
    for index, item in enumerate(objects):
        if item.loose is None:
            top = top_of(item.corners(), spots)
            if item.path is None and item.belt is None:
                still[index] = top
            else:
                others.append(top)
        if index % _AT_ONCE == 0:
            yield 1.0
    floor = find_floor(list(still.values()), others)
    return floor if floor.index is None else floor._replace(index=list(still)[floor.index])
