"""What a bone can be mapped to: the limbs in their order, what a biped must have, and the words for it."""

from typing import Literal, NamedTuple

SIDES = ("_l", "_r")
ARM = ("clavicle", "upper_arm", "forearm", "hand")
LEG = ("thigh", "shin", "foot", "toes")

_REQUIRED_OF_A_SIDE = ("upper_arm", "forearm", "thigh", "shin", "foot")
REQUIRED = ("pelvis", "chest", *(part + side for side in SIDES for part in _REQUIRED_OF_A_SIDE))


class MappedBone(NamedTuple):
    bone: int
    confidence: float  # 0 to 1
    how: Literal["name", "shape", "given"]


def in_words(segment: str) -> str:
    """As a person says it: "upper_arm_l" is "left upper arm"."""
    for suffix, side in zip(SIDES, ("left", "right"), strict=True):
        if segment.endswith(suffix):
            return f"{side} {segment.removesuffix(suffix)}".replace("_", " ")
    return segment


def trunk_segments(bones: list[int]) -> dict[str, int]:
    """Segments for the bones between pelvis and neck, lowest first; bones beyond three only ride along."""
    if not bones:
        return {}
    found = {"chest": bones[-1]}
    if len(bones) > 1:
        found["abdomen"] = bones[0]
    if len(bones) > 2:
        found["spine"] = bones[len(bones) // 2]
    return found
