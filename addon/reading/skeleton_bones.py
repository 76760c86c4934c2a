"""Which bones of an armature are its skeleton, and what each hangs on there."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from bpy.types import Bone, Object

ControlRig = Literal["", "rigify"]

_DEFORM, _ORIGINAL = "DEF-", "ORG-"  # Rigify's names for what moves the mesh, and for the bones it started from


class SkeletonBones(NamedTuple):
    """Parents first, and all that hangs on a bone right behind it."""

    bones: list[Bone]
    parents: list[int]  # -1 for roots, of which there may be several
    control_rig: ControlRig


def skeleton_bones(armature: Object) -> SkeletonBones:
    """All bones; of a Rigify rig those that deform, since its controls are no body."""
    bones = list(armature.data.bones)
    if all(any(bone.name.startswith(kind) for bone in bones) for kind in (_DEFORM, _ORIGINAL)):
        return SkeletonBones(*_depth_first(_rigify_parents(bones)), "rigify")
    return SkeletonBones(*_depth_first({bone: bone.parent for bone in bones}), "")


def _rigify_parents(bones: list[Bone]) -> dict[Bone, Bone | None]:
    """Rigify hangs limbs on ORG bones (DEF-thigh.L on ORG-spine); they stand for the DEF bones of the same name."""
    by_name = {bone.name: bone for bone in bones}
    parents: dict[Bone, Bone | None] = {}
    for bone in bones:
        if bone.name.startswith(_DEFORM):
            stand_ins = (by_name.get(_deforming(ancestor.name)) for ancestor in bone.parent_recursive)
            parents[bone] = next((b for b in stand_ins if b is not None and not _hangs_on(b, bone, parents)), None)
    return parents


def _hangs_on(bone: Bone | None, ancestor: Bone, parents: dict[Bone, Bone | None]) -> bool:
    while bone is not None and bone != ancestor:
        bone = parents.get(bone)
    return bone is not None


def _deforming(name: str) -> str:
    """The name of the bone that deforms in place of this one; of a control there is none."""
    if name.startswith(_ORIGINAL):
        return _DEFORM + name.removeprefix(_ORIGINAL)
    return name if name.startswith(_DEFORM) else ""


def _depth_first(parents: dict[Bone, Bone | None]) -> tuple[list[Bone], list[int]]:
    children: dict[Bone | None, list[Bone]] = {}
    for bone, parent in parents.items():
        children.setdefault(parent, []).append(bone)
    ordered = list(_below(None, children))
    row = {bone: place for place, bone in enumerate(ordered)}
    above = (parents[bone] for bone in ordered)
    return ordered, [-1 if parent is None else row[parent] for parent in above]


def _below(bone: Bone | None, children: dict[Bone | None, list[Bone]]) -> Iterator[Bone]:
    waiting = children.get(bone, [])[::-1]
    while waiting:
        following = waiting.pop()
        yield following
        waiting += children.get(following, [])[::-1]
