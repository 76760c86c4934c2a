"""Writes made-up bakes: the rig's own motion with its bones turned and its root moved, smoothly."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
from bpy.types import Object

from tests.blender.baking import curve_bytes

NEAR_M, NEAR_DEG = 5e-4, 0.05  # what the new action promises
_AXES = np.array([[1.0, 0.3, 0.0], [0.0, 1.0, -0.4], [0.5, 0.0, 1.0], [-0.6, 0.7, 0.5]])


class Writer:
    """Reads, writes and plays with the installed extension."""

    def __init__(self, heft: Callable[[str], Any]) -> None:
        self._run = heft("addon.generators").run_to_end
        self._reading = SimpleNamespace(rig=heft("addon.reading.read_rig"), motion=heft("addon.reading.read_motion"))
        self._write = heft("addon.writing.write_action")
        self._compat = heft("addon.compat")
        self._rotations = heft("sim_core.rotations")

    def read(self, armature: Object, frames: Sequence[int]) -> Any:
        scene = bpy.context.scene
        rig = self._reading.rig.read_rig(armature, scene)
        return self._run(self._reading.motion.read_motion(armature, scene, rig, frames))

    def bake(self, motion: Any, bones: Sequence[str], root: str, degrees: float = 20.0) -> Any:
        """A clip in which these bones turn by up to so many degrees and the root wanders."""
        clip, time = motion.clip, np.linspace(0.0, 1.0, len(motion.clip))
        turns, places = clip.rotations.copy(), clip.positions.copy()
        for place, name in enumerate(bones):
            bone = clip.skeleton.index(name)
            axis = _AXES[place % 4] / np.linalg.norm(_AXES[place % 4])
            angle = np.radians(degrees) * np.sin(2.0 * np.pi * (1 + place % 2) * time + place)
            turns[:, bone] = self._rotations.multiply(turns[:, bone], self._rotations.exp(angle[:, None] * axis))
        places[:, clip.skeleton.index(root)] += np.stack([0.1 * np.sin(5 * time), 0.2 * time, 0.05 * time], axis=-1)
        return replace(clip, rotations=turns, positions=places)

    def steps(
        self, armature: Object, motion: Any, result: Any, bones: Sequence[str], planted: Any = None, **settings: Any
    ) -> Any:
        chosen = self._write.WriteSettings(name="Take", **settings)
        return self._write.write_action(armature, bpy.context.scene, motion, result, bones, planted, chosen)

    def write(self, *arguments: Any, **settings: Any) -> Any:
        return self._run(self.steps(*arguments, **settings))

    def take(self, armature: Object, motion: Any, result: Any, bones: Sequence[str], **settings: Any) -> Any:
        """Writes and plays it; asserts that the source is as it was and nothing else was made."""
        source = self._compat.source_action(armature)
        before = None if source is None else curve_bytes(source)
        things = _things()
        written = self.write(armature, motion, result, bones, **settings)
        assert _things() == [things[0], things[1], sorted([*things[2], written.action.name])]
        assert source is None or (curve_bytes(source) == before and source.use_fake_user)
        assert self._compat.source_action(armature) == source
        assert not written.action.is_runtime_data  # it is saved with the file
        self.use(armature, written.action)
        return written

    def use(self, armature: Object, action: Any) -> None:
        self._compat.assign_action(armature, action)

    def curves(self, armature: Object) -> dict[tuple[str, int], Any]:
        return self._compat.source_curves(armature)

    def far(self, wanted: Any, motion: Any) -> dict[str, tuple[float, float]]:
        """Bones that are not where they should be: name -> (mm, degrees)."""
        should, is_at = wanted.world(), motion.clip.world()
        metres = np.linalg.norm(should.positions - is_at.positions, axis=-1).max(axis=0)
        degrees = np.degrees(self._rotations.angle_between(should.rotations, is_at.rotations)).max(axis=0)
        return {
            name: (1000.0 * float(metres[bone]), float(degrees[bone]))
            for bone, name in enumerate(wanted.skeleton.names)
            if metres[bone] > NEAR_M or degrees[bone] > NEAR_DEG
        }


def _things() -> list[list[str]]:
    return [sorted(item.name for item in items) for items in (bpy.data.objects, bpy.data.scenes, bpy.data.actions)]
