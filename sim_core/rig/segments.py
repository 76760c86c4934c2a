"""The segments of a biped: their names, and which hangs on which when some are missing."""

from collections.abc import Collection

SIDES = ("_l", "_r")
TRUNK = ("pelvis", "abdomen", "spine", "chest")
HEAD = ("neck", "head")
ARM = ("clavicle", "upper_arm", "forearm", "hand")
LEG = ("thigh", "shin", "foot", "toes")

# What each chain hangs on; depth first, so that the links of a body made in this order suit every engine.
_CHAINS: tuple[tuple[str | None, tuple[str, ...]], ...] = (
    (None, TRUNK),
    ("chest", HEAD),
    *(("chest", tuple(part + side for part in ARM)) for side in SIDES),
    *(("pelvis", tuple(part + side for part in LEG)) for side in SIDES),
)
SEGMENTS: tuple[str, ...] = tuple(segment for _, chain in _CHAINS for segment in chain)

_REQUIRED_OF_A_SIDE = ("upper_arm", "forearm", "thigh", "shin", "foot")
REQUIRED = ("pelvis", "chest", *(part + side for side in SIDES for part in _REQUIRED_OF_A_SIDE))


def kind(segment: str) -> str:
    """The segment without its side: "thigh_l" is a "thigh"."""
    return segment[:-2] if segment.endswith(SIDES) else segment


def is_left(segment: str) -> bool:
    return segment.endswith("_l")


def in_words(segment: str) -> str:
    """As a person says it: "upper_arm_l" is "left upper arm"."""
    side = {"_l": "left ", "_r": "right "}.get(segment[-2:], "")
    return side + kind(segment).replace("_", " ")


def parents_of(present: Collection[str]) -> dict[str, str | None]:
    """Each present segment with the present segment it hangs on, in depth-first order."""
    parents: dict[str, str | None] = {}
    for above, chain in _CHAINS:
        for segment in chain:
            if segment in present:
                parents[segment] = above
                above = segment
    return parents
