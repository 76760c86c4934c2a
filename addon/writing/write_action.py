"""The bake becomes an action: a copy of the source's in which the simulated bones have new keys.

The copy is played by a temporary copy of the rig and read back, because only Blender knows what constraints and drivers
make of keys; where a bone is not where it belongs, its keys are made again on what its parents really do.
"""

from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import bpy

from ...sim_core.arrays import Bools
from ...sim_core.errors import HeftError
from ...sim_core.motion.clip import Clip
from ..compat import new_action, source_action
from ..leftovers import mark, unmark
from .take_layout import TakeLayout
from .take_writing import TakeWriting

if TYPE_CHECKING:
    from bpy.types import Action, Object, Scene

    from ..reading.read_motion import RigMotion


class WriteError(HeftError):
    """A rig that cannot be given an action."""


@dataclass(frozen=True, kw_only=True)
class WriteSettings:
    name: str
    blend_in: int = 0  # frames
    blend_out: int = 0
    only: frozenset[str] | None = None  # names of bones or controls; None: all that is simulated
    keys: Literal["EVERY", "REDUCED"] = "EVERY"
    tolerance_mm: float = 2.0
    target: Literal["DEFORM", "CONTROLS"] = "DEFORM"
    source_follows: bool = True  # after the last frame; otherwise that frame is held


@dataclass(frozen=True, kw_only=True)
class Written:
    action: "Action"
    key_count: int
    every_frame_key_count: int
    switched: dict[str, float]  # RNA path on the object -> the value it had before
    warnings: tuple[str, ...]


def write_action(
    armature: "Object",
    scene: "Scene",
    motion: "RigMotion",
    result: Clip,
    simulated: Sequence[str],
    planted: Bools | None,  # (T, simulated)
    settings: WriteSettings,
) -> Generator[float, None, Written]:
    """Yields its fraction. The action returned is whole but not assigned; closed early, nothing is left behind."""
    _check(armature, motion, result)
    action = new_action(armature, settings.name)
    try:
        mark(action)
        action.is_runtime_data = True  # a file saved meanwhile is saved without it
        yield 0.0
        layout = TakeLayout(armature, motion, result, simulated, settings)
        yield 0.0
        writing = TakeWriting(armature, scene, motion, action, layout, settings.source_follows)
        yield from writing.write_every_frame()
        every_frame_key_count = writing.key_count
        if settings.keys == "REDUCED":
            yield from writing.reduce(settings.tolerance_mm / 1000.0, planted, simulated)
        written = Written(
            action=action,
            key_count=writing.key_count,
            every_frame_key_count=every_frame_key_count,
            switched={switch.path: switch.before for switch in layout.switches},
            warnings=(*layout.warnings, *writing.warnings),
        )
        unmark(action)
        action.is_runtime_data = False
    except BaseException:
        with suppress(ReferenceError):  # the file may be another by now
            bpy.data.actions.remove(action)
        raise
    source = source_action(armature)
    if source is not None and source.library is None:
        source.use_fake_user = True
    return written


def _check(armature: "Object", motion: "RigMotion", result: Clip) -> None:
    if armature.library is not None:
        raise WriteError(
            f"'{armature.name}' is linked from another file and cannot be given an action; make a library override "
            "of it (Object > Library Override > Make) and bake again."
        )
    data = armature.animation_data
    if data is not None and data.use_tweak_mode:
        raise WriteError(
            f"'{armature.name}' is in the NLA's tweak mode, where frames are those of a strip; leave it (Tab in the "
            "NLA editor) and bake again."
        )
    if len(result) != len(motion.frames) or result.skeleton.names != motion.clip.skeleton.names:
        raise WriteError(
            f"The bake has {len(result)} frames of {len(result.skeleton)} bones where '{armature.name}' has "
            f"{len(motion.frames)} of {len(motion.clip.skeleton)}; the rig was changed meanwhile, so bake again."
        )
