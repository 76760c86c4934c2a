"""A bone found for a segment, and how the bones of a spine share its segments."""

from typing import Literal, NamedTuple


class MappedBone(NamedTuple):
    bone: int
    confidence: float  # 0 to 1
    how: Literal["name", "shape", "given"]


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
