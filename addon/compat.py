"""Everything that differs between Blender 4.2 and 5.2: actions with and without slots, and the grouping of curves."""

from typing import Any

import bpy
from bpy.types import Action, FCurve, Object

HAS_SLOTS = bpy.app.version >= (4, 4, 0)
_GROUP_NAME_ARGUMENT = bpy.app.version >= (5, 0, 0)


def assign_action(armature: Object, action: Action | None) -> None:
    """Makes the action the one that moves the armature; None leaves it to NLA strips, or without any."""
    if armature.animation_data is None:
        if action is None:
            return
        armature.animation_data_create()
    if armature.animation_data.action is None:  # how an earlier one was mixed with the NLA says nothing of this one
        armature.animation_data.action_blend_type = "REPLACE"
        armature.animation_data.action_influence = 1.0
    armature.animation_data.action = None
    if action is None:
        return
    slot = _slot(action, armature) if HAS_SLOTS else None
    armature.animation_data.action = action
    if slot is not None:
        armature.animation_data.action_slot = slot


def copy_parent(item: Object, other: Object) -> None:
    """The other hangs on what the item hangs on, in the same way."""
    for name in ("parent", "parent_type", "parent_bone", "parent_vertices", "matrix_parent_inverse"):
        setattr(other, name, getattr(item, name))
    if hasattr(item, "use_parent_final_indices"):  # not in 4.2
        other.use_parent_final_indices = item.use_parent_final_indices


def selected_bones(armature: Object) -> frozenset[str]:
    """Names of the selected bones; from 5.0 on the selection lies on the pose."""
    bones = armature.pose.bones if bpy.app.version >= (5, 0, 0) else armature.data.bones
    return frozenset(bone.name for bone in bones if bone.select)


def source_action(armature: Object) -> Action | None:
    """The action that moves the armature now; without a slot for it an action moves nothing."""
    data = armature.animation_data
    if data is None or data.action is None or (HAS_SLOTS and data.action_slot is None):
        return None
    return data.action


def new_action(armature: Object, name: str) -> Action:
    """A copy of the armature's action, or an empty one, that no object uses yet."""
    source = source_action(armature)
    action = bpy.data.actions.new(name) if source is None else source.copy()
    action.name = name
    action_curves(action, armature)
    return action


def action_curves(action: Action, armature: Object) -> Any:
    """The collection of the action's F-curves that move this armature (made where there is none)."""
    if not HAS_SLOTS:
        return action.fcurves
    slot = _slot(action, armature) or action.slots.new(id_type="OBJECT", name=armature.name)
    layer = action.layers[0] if len(action.layers) else action.layers.new("Layer")
    strip = layer.strips[0] if len(layer.strips) else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves


def frame_range(action: Action, armature: Object) -> tuple[float, float]:
    """The first and the last frame at which the action moves this armature; an action may move others for longer."""
    if HAS_SLOTS and len(action.slots) > 1 and not action.use_frame_range:
        ranges = [curve.range() for curve in _curves_of(action, _slot(action, armature)) if not curve.is_empty]
        if ranges:
            return min(first for first, _ in ranges), max(last for _, last in ranges)
    first, last = action.frame_range
    return first, last


def source_curves(armature: Object) -> dict[tuple[str, int], FCurve]:
    """The curves that move the armature now, by data path and index."""
    action = source_action(armature)
    if action is None:
        return {}
    curves = _curves_of(action, armature.animation_data.action_slot) if HAS_SLOTS else action.fcurves
    return {(curve.data_path, curve.array_index): curve for curve in curves}


def new_curve(action: Action, armature: Object, path: str, index: int, group: str) -> FCurve:
    """A new curve in the group of that name, as Blender groups the channels of a bone."""
    curves = action_curves(action, armature)
    if not HAS_SLOTS:
        return curves.new(path, index=index, action_group=group)
    if _GROUP_NAME_ARGUMENT:
        return curves.new(path, index=index, group_name=group)
    curve = curves.new(path, index=index)
    groups = action.layers[0].strips[0].channelbag(_slot(action, armature)).groups
    curve.group = groups.get(group) or groups.new(group)
    return curve


def _curves_of(action: Action, slot: Any) -> list[FCurve]:
    bags = (strip.channelbag(slot) for layer in action.layers for strip in layer.strips)
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]


def _slot(action: Action, armature: Object) -> Any | None:
    """The slot of this armature: the one it uses, or used, or one of its name, or the first of an object."""
    data = armature.animation_data
    wanted = [f"OB{armature.name}"]
    if data is not None:
        wanted.insert(0, data.last_slot_identifier)
        if data.action_slot is not None:
            wanted.insert(0, data.action_slot.identifier)
    for identifier in wanted:
        slot = action.slots.get(identifier)
        if slot is not None:
            return slot
    return next((slot for slot in action.slots if slot.target_id_type in {"OBJECT", "UNSPECIFIED"}), None)
