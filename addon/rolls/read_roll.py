"""The roll that is set on a rig, as it was when it was asked for."""

from typing import Any

import numpy as np
from bpy.types import Object

from ...sim_core.errors import SettingsError
from ..aiming.chosen_handle import handle_of
from .kinds import is_made
from .roll import FEWEST_POSES, PoseKey, Roll


def roll_of(armature: Object) -> Roll | None:
    """None where the rig is to do something else; raises where it cannot be."""
    if armature.heft.motion != "ROLL":
        return None
    item = armature.heft.roll
    if not is_made(item.kind):
        return Roll(kind=item.kind, speed=item.speed, rolls=item.rolls)
    by_number = item.repeat == "NUMBER"
    handle = handle_of(item.handle, "roll")
    return Roll(
        kind=item.kind,
        speed=item.speed,
        rolls=item.rolls if by_number else None,
        distance_m=None if by_number else item.distance,
        at=item.frame if item.use_frame else None,
        direction_deg=float(np.degrees(item.direction)) if item.direction and handle is None else None,
        handle=handle,
        then=None if item.kind == "SIDEWAYS" and item.then == "STAND" else item.then,  # who rolls sideways lies
        poses=_poses(item),
    )


def _poses(item: Any) -> tuple[PoseKey, ...]:
    for number, pose in enumerate(item.poses, start=1):
        if pose.action is None:
            raise SettingsError(f"Pose {number} of the roll has no action; choose one, or remove it from the list.")
    if 0 < len(item.poses) < FEWEST_POSES:
        raise SettingsError(
            "A roll through poses needs two or more; add another, or remove it to roll through Heft's own."
        )
    return tuple(PoseKey(pose.action.name, pose.action.session_uid) for pose in item.poses)
