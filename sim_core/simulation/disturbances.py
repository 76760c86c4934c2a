"""What happens to the character, sorted by kind, with the segments of its body for the bones that a person names."""

import difflib
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from ..body.body import Body
from ..disturbances import Disturbance, KeepLevel, Pull, Push, Stance, Throw, Turn
from ..errors import SettingsError
from ..motion.skeleton import Skeleton
from ..rig.segments import SEGMENTS, parents_of

_ROUNDING_S = 1e-6  # of times that were given in frames


class Disturbances(NamedTuple):
    pushes: tuple[Push, ...] = ()
    pulls: tuple[Pull, ...] = ()
    throws: tuple[Throw, ...] = ()
    levels: tuple[KeepLevel, ...] = ()
    turns: tuple[Turn, ...] = ()
    stances: tuple[Stance, ...] = ()


def on_segments(asked: Sequence[Disturbance], body: Body, skeleton: Skeleton, end_s: float) -> Disturbances:
    """Raises where there is no such bone, or no time for it."""
    for one in asked:
        if one.at_s > end_s:
            raise SettingsError(
                f"The {one.words} comes at {one.at_s:g} s, and the clip ends at {end_s:.2f} s; let it come earlier."
            )
    found = [
        replace(one, bone=segment_of(one.bone, body, skeleton, one.words.split()[0]))
        for one in asked
        if not isinstance(one, Turn | Stance)
    ]
    stances = tuple(one for one in asked if isinstance(one, Stance))
    _check_apart(stances)
    return Disturbances(
        pushes=tuple(one for one in found if isinstance(one, Push)),
        pulls=tuple(one for one in found if isinstance(one, Pull)),
        throws=tuple(one for one in found if isinstance(one, Throw)),
        levels=tuple(one for one in found if isinstance(one, KeepLevel)),
        turns=tuple(one for one in asked if isinstance(one, Turn)),
        stances=stances,
    )


def _check_apart(stances: Sequence[Stance]) -> None:
    for one, other in combinations(stances, 2):
        overlap = min(one.at_s + one.for_s, other.at_s + other.for_s) - max(one.at_s, other.at_s)
        if overlap > _ROUNDING_S and one.foot == other.foot and one.what != other.what:
            raise SettingsError(
                f"The {one.foot} foot {one.what} from {one.at_s:g} s on and {other.what} from {other.at_s:g} s on, and "
                "these overlap; end one where the other begins."
            )


def segment_of(name: str, body: Body, skeleton: Skeleton, who: str) -> str:
    """The segment of this name, or the one that the bone or segment of this name belongs to or rides on."""
    if name in body.names:
        return name
    if name in skeleton.names:
        return _carrier(name, body, skeleton)
    if name in SEGMENTS:  # one that this body does not have apart
        return parents_of({*body.names, name})[name] or body.names[0]
    by_lower = {known.lower(): known for known in (*skeleton.names, *body.names)}
    near = by_lower[difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.0)[0]]
    raise SettingsError(f"A {who} names the bone '{name}', which is not in the rig. Nearest: '{near}'.")


def _carrier(name: str, body: Body, skeleton: Skeleton) -> str:
    segments = {link.bone: link.name for link in body.links}
    bone = skeleton.index(name)
    while bone >= 0 and skeleton.names[bone] not in segments:
        bone = int(skeleton.parents[bone])
    return segments[skeleton.names[bone]] if bone >= 0 else body.names[0]
