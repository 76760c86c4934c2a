"""What Heft makes of a rig, for drawing: which bone is which part of the body, kept until the rig changes."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from bpy.types import Object, Scene

from ...sim_core.errors import HeftError, RigError
from ...sim_core.rig.bone_map import BoneMap, map_bones
from ...sim_core.rig.mapped_bone import MappedBone
from ...sim_core.rig.segments import REQUIRED, SEGMENTS, SIDES
from ..reading.read_rig import RigBones, read_rig

Light = Literal["GREEN", "YELLOW", "RED"]
Finding = Literal["FOUND", "CHOSEN", "GUESSED", "MISSING", "ABSENT"]

_SURE = 0.6  # confidence below which a bone is shown as a guess
_KEPT = 16  # rigs whose findings are kept


@dataclass(frozen=True, kw_only=True)
class Part:
    """One segment of the body."""

    segment: str
    bone: str  # empty where there is none
    finding: Finding  # ABSENT is missing too, but the body works without it

    @property
    def needs_a_look(self) -> bool:
        return self.finding in ("GUESSED", "MISSING")


@dataclass(frozen=True, kw_only=True)
class BodyCheck:
    light: Light
    headline: str
    trouble: str  # why there is no body in this rig; empty where there is one
    notes: tuple[str, ...]  # what to check, then what the rig does without
    parts: tuple[Part, ...]
    control_rig: str
    metres_per_unit: float = 1.0  # of Blender's world space


_checks: OrderedDict[Hashable, BodyCheck] = OrderedDict()  # a panel is drawn many times a second


def check_body(armature: Object, scene: Scene) -> BodyCheck:
    """The body in this rig, with the bones that the person chose."""
    key = _key(armature, scene)
    if key not in _checks:
        _checks[key] = _look_at(armature, scene)
        while len(_checks) > _KEPT:
            _checks.popitem(last=False)
    _checks.move_to_end(key)
    return _checks[key]


def bones_of(armature: Object, scene: Scene) -> dict[str, str]:
    """The bone of every segment that has one."""
    return {part.segment: part.bone for part in check_body(armature, scene).parts if part.bone}


def forget() -> None:
    _checks.clear()


def chosen_bones(armature: Object) -> dict[str, str]:
    """Segment to bone, as the person set them."""
    return {choice.name: choice.bone for choice in armature.heft.bones if choice.bone}


def _key(armature: Object, scene: Scene) -> Hashable:
    """Everything that the finding depends on. Walking and turning are not part of it, or playback would ask anew."""
    bones = armature.data.bones
    matrices = np.empty(16 * len(bones), dtype=np.float32)
    bones.foreach_get("matrix_local", matrices)
    scale = armature.matrix_world.median_scale
    up = tuple(round(value / scale, 1) if scale else 0.0 for value in armature.matrix_world[2][:3])
    return (
        armature.data.session_uid,
        tuple(bone.name for bone in bones),
        tuple(bone.parent.name if bone.parent else "" for bone in bones),
        matrices.tobytes(),
        float(f"{scale:.3g}"),
        up,
        scene.unit_settings.scale_length,
        tuple(chosen_bones(armature).items()),
    )


def _look_at(armature: Object, scene: Scene) -> BodyCheck:
    chosen = chosen_bones(armature)
    try:
        rig = read_rig(armature, scene)
    except HeftError as error:
        return _no_body(str(error), {}, chosen, "")
    try:
        body = map_bones(rig.skeleton, given=chosen)
    except RigError as error:
        return _no_body(str(error), error.found, chosen, rig.control_rig)
    return _body(rig, body)


def _body(rig: RigBones, body: BoneMap) -> BodyCheck:
    names = rig.skeleton.names
    parts = [Part(segment=s, bone=names[m.bone], finding=_finding(m)) for s, m in body.segments.items()]
    parts += [Part(segment=s, bone="", finding="ABSENT") for s in SEGMENTS if s not in body.segments]
    parts.sort(key=lambda part: SEGMENTS.index(part.segment))
    guessed = sum(part.finding == "GUESSED" for part in parts)
    sure = not guessed and not body.warnings
    rig_words = _family_in_words(body.family, rig.control_rig)
    found = f"{len(body.segments)} parts found"
    return BodyCheck(
        light="GREEN" if sure else "YELLOW",
        headline=f"{rig_words}, {found}" if not guessed else f"{rig_words}, {found}, {guessed} guessed",
        trouble="",
        notes=(*body.warnings, *rig.guesses, *body.missing),
        parts=tuple(parts),
        control_rig=rig.control_rig,
        metres_per_unit=rig.metres_per_unit,
    )


def _no_body(trouble: str, found: dict[str, str], chosen: dict[str, str], control_rig: str) -> BodyCheck:
    bones = {segment: chosen.get(segment) or found.get(segment, "") for segment in REQUIRED}
    a_limb_is_missing = any(not bone for segment, bone in bones.items() if segment.endswith(SIDES))
    parts = []
    for segment, bone in bones.items():
        # Without all limbs no trunk is looked for: it is not the person's task to find it.
        unasked: Finding = "ABSENT" if a_limb_is_missing and not segment.endswith(SIDES) else "MISSING"
        finding: Finding = unasked if not bone else "CHOSEN" if segment in chosen else "FOUND"
        parts.append(Part(segment=segment, bone=bone, finding=finding))
    return BodyCheck(
        light="RED",
        headline="No body found in this rig",
        trouble=trouble,
        notes=(),
        parts=tuple(parts),
        control_rig=control_rig,
    )


def _finding(mapped: MappedBone) -> Finding:
    if mapped.how == "given":
        return "CHOSEN"
    return "FOUND" if mapped.how == "name" and mapped.confidence >= _SURE else "GUESSED"


def _family_in_words(family: str, control_rig: str) -> str:
    if control_rig:
        return f"{control_rig.capitalize()} rig"
    return {"by name": "Body", "by shape": "Body"}.get(family, f"{family} rig")
