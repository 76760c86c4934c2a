"""From what a rig does in Blender to a clip: constraints, drivers, IK and the NLA included."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import NamedTuple

import bpy
import numpy as np
from bpy.types import Object, Scene

from ...sim_core import rotations
from ...sim_core.arrays import Floats, Ints
from ...sim_core.errors import RigError
from ...sim_core.motion.clip import Clip
from ..generators import LongPieceAhead
from ..leftovers import mark
from .bone_frames import is_flat, matrices_of, rotations_of
from .read_rig import NO_POSE_BONE, RigBones, in_parent_positions, in_parent_rotations, rig_standing_at

_BONES_AT_ONCE = 2000  # turned into rotations between two pauses, some 5 ms
_BONES_CHANGED = "The bones of '{}' were changed while its motion was read; bake again."
_UNEVEN = 0.01  # of the scale of an object: between its axes, or between frames


@dataclass(frozen=True, kw_only=True, eq=False)
class RigMotion:
    """A rig's motion twice: as the clip that is simulated, and as Blender has it."""

    rig: RigBones
    clip: Clip  # metres, world
    frames: Ints  # (T,) frames of the scene
    object_world: Floats  # (T, 4, 4) the armature object in the world, in Blender's units
    pose: Floats  # (T, B, 4, 4) every pose bone in the armature's space, rows and columns as on paper


def read_motion(
    armature: Object, scene: Scene, rig: RigBones, frames: Sequence[int]
) -> Generator[float, None, RigMotion]:
    """Yields its fraction after every frame. The person's scene stays at its frame, and nothing is left behind.

    The rest pose of the returned rig stands where the object is in the first frame, so that what is read does not
    depend on the frame that the person happens to look at.
    """
    trouble = why_unreadable(armature, scene)
    if trouble:
        raise RigError(trouble)
    name = str(armature.name)
    try:
        poses = yield from read_poses(armature, frames)
        _check_object(name, poses.object_world, frames)
        yield 1.0
        standing = rig_standing_at(poses.object_world[0], armature, scene)
        fps = scene.render.fps / scene.render.fps_base
    except ReferenceError:
        raise RigError(f"'{name}' was deleted while its motion was read; nothing was changed.") from None
    if standing.skeleton.names != rig.skeleton.names:
        raise RigError(_BONES_CHANGED.format(name))
    yield 1.0
    return RigMotion(
        rig=standing,
        clip=(yield from clip_of(standing, poses, fps)),
        frames=np.array(frames, dtype=np.int64),
        object_world=poses.object_world,
        pose=poses.bones,
    )


def why_unreadable(armature: Object, scene: Scene) -> str:
    """A sentence where the armature shows no animation now; empty where it does."""
    name = armature.name
    if armature.mode == "EDIT":
        return f"'{name}' is in Edit Mode, where nothing moves; leave it with Tab."
    if armature.data.pose_position == "REST":
        return f"'{name}' is kept in its rest position; choose Pose Position in its Armature properties."
    if armature.hide_viewport:
        return (
            f"'{name}' is disabled in viewports, so Blender does not move it; enable it in the Outliner (screen icon)."
        )
    if scene.render.frame_map_old != scene.render.frame_map_new:
        return "Time Stretching is on in this scene; set Old and New to the same number in the Output properties."
    return ""


class RigPoses(NamedTuple):
    """What Blender shows, in its own units."""

    object_world: Floats  # (T, 4, 4) the armature object
    bones: Floats  # (T, B, 4, 4) its pose bones, in its space


def read_poses(armature: Object, frames: Sequence[int] | Ints) -> Generator[float, None, RigPoses]:
    """Yields its fraction after every frame; as polite as `read_motion`."""
    bone_count = len(armature.pose.bones)
    object_world, pose = np.empty((len(frames), 4, 4)), np.empty((len(frames), bone_count, 4, 4))
    with scene_of_its_own(armature) as stage:
        yield LongPieceAhead(0.0)  # the first frame: Blender looks up all that the rig depends on
        for row, frame in enumerate(frames):
            evaluated = evaluated_at(armature, stage, int(frame))
            if len(evaluated.pose.bones) != bone_count:
                raise RigError(_BONES_CHANGED.format(armature.name))
            object_world[row] = evaluated.matrix_world
            pose[row] = matrices_of(evaluated.pose.bones, "matrix")
            yield (row + 1) / len(frames)
    return RigPoses(object_world, pose)


