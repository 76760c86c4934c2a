"""The segments of a body: their names, and how they hang together."""

from collections.abc import Iterable

_LIMBS = ("clavicle", "upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toes")
_TRUNK = ("pelvis", "abdomen", "spine", "chest", "neck", "head")
SEGMENTS = _TRUNK + tuple(f"{limb}_{side}" for side in "lr" for limb in _LIMBS)

# What a segment hangs on; where that is missing in a rig, on what that hangs on.
_PARENT = {
    "abdomen": "pelvis",
    "spine": "abdomen",
    "chest": "spine",
    "neck": "chest",
    "head": "neck",
    "clavicle": "chest",
    "upper_arm": "clavicle",
    "forearm": "upper_arm",
    "hand": "forearm",
    "thigh": "pelvis",
    "shin": "thigh",
    "foot": "shin",
    "toes": "foot",
}


def kind(segment: str) -> str:
    """The segment without its side: "thigh" for "thigh_l"."""
    return segment[:-2] if segment.endswith(("_l", "_r")) else segment


def is_left(segment: str) -> bool:
    return segment.endswith("_l")


def parents_of(present: Iterable[str]) -> dict[str, str | None]:
    """The segment that each present segment hangs on, parents first and depth first; None for the pelvis."""
    names = set(present)
    parents = {segment: _present_parent(segment, names) for segment in SEGMENTS if segment in names}
    ordered: dict[str, str | None] = {}

    def visit(segment: str) -> None:
        ordered[segment] = parents[segment]
        for child, parent in parents.items():
            if parent == segment:
                visit(child)

    for segment, parent in parents.items():
        if parent is None:
            visit(segment)
    return ordered


def _present_parent(segment: str, names: set[str]) -> str | None:
    side = segment[len(kind(segment)) :]
    while (above := _PARENT.get(kind(segment))) is not None:
        segment = above if above in _TRUNK else above + side
        if segment in names:
            return segment
    return None
