"""The disturbances that are set on a rig, as they were when they were asked for."""

from typing import Any

import numpy as np
from bpy.types import Object

from .disturbance import Disturbance, Handle
from .kinds import WITH_HANDLE


def disturbances_of(armature: Object) -> tuple[Disturbance, ...]:
    """Those that do something; points are still in Blender's units."""
    found = (disturbance_of(item) for item in armature.heft.pushes)
    return tuple(item for item in found if not _does_nothing(item))


def disturbance_of(item: Any) -> Disturbance:
    handle = handle_of(item)
    return Disturbance(
        kind=item.kind,
        segment=item.segment,
        frame=item.frame,
        frames=item.frames,
        whole_clip=item.whole_clip,
        force=tuple(item.force),
        space=item.space,
        strength=item.strength,
        mass=item.mass,
        speed=item.speed,
        side=item.side,
        direction=tuple(item.direction),
        points=(tuple(item.to),),
        degrees=float(np.degrees(item.angle)),
        foot=item.foot,
        foot_does=item.foot_does,
        handle=None if handle is None else Handle(handle.name, handle.session_uid),
    )


def handle_of(item: Any) -> Object | None:
    """One that was deleted is still there as long as something points to it, but in no scene."""
    usable = item.kind in WITH_HANDLE and item.handle is not None and item.handle.users_scene
    return item.handle if usable else None


def _does_nothing(item: Disturbance) -> bool:
    if item.kind == "PUSH":
        return not (item.strength if item.handle is not None else any(item.force))
    return (item.kind == "PULL" and not item.strength) or (item.kind == "TURN" and not item.degrees)
