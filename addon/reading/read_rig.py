"""From a Blender armature to a skeleton in metres, in the axes of the world."""

from dataclasses import dataclass

import numpy as np
from bpy.types import Object, Scene

from ...sim_core import rotations
from ...sim_core.arrays import Floats, Ints
from ...sim_core.errors import RigError
from ...sim_core.motion.motion_guesses import FigurePoints, figure_size, guess_scale
from ...sim_core.motion.skeleton import Skeleton
from .bone_frames import rotations_of
from .skeleton_bones import ControlRig, SkeletonBones, skeleton_bones

MADE_UP_ROOT = "armature object"
NO_POSE_BONE = -1  # the row of the made-up root among the pose bones
_PLAUSIBLE_M = (0.5, 3.5)  # from end to end: what a scene says of its units is believed within these


@dataclass(frozen=True, kw_only=True, eq=False)
class RigBones:
    """The bones of an armature that Heft looks at, and the skeleton they are."""

    skeleton: Skeleton
    pose_rows: Ints  # (J,) the row of each bone in armature.pose.bones; NO_POSE_BONE for a made-up root
    metres_per_unit: float  # of Blender's world space
    guesses: tuple[str, ...]  # sentences for the animator
    control_rig: ControlRig


def read_rig(armature: Object, scene: Scene) -> RigBones:
    """The rig with its rest pose where the object stands now; it is only looked at, so panels may ask."""
    return rig_standing_at(np.array(armature.matrix_world), armature, scene)


def rig_standing_at(object_world: Floats, armature: Object, scene: Scene) -> RigBones:
    """The rig with its rest pose placed by that matrix (4, 4) of the object, in Blender's units."""
    if armature.type != "ARMATURE":
        raise RigError(f"'{armature.name}' is no armature; select the rig that moves the character.")
    if not armature.data.bones:
        raise RigError(f"'{armature.name}' has no bones; select the rig that moves the character.")
    chosen = skeleton_bones(armature)
    rest = object_world @ np.array([bone.matrix_local for bone in chosen.bones])  # (J, 4, 4)
    tails = _transform(object_world, np.array([bone.tail_local for bone in chosen.bones]))
    metres, guesses = _metres_per_unit(armature.name, scene, _figure(chosen, rest[:, :3, 3], tails))
    made_up_root = chosen.parents.count(-1) > 1
    if made_up_root:
        rest, tails = np.concatenate([object_world[None], rest]), np.concatenate([rest[:1, :3, 3], tails])
    return RigBones(
        skeleton=_skeleton(chosen, rest, tails, metres, made_up_root),
        pose_rows=_pose_rows(armature, chosen, made_up_root),
        metres_per_unit=metres,
        guesses=guesses,
        control_rig=chosen.control_rig,
    )


def _skeleton(chosen: SkeletonBones, rest: Floats, tails: Floats, metres: float, made_up_root: bool) -> Skeleton:
    """From frames (J, 4, 4) and tails (J, 3) of the bones in Blender's world, where a made-up root comes first."""
    names = [bone.name for bone in chosen.bones]
    parents = np.array(chosen.parents, dtype=np.int64)
    moves = [not bone.use_connect for bone in chosen.bones]
    if made_up_root:
        names, parents, moves = [MADE_UP_ROOT, *names], np.array([-1, *(parents + 1)]), [False, *moves]
    turns, heads = rotations_of(rest), rest[:, :3, 3] * metres
    ends = np.setdiff1d(np.arange(len(names)), parents)
    to_tail = tails[ends] * metres - heads[ends]
    return Skeleton(
        names=tuple(names),
        parents=parents,
        offsets=in_parent_positions(parents, heads, turns),
        rest_rotations=in_parent_rotations(parents, turns),
        tip_parents=ends,
        tip_offsets=rotations.rotate(rotations.inverse(turns[ends]), to_tail),
        translates=np.array(moves, dtype=bool),
    )


def in_parent_positions(parents: Ints, heads: Floats, turns: Floats) -> Floats:
    """Heads (..., J, 3) in the world as places in the frames of the parents; the root's stays in the world."""
    above = parents[1:]
    places = heads.copy()
    places[..., 1:, :] = rotations.rotate(
        rotations.inverse(turns[..., above, :]), heads[..., 1:, :] - heads[..., above, :]
    )
    return places


def in_parent_rotations(parents: Ints, turns: Floats) -> Floats:
    """Rotations (..., J, 4) in the world as rotations from the frames of the parents; the root's stays in the world."""
    local = turns.copy()
    local[..., 1:, :] = rotations.multiply(rotations.inverse(turns[..., parents[1:], :]), turns[..., 1:, :])
    return local


def _pose_rows(armature: Object, chosen: SkeletonBones, made_up_root: bool) -> Ints:
    row = {bone.name: place for place, bone in enumerate(armature.pose.bones)}
    rows = [row[bone.name] for bone in chosen.bones]
    return np.array([NO_POSE_BONE, *rows] if made_up_root else rows, dtype=np.int64)


def _figure(chosen: SkeletonBones, heads: Floats, tails: Floats) -> Floats:
    """Both ends (P, 3) of the bones that move a mesh: pole targets and the like may stand far from the figure."""
    deforming = np.array([bone.use_deform for bone in chosen.bones])
    if np.count_nonzero(deforming) < 2:
        deforming[:] = True
    return np.concatenate([heads[deforming], tails[deforming]])


def _metres_per_unit(name: str, scene: Scene, figure: Floats) -> tuple[float, tuple[str, ...]]:
    """What the scene says, unless the figure is no person then."""
    units = scene.unit_settings
    said = 1.0 if units.system == "NONE" else float(units.scale_length)
    size = figure_size(FigurePoints(figure, figure[None]), f"'{name}'")
    smallest, largest = _PLAUSIBLE_M
    if smallest <= size * said <= largest:
        return said, ()
    guessed = float(guess_scale(size).value)
    return guessed, (
        f"'{name}' measures {size * said:.3g} m from end to end, which is no person; "
        f"it is baked as one of {size * guessed:.2f} m, with {guessed:.3g} m to a Blender unit.",
    )


def _transform(matrix: Floats, points: Floats) -> Floats:
    result: Floats = points @ matrix[:3, :3].T + matrix[:3, 3]
    return result
