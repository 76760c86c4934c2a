"""The rig of a bake, found again whenever it is needed: between two slices of time it may be renamed or gone."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import bpy
from bpy.types import Action, Object, Scene

from ...sim_core.errors import HeftError
from ..compat import assign_action, source_action, source_curves
from ..found_again import find_again
from ..leftovers import marked
from ..takes.take_objects import play_objects
from ..takes.takes import NO_TAKE, take_in_use, use_take


class RigGoneError(HeftError):
    """The rig is no longer what it was when the bake began."""


class TrackedRig:
    """Remembers names and numbers, never references: Blender frees what they lead to without saying so."""

    def __init__(self, armature: Object, scene: Scene, source: Action | None) -> None:
        self.name = str(armature.name)
        self._armature, self._scene = armature.session_uid, scene.session_uid
        self._scene_name = str(scene.name)
        self._bones = _bone_names(armature)
        self.source_name = "" if source is None else str(source.name)
        self._source = None if source is None else source.session_uid

    def armature(self) -> Object:
        found = find_again(bpy.data.objects, self.name, self._armature)
        if found is None or found.pose is None:
            raise RigGoneError(f"'{self.name}' was deleted while it was baked; nothing was changed.")
        self.name = str(found.name)  # renamed by hand: it is still the same
        return found

    def check(self) -> None:
        """Raises where the rig is gone, or has other bones than before."""
        if _bone_names(self.armature()) != self._bones:
            raise RigGoneError(f"The bones of '{self.name}' were changed while it was baked; bake again.")

    def places(self) -> list[int]:
        """Where everything lies in memory that work on the rig may hold on to; they change when it is made anew."""
        armature = self.armature()
        held = [armature, *armature.pose.bones, *source_curves(armature).values(), *marked()]
        return [item.as_pointer() for item in held]

    def scene(self) -> Scene:
        found = find_again(bpy.data.scenes, self._scene_name, self._scene)
        if found is None:
            raise RigGoneError(f"The scene of '{self.name}' was deleted while it was baked; nothing was changed.")
        return found

    def source(self) -> Action | None:
        """The action that is baked; None where the NLA or other things move the rig."""
        if self._source is None:
            return None
        found = find_again(bpy.data.actions, self.source_name, self._source)
        if found is None:
            raise RigGoneError(f"The action '{self.source_name}' was deleted while it was baked; nothing was changed.")
        return found

    @contextmanager
    def playing_source(self) -> Iterator[Object]:
        """The rig with the action that is baked, whatever it plays otherwise: a take of a take would only get worse."""
        armature, source = self.armature(), self.source()
        played, place = source_action(armature), take_in_use(armature)
        if played == source:
            yield armature
            return
        played_name, played_uid = (None, None) if played is None else (played.name, played.session_uid)
        if place != NO_TAKE:
            use_take(armature, NO_TAKE)
        if source_action(armature) != source:
            assign_action(armature, source)
        try:
            yield armature
        finally:
            with suppress(RigGoneError, ReferenceError):  # deleted meanwhile, with all that it played
                back = None if played_uid is None else find_again(bpy.data.actions, played_name, played_uid)
                assign_action(self.armature(), back)
                if take_in_use(self.armature()) != NO_TAKE:
                    play_objects(self.armature().heft.takes[take_in_use(self.armature())])


def _bone_names(armature: Object) -> tuple[str, ...]:
    return tuple(bone.name for bone in armature.pose.bones)
