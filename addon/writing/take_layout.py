"""Which bones a take has keys on, where each has to be, and what must be switched off so that its keys count."""

from collections.abc import Container, Generator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...sim_core.arrays import Bools, Floats
from ...sim_core.motion.clip import Clip
from .blend import blend_weights, blended
from .bone_channels import matrix_of, rotation_path
from .pose_targets import RidingPoses, distance, evenly_scaled, pose_changes, with_scale
from .rigify_controls import Control, control_pose, controls_for, controls_to_write, fk_switches, tweak_of
from .switches import Switch, driven_paths, overriding_constraints

if TYPE_CHECKING:
    from bpy.types import Object

    from ..reading.read_motion import RigMotion
    from .write_action import WriteSettings

# Half a tenth of what the report promises: a bone nearer than this to its place is there.
NEAR_M, NEAR_DEG = 1e-4, 0.01
_SAME = 1e-9  # files keep every bit, so that bones the bake did not touch are equal


class TakeLayout:
    """`targets` says where written pose bones have to be; `grow` adds bones that turn out not to follow the rest."""

    def __init__(
        self,
        armature: "Object",
        motion: "RigMotion",
        result: Clip,
        simulated: Sequence[str],
        settings: "WriteSettings",
    ) -> None:
        self.warnings: list[str] = []
        self._armature, self._motion = armature, motion
        self._bones = armature.pose.bones
        self._rows = {bone.name: row for row, bone in enumerate(self._bones)}
        self.parents = [-1 if bone.parent is None else self._rows[bone.parent.name] for bone in self._bones]
        self.connected = {row for row, bone in enumerate(self._bones) if bone.parent and bone.bone.use_connect}
        self._rigify = motion.rig.control_rig == "rigify"
        names = motion.clip.skeleton.names
        candidates = [names[bone] for bone in _candidates(motion, result, simulated)]
        self._controls = self._find_controls(settings)
        candidates = self._without_driven(candidates)
        chosen = [name for name in candidates if self._chosen(name, settings.only)]
        left_out = set(candidates) - set(chosen)
        self._controls = controls_to_write(self._controls, chosen, left_out)
        left_out -= {control.deform for control in self._controls}
        self._left_out = {names.index(name) for name in left_out}
        self.moving = [names.index(name) for name in chosen]
        mask: Bools = np.isin(np.arange(len(names)), self.moving)
        weights = blend_weights(len(result), settings.blend_in, settings.blend_out)
        self._wanted = blended(motion.clip, result, mask, weights)
        self._written = set() if self._controls else set(self.moving)
        self._tweaks: set[int] = set()
        self._released: set[int] = set()  # whose constraints are switched off
        self.switches: list[Switch] = []
        self._changes: Floats = np.zeros((0, 0, 4, 4))  # (J, T, 4, 4), by `prepare`
        self._targets: dict[int, Floats] | None = None
        self._find_switches()

    def prepare(self) -> Generator[float, None, bool]:
        """Comes before anything else; adds bones of which the hierarchy tells that they would stay behind."""
        self._changes = yield from pose_changes(self._motion, self._wanted, {})
        return (yield from self._add_stragglers(None)) if self._rigify and not self._controls else False

    def aim(self, actual: Floats) -> Generator[float, None, None]:
        """What hangs on bones that were left out goes where those really are."""
        held = {}
        for bone in self._left_out - self._written:
            row = self._motion.rig.pose_rows[bone]
            held[bone] = actual[:, row] @ np.linalg.inv(self._motion.pose[:, row])
        if held:
            self._changes = yield from pose_changes(self._motion, self._wanted, held)
            self._targets = None

    def targets(self) -> Generator[float, None, dict[int, Floats]]:
        """Row of each written pose bone -> where it has to be (T, 4, 4), in armature space."""
        if self._targets is None:
            self._targets = yield from self._find_targets()
        return self._targets

    def _find_targets(self) -> Generator[float, None, dict[int, Floats]]:
        found = {}
        for bone in sorted(self._written):
            pose = self.wanted_pose(bone)
            found[int(self._motion.rig.pose_rows[bone])] = evenly_scaled(pose) if bone in self._released else pose
            yield 0.0
        for control in self._controls:
            row = self._rows[control.control]
            guide = self._changes[self._bone(control.deform)] @ self._motion.pose[:, self._rows[control.guide]]
            pose = control_pose(self._armature, control.control, control.guide, guide)
            # IK may have stretched the guide; the control keeps its own scale.
            found[row] = with_scale(pose, np.linalg.norm(self._motion.pose[:, row, :3, :3], axis=1))
            yield 0.0
        for bone in sorted(self._tweaks):
            tweak = self._rows[self._tweak(bone)]
            row = self._motion.rig.pose_rows[bone]
            on_deform = np.linalg.inv(self._rest(row)) @ self._rest(tweak)
            found[tweak] = self.wanted_pose(bone) @ on_deform
            yield 0.0
        return found

    def riding(self, base: Floats) -> Generator[float, None, RidingPoses]:
        """All bones on the written ones, where these have to be; before the rig was ever played, as may be expected."""
        known = {}
        if base is self._motion.pose and self._controls:
            known = yield from self._expectations()
        known |= yield from self.targets()
        return RidingPoses(self.parents, self.connected, base, known)

    def _expectations(self) -> Generator[float, None, dict[int, Floats]]:
        """Rigify's ORG bones follow its controls."""
        expected = {}
        for bone, name in enumerate(self._motion.clip.skeleton.names):
            row = self._rows.get(_original(name))
            if row is not None:
                expected[row] = self._changes[bone] @ self._motion.pose[:, row]
                yield 0.0
        return expected

    def wanted_pose(self, bone: int) -> Floats:
        """Of a bone of the skeleton, in armature space."""
        pose: Floats = self._changes[bone] @ self._motion.pose[:, self._motion.rig.pose_rows[bone]]
        return pose

    @property
    def changes_scale(self) -> bool:
        """Whether a constraint that is switched off may have scaled bones."""
        return bool(self._released)

    def grow(self, actual: Floats, settled: bool) -> Generator[float, None, bool]:
        """Adds bones that are not where the bake has them and can be moved there; whether there were any."""
        if self._controls:
            return (yield from self._add_tweaks(actual)) if settled else False
        return (yield from self._add_stragglers(actual)) if self._rigify else False

    def tracked(self, row: int) -> str:
        """The bone of the skeleton that a written pose bone stands for."""
        name = self._bones[row].name
        return next((control.deform for control in self._controls if control.control == name), name)

    def written_above(self, row: int, written: Container[int]) -> int:
        """The nearest of these pose bones that takes another along; -1 where none does.

        Rigify's ORG bones go where the controls of their bone are, and what hangs on them goes along: an arm with the
        shoulder.
        """
        originals = [(self._rows.get(_original(control.deform)), control.control) for control in self._controls]
        stand_ins = {original: self._rows[control] for original, control in originals if original is not None}
        above = self.parents[row]
        while above >= 0:
            found = above if above in written else stand_ins.get(above, -1)
            if found in written and found != row:
                return found
            above = self.parents[above]
        return -1

    def _find_controls(self, settings: "WriteSettings") -> list[Control]:
        if settings.target != "CONTROLS":
            return []
        controls = controls_for(self._armature, self._motion.clip.skeleton.names) if self._rigify else []
        if not controls:
            self.warnings.append(
                f"'{self._armature.name}' has no controls that Heft knows (Rigify's are), so the keys are on its bones."
            )
        return controls

    def _chosen(self, name: str, only: frozenset[str] | None) -> bool:
        controls = {control.control for control in self._controls if control.deform == name}
        return only is None or name in only or not controls.isdisjoint(only)

    def _without_driven(self, candidates: list[str]) -> list[str]:
        driven = driven_paths(self._armature)
        free = []
        for name in candidates:
            keyed = [control.control for control in self._controls if control.deform == name] or [name]
            if any(self._bones[bone].path_from_id(rotation_path(self._bones[bone])) in driven for bone in keyed):
                self.warnings.append(
                    f"Bone '{keyed[0]}' is turned by a driver, which no key can change, so it was left out."
                )
            else:
                free.append(name)
        return free

    def _find_switches(self) -> None:
        """Switches off what moves written bones; bones that an IK chain moved lose that motion, and are written too."""
        self._targets = None
        names = self._motion.clip.skeleton.names
        while True:
            written = {names[bone] for bone in self._written} | {control.control for control in self._controls}
            written |= {self._tweak(bone) for bone in self._tweaks}
            overriding = overriding_constraints(self._armature, written)
            moved = {self._bone(name) for found in overriding for name in found.moves if name in names}
            self._released = moved
            if self._controls or moved <= self._written:
                break
            self._written |= moved
        driven = driven_paths(self._armature)
        switches = [found.switch for found in overriding] + fk_switches(self._armature, self._controls)
        self.switches = [switch for switch in switches if switch.path not in driven]

    def _add_stragglers(self, actual: Floats | None) -> Generator[float, None, bool]:
        """Deform bones of Rigify hang on its controls, not on each other: those that stay behind are written too."""
        riding = yield from self.riding(self._motion.pose)
        added = False
        for bone, row in enumerate(self._motion.rig.pose_rows):
            yield bone / len(self._motion.rig.pose_rows)
            if row < 0 or bone in self._written or bone in self._left_out:
                continue
            now = riding.of(int(row)) if actual is None else actual[:, row]
            if not self._near(bone, now):
                self._written.add(bone)
                riding.set(int(row), self.wanted_pose(bone))
                added = True
        if added:
            self._find_switches()
        return added

    def _add_tweaks(self, actual: Floats) -> Generator[float, None, bool]:
        added = False
        for bone, row in enumerate(self._motion.rig.pose_rows):
            yield bone / len(self._motion.rig.pose_rows)
            if row < 0 or bone in self._tweaks or bone in self._left_out or self._tweak(bone) is None:
                continue
            if not self._near(bone, actual[:, row]):
                self._tweaks.add(bone)
                added = True
        if added:
            self._find_switches()
        return added

    def _near(self, bone: int, pose: Floats) -> bool:
        return distance(self._motion, self.wanted_pose(bone), pose).within(NEAR_M, NEAR_DEG)

    def _tweak(self, bone: int) -> str | None:
        return tweak_of(self._armature, self._motion.clip.skeleton.names[bone])

    def _bone(self, name: str) -> int:
        return self._motion.clip.skeleton.index(name)

    def _rest(self, row: int) -> Floats:
        return matrix_of(self._bones[int(row)].bone.matrix_local)


def _original(deform: str) -> str:
    return deform.replace("DEF-", "ORG-", 1)


def _candidates(motion: "RigMotion", result: Clip, simulated: Sequence[str]) -> list[int]:
    """Bones that were simulated, or that the bake moved in another way; not the made-up root of several."""
    source, names = motion.clip, motion.clip.skeleton.names
    turned = np.max(np.abs(result.rotations - source.rotations), axis=(0, 2)) > _SAME
    moved = np.max(np.abs(result.positions - source.positions), axis=(0, 2)) > _SAME
    changed = turned | moved | np.isin(names, list(simulated))
    return np.flatnonzero(changed & (motion.rig.pose_rows >= 0)).tolist()
