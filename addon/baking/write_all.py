"""The new actions of a take: the rig's and those of the loose objects."""

from collections.abc import Generator

from bpy.types import Object, Scene

from ..reading.read_motion import RigMotion
from ..writing.write_action import WriteSettings, Written, write_action
from ..writing.write_objects import LooseMotions, WrittenObjects, write_objects
from .simulated import Simulated


def write_all(
    armature: Object,
    scene: Scene,
    motion: RigMotion,
    simulated: Simulated,
    settings: WriteSettings,
    loose: LooseMotions,
) -> Generator[float, None, tuple[Written, WrittenObjects]]:
    """All new actions or none."""
    objects = yield from write_objects(scene, motion, loose, settings.name)
    try:
        written = yield from write_action(
            armature,
            scene,
            motion,
            simulated.clip,
            simulated.take.link_bones,
            simulated.take.planted,
            settings,
        )
    except BaseException:
        objects.discard()
        raise
    objects.keep()
    return written, objects
