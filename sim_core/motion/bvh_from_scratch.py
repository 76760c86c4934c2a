"""A BVH document for a clip that did not come from one: centimetres, Y up, ZXY angles, as Blender reads it."""

from dataclasses import replace

import numpy as np

from .. import rotations
from ..arrays import Floats, Ints
from .bvh import BvhDocument, EndSite
from .bvh_hierarchy import unique_names
from .clip import Clip, rest_pose
from .motion_file import UnitsAndAxes, bvh_from_clip
from .skeleton import Skeleton

CENTIMETRES_Y_UP = UnitsAndAxes(metres_per_unit=0.01, up="y", joint_positions="replace")
_POSITIONS = ("Xposition", "Yposition", "Zposition")
_ROTATIONS = ("Zrotation", "Xrotation", "Yrotation")
_STRETCHED = 1e-6  # [m] a joint that leaves its place on its parent by more needs position channels


def bvh_from_scratch(clip: Clip, source_name: str = "The clip") -> BvhDocument:
    """The clip on its own skeleton, whose rest pose becomes the BVH's rest pose."""
    aligned = _aligned_with_file(_depth_first(clip))
    skeleton = aligned.skeleton
    moves = skeleton.translates | np.any(np.abs(aligned.positions - skeleton.offsets) > _STRETCHED, axis=(0, 2))
    moves[0] = True
    channels = tuple((*_POSITIONS, *_ROTATIONS) if moving else _ROTATIONS for moving in moves)
    written = tuple(_writable(name) for name in skeleton.names)
    scale = CENTIMETRES_Y_UP.metres_per_unit
    offsets = skeleton.offsets / scale
    offsets[0] = rotations.rotate(rotations.inverse(CENTIMETRES_Y_UP.world_from_file), offsets[0])
    template = BvhDocument(
        names=unique_names(written),
        written_names=unique_names(written),
        parents=skeleton.parents,
        offsets=offsets,
        channels=channels,
        end_sites=_end_sites(skeleton, scale),
        notes=(),
        source_name=source_name,
        frame_time=1.0 / clip.fps,
        values=np.zeros((1, sum(len(names) for names in channels))),
    )
    return bvh_from_clip(aligned, template, CENTIMETRES_Y_UP)


def _writable(name: str) -> str:
    """Braces and line breaks would end the name."""
    return " ".join(name.replace("{", "(").replace("}", ")").split())


def _depth_first(clip: Clip) -> Clip:
    """The same clip with every bone's descendants right behind it, as braces need them."""
    skeleton = clip.skeleton
    order: list[int] = []
    waiting = [0]
    while waiting:
        bone = waiting.pop()
        order.append(bone)
        waiting += reversed(skeleton.children[bone])
    place = np.argsort(order)
    parents = skeleton.parents[order]
    tip_order = np.argsort(place[skeleton.tip_parents], kind="stable")
    return replace(
        clip,
        skeleton=Skeleton(
            names=tuple(skeleton.names[bone] for bone in order),
            parents=np.where(parents < 0, -1, place[parents]),
            offsets=skeleton.offsets[order],
            rest_rotations=skeleton.rest_rotations[order],
            tip_parents=place[skeleton.tip_parents][tip_order],
            tip_offsets=skeleton.tip_offsets[tip_order],
            translates=skeleton.translates[order],
        ),
        positions=clip.positions[:, order],
        rotations=clip.rotations[:, order],
    )


def _aligned_with_file(clip: Clip) -> Clip:
    """The same motion on bones whose frames, at rest, have the file's axes: a BVH knows no other rest."""
    skeleton = clip.skeleton
    to_world = CENTIMETRES_Y_UP.world_from_file
    # From the new frame of each bone to its old one, the same in every pose.
    change = rotations.multiply(rotations.inverse(rest_pose(skeleton).rotations), to_world)  # (J, 4)
    return replace(
        clip,
        skeleton=replace(
            skeleton,
            offsets=_on_parents(skeleton.parents, change, skeleton.offsets),
            rest_rotations=_identity_below(to_world, len(skeleton)),
            tip_offsets=rotations.rotate(rotations.inverse(change[skeleton.tip_parents]), skeleton.tip_offsets),
        ),
        positions=_on_parents(skeleton.parents, change, clip.positions),
        rotations=_between_new_frames(skeleton.parents, change, clip.rotations),
    )


def _on_parents(parents: Ints, change: Floats, positions: Floats) -> Floats:
    """Places (..., J, 3) given in the old frames of the parents, in their new ones; the root's is the world's."""
    result = positions.copy()
    result[..., 1:, :] = rotations.rotate(rotations.inverse(change[parents[1:]]), positions[..., 1:, :])
    return result


def _between_new_frames(parents: Ints, change: Floats, turns: Floats) -> Floats:
    result = rotations.multiply(turns, np.broadcast_to(change, turns.shape))
    result[:, 1:] = rotations.multiply(rotations.inverse(change[parents[1:]]), result[:, 1:])
    return result


def _identity_below(root: Floats, count: int) -> Floats:
    rest = np.tile(rotations.IDENTITY, (count, 1))
    rest[0] = root
    return rest


def _end_sites(skeleton: Skeleton, scale: float) -> tuple[EndSite, ...]:
    """Tips stand right behind the joint they hang on, before its children."""
    sites = []
    for parent, offset in zip(skeleton.tip_parents, skeleton.tip_offsets, strict=True):
        x, y, z = (float(value) / scale for value in offset)
        sites.append(EndSite(int(parent), (x, y, z), "Site", int(parent) + 1))
    return tuple(sites)
