"""Rigify: which controls of a generated rig move its deform bones, and where they have to be for a given pose.

Limbs are written to their FK controls, with IK/FK switched to FK; trunk and head to torso, spine_fk*, neck and head.
What those cannot reach (the roll of upper arms and thighs, which the rig takes from the torso, and bends inside the
spine) goes to the tweak controls, and only where it is needed.
"""

import re
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...sim_core.arrays import Floats
from .bone_channels import matrix_of
from .switches import Switch

if TYPE_CHECKING:
    from bpy.types import Object, PoseBone

_LIMBS = {
    **{"upper_arm": "upper_arm", "forearm": "upper_arm", "hand": "upper_arm"},
    **{"thigh": "thigh", "shin": "thigh", "foot": "thigh", "toe": "thigh"},
}
_TRUNK = "trunk"
_SIDE = re.compile(r"^(?P<part>.+?)(?P<side>\.[LR](\.\d+)?)?$")
FK = 1.0  # of the IK_FK property


class Control(NamedTuple):
    """A control that follows a deform bone, as the pose bone `guide` did in the source."""

    control: str
    deform: str
    guide: str
    limb: str  # a name for what it belongs to: an arm, a leg, the trunk, or itself


def controls_for(armature: "Object", deform_bones: Sequence[str]) -> list[Control]:
    """The controls of these deform bones, as many as the rig has."""
    bones = armature.pose.bones
    trunk = _trunk(armature)
    found = []
    for deform in deform_bones:
        name = deform.removeprefix("DEF-")
        part, side = _split(name)
        if part in _LIMBS:
            # Rigify before 4.2 has one toe control for both IK and FK.
            names = [f"{part}_fk{side}", *([name] if part == "toe" else [])]
            pairs = [(control, f"ORG-{name}") for control in names if control in bones][:1]
            limb = f"{_LIMBS[part]}{side}"
        elif name in trunk:
            pairs, limb = [(control, control) for control in trunk[name]], _TRUNK
        else:
            pairs, limb = ([(name, name)] if part == "shoulder" else []), name
        there = ((control, guide) for control, guide in pairs if control in bones and guide in bones)
        found += [Control(control, deform, guide, limb) for control, guide in there]
    return found


def controls_to_write(controls: Sequence[Control], chosen: Container[str], left_out: Container[str]) -> list[Control]:
    """Of all controls those of the chosen bones, and those that must go along.

    A limb is FK from end to end, and what its IK did has to be written too; the bends of a spine share their controls.
    """
    limbs = {control.limb for control in controls if control.deform in chosen}
    whole = limbs - {_TRUNK}
    return [
        control
        for control in controls
        if control.deform in chosen
        or control.limb in whole
        or (control.limb in limbs and control.deform not in left_out)
    ]


def tweak_of(armature: "Object", deform: str) -> str | None:
    """The tweak control from which the rig takes the deform bone's transform, if it has one."""
    name = deform.removeprefix("DEF-")
    part, side = _split(name)
    candidates = (f"tweak_{name}", f"{part}_tweak{side}")
    return next((tweak for tweak in candidates if tweak in armature.pose.bones), None)


def control_pose(armature: "Object", control: str, guide: str, guide_pose: Floats) -> Floats:
    """Where the control has to be (T, 4, 4) for its guide to be there."""
    bones = armature.pose.bones
    return guide_pose @ np.linalg.inv(_rest(bones[guide])) @ _rest(bones[control])


def fk_switches(armature: "Object", controls: Sequence[Control]) -> list[Switch]:
    """The IK/FK properties of every limb that is written."""
    found = {}
    for control in controls:
        part, side = _split(control.deform.removeprefix("DEF-"))
        holder = armature.pose.bones.get(f"{_LIMBS.get(part)}_parent{side}")
        if holder is not None and "IK_FK" in holder:
            path = f'{holder.path_from_id()}["IK_FK"]'
            found[path] = Switch(path, float(holder["IK_FK"]), FK, holder.name)
    return list(found.values())


def _trunk(armature: "Object") -> dict[str, list[str]]:
    """Names of spine bones -> their controls; the neck is where the chain of `spine_fk` controls ends."""
    bones = armature.pose.bones
    spine = sorted(bone.name.removeprefix("DEF-") for bone in bones if re.fullmatch(r"DEF-spine(\.\d+)?", bone.name))
    fk = {name: f"spine_fk{name.removeprefix('spine')}" for name in spine}
    trunk = {name: [control] for name, control in fk.items() if control in bones}
    above = [name for name in spine if name not in trunk]
    if above and "head" in bones:
        trunk[above[-1]] = ["head"]
    if len(above) > 1 and "neck" in bones:
        trunk[above[0]] = ["neck"]
    if spine:
        trunk[spine[0]] = ["torso", *trunk.get(spine[0], [])]
    return trunk


def _split(name: str) -> tuple[str, str]:
    match = _SIDE.match(name)
    assert match is not None  # the pattern matches any name
    return match["part"], match["side"] or ""


def _rest(bone: "PoseBone") -> Floats:
    return matrix_of(bone.bone.matrix_local)