@contextmanager
def scene_of_its_own(armature: Object) -> Iterator[Scene]:
    """A scene with nothing but the armature: Blender evaluates what it depends on, and no meshes that hang on it."""
    stage = bpy.data.scenes.new("Heft reads a motion")
    try:
        mark(stage)
        stage.is_runtime_data = True  # a file saved meanwhile is saved without it
        stage.collection.objects.link(armature)
        yield stage
    finally:
        with suppress(ReferenceError):  # another file was loaded meanwhile
            bpy.data.scenes.remove(stage)


def evaluated_at(armature: Object, stage: Scene, frame: int) -> Object:
    """The armature as Blender shows it at the frame, constraints, drivers and the NLA included."""
    stage.frame_set(frame)
    evaluated = armature.evaluated_get(stage.view_layers[0].depsgraph)
    if evaluated.hide_viewport:
        raise RigError(
            f"'{armature.name}' is disabled in viewports in frame {frame}, so Blender does not move it; "
            "take that out of its animation, or choose other frames."
        )
    return evaluated


def _check_object(name: str, object_world: Floats, frames: Sequence[int]) -> None:
    """A rig that is stretched, mirrored or growing has no bones of one length."""
    scales = np.linalg.svd(object_world[:, :3, :3], compute_uv=False)  # (T, 3), largest first
    if np.any(scales[:, 2] <= 1e-9):
        frame = frames[int(np.argmin(scales[:, 2]))]
        raise RigError(f"'{name}' is scaled to nothing in frame {frame}; give it a scale, or choose other frames.")
    if np.any(np.linalg.det(object_world[:, :3, :3]) < 0.0):
        raise RigError(f"'{name}' is mirrored by a negative scale; apply it with Object > Apply > Scale.")
    if np.any(scales[:, 0] > (1.0 + _UNEVEN) * scales[:, 2]):
        uneven = ", ".join(f"{value:.3g}" for value in scales[0, ::-1])
        raise RigError(f"'{name}' is scaled unevenly ({uneven}); apply it with Object > Apply > Scale.")
    if np.max(scales) > (1.0 + _UNEVEN) * np.min(scales):
        raise RigError(f"'{name}' grows or shrinks from frame to frame; take the animation of its scale out.")


def clip_of(rig: RigBones, poses: RigPoses, fps: float) -> Generator[float, None, Clip]:
    """The poses in metres; yields now and then."""
    positions, turns = [], []
    frames_at_once = max(_BONES_AT_ONCE // len(rig.skeleton), 1)
    for start in range(0, len(poses.bones), frames_at_once):
        some = slice(start, start + frames_at_once)
        local = _local_pose(rig, poses.object_world[some], poses.bones[some])
        positions.append(local.positions)
        turns.append(local.rotations)
        yield 1.0
    return Clip(
        skeleton=rig.skeleton,
        fps=fps,
        positions=np.concatenate(positions),
        rotations=rotations.continuous(np.concatenate(turns)),
    )


class _LocalPose(NamedTuple):
    positions: Floats  # (T, J, 3)
    rotations: Floats  # (T, J, 4)


def _local_pose(rig: RigBones, object_world: Floats, pose: Floats) -> _LocalPose:
    """The bones of the skeleton in the frames of their parents [m]."""
    parents = rig.skeleton.parents
    world = object_world[:, None] @ pose[:, rig.pose_rows]  # (T, J, 4, 4)
    world[:, rig.pose_rows == NO_POSE_BONE] = object_world[:, None]
    turns, heads = rotations_of(world), world[..., :3, 3] * rig.metres_per_unit
    flat = is_flat(world)
    for bone in np.flatnonzero(np.any(flat, axis=0)):
        # A bone scaled to nothing has no rotation of its own: it gets that of its rest pose on its parent.
        frames = flat[:, bone]
        above = turns[frames, parents[bone]] if bone else rotations.IDENTITY
        turns[frames, bone] = rotations.multiply(above, rig.skeleton.rest_rotations[bone])
    return _LocalPose(in_parent_positions(parents, heads, turns), in_parent_rotations(parents, turns))
