"""What would override the keys of a bone: its constraints, IK chains that pass through it, and drivers."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..compat import source_curves

if TYPE_CHECKING:
    from bpy.types import Constraint, Object, PoseBone


class Switch(NamedTuple):
    """A number of the rig that the take holds at `value` while it plays the baked frames."""

    path: str  # RNA path on the object
    before: float
    value: float
    group: str


class Overriding(NamedTuple):
    """A constraint that moves bones, of which some are written."""

    switch: Switch
    moves: tuple[str, ...]


def overriding_constraints(armature: "Object", written: Collection[str]) -> list[Overriding]:
    """Every constraint that is on and moves one of the written bones."""
    animated = {path for path, _ in source_curves(armature)}
    found = []
    for bone in armature.pose.bones:
        for constraint in bone.constraints:
            path = constraint.path_from_id("influence")
            if constraint.mute or (constraint.influence == 0.0 and path not in animated):
                continue
            moves = tuple(moved.name for moved in _moved_bones(bone, constraint))
            if any(name in written for name in moves):
                found.append(Overriding(Switch(path, constraint.influence, 0.0, bone.name), moves))
    return found


def driven_paths(armature: "Object") -> dict[str, set[int]]:
    """Properties of the object that drivers set, with the indices they set; keys on these do nothing."""
    found: dict[str, set[int]] = {}
    if armature.animation_data is not None:
        for curve in armature.animation_data.drivers:
            if not curve.mute:
                found.setdefault(curve.data_path, set()).add(curve.array_index)
    return found


def _moved_bones(bone: "PoseBone", constraint: "Constraint") -> Iterator["PoseBone"]:
    """The bone itself, or the chain above it (a count of 0 means up to the root)."""
    if constraint.type not in {"IK", "SPLINE_IK"}:
        yield bone
        return
    count = constraint.chain_count or 10_000
    above = bone if getattr(constraint, "use_tail", True) else bone.parent
    while above is not None and count > 0:
        yield above
        above, count = above.parent, count - 1
