"""From bone names to segments: each limb is the chain whose words fit best in their order."""

import heapq
from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from ..motion.clip import WorldPose
from ..motion.skeleton import Skeleton
from .body_facing import heights_in_body
from .bone_names import SEGMENT_WORDS, BoneName
from .bone_tree import path_below, path_to_root
from .bone_trunk import TrunkByName
from .mapped_bone import MappedBone
from .segments import ARM, LEG, SIDES

_CHAIN_BONUS = 0.4  # for hanging directly on the segment before; decides what ambiguous words mean
_CERTAIN = 2.0  # the fit of a bone that the user chose
_CANDIDATES = 5  # of a segment; more would only be numbered copies


class _RatedChain(NamedTuple):
    bones: Sequence[int | None]  # one for each part of the limb
    fits: Sequence[float]  # of the words, raised where the neighbours confirm them
    total: float


def map_by_name(
    skeleton: Skeleton,
    names: Sequence[BoneName],
    chosen: Mapping[str, int],
    poses: Sequence[WorldPose],
    nearness: float,
) -> dict[str, MappedBone]:
    """All segments that the names tell, around those that are chosen.

    Poses order the bones of rigs whose deforming bones do not hang on each other; bones nearer than
    `nearness` count as being at one place [m].
    """
    parents = _body_parents(skeleton, names)
    found: dict[str, MappedBone] = {}
    for side in SIDES:
        for limb in (ARM, LEG):
            found |= _limb(names, parents, side, limb, chosen)
    limbs = {segment: mapped.bone for segment, mapped in found.items()}
    if any(part + side not in limbs for part in ("upper_arm", "forearm", "thigh", "foot") for side in SIDES):
        return found
    trunk = TrunkByName(
        skeleton=skeleton,
        names=names,
        parents=parents,
        limbs=limbs,
        chosen=chosen,
        heights=heights_in_body(poses, limbs),
        nearness=nearness,
    )
    return found | trunk.segments()


def _body_parents(skeleton: Skeleton, names: Sequence[BoneName]) -> list[int]:
    """Each bone's parent, with the mechanism between body bones left out.

    In Rigify DEF-thigh.L may hang on ORG-spine, which stands for DEF-spine: the bone of the same own name.
    """
    body_bone = {name.own: bone for bone, name in enumerate(names) if not name.helper}
    parents = []
    for bone in range(len(names)):
        above = int(skeleton.parents[bone])
        while above >= 0 and (names[above].helper or above == bone):
            twin = body_bone.get(names[above].own, bone)
            if twin != bone and bone not in path_to_root(skeleton.parents, twin):
                above = twin
                break
            above = int(skeleton.parents[above])
        parents.append(above)
    return parents


def _limb(
    names: Sequence[BoneName],
    parents: Sequence[int],
    side: str,
    limb: Sequence[str],
    chosen: Mapping[str, int],
) -> dict[str, MappedBone]:
    fits = [_fits(names, part, side, chosen) for part in limb]
    in_limb = {bone for fit in fits for bone in fit if names[bone].number == 0}
    options = [[*heapq.nlargest(_CANDIDATES, fit, key=fit.__getitem__), None] for fit in fits]
    best = max((_rate(chain, fits, parents, in_limb) for chain in product(*options)), key=lambda rated: rated.total)
    return {
        part + side: MappedBone(bone, min(1.0, fit), "name")
        for part, bone, fit in zip(limb, best.bones, best.fits, strict=True)
        if bone is not None
    }


def _fits(names: Sequence[BoneName], part: str, side: str, chosen: Mapping[str, int]) -> dict[int, float]:
    """How well each bone's words fit the segment; the numbered copies of a bone (twist halves) fit less."""
    if part + side in chosen:
        return {chosen[part + side]: _CERTAIN}
    words = SEGMENT_WORDS[part]
    return {
        bone: words[name.words] - 0.05 * min(name.number, 5)
        for bone, name in enumerate(names)
        if name.side == side and not name.helper and name.words in words and bone not in chosen.values()
    }


def _rate(
    chain: Sequence[int | None],
    words: Sequence[Mapping[int, float]],
    parents: Sequence[int],
    in_limb: set[int],
) -> _RatedChain:
    """How well the words fit and how directly each bone hangs on the one before."""
    fits = [0.0 if bone is None else words[k][bone] for k, bone in enumerate(chain)]
    total = sum(fits)
    present = [bone for bone in chain if bone is not None]
    if len(set(present)) < len(present):
        return _RatedChain(chain, fits, -np.inf)
    for k, (before, bone) in enumerate(pairwise(chain)):
        if before is None or bone is None:
            continue
        if path_below(parents, bone, before):  # the limb would run backwards
            return _RatedChain(chain, fits, -np.inf)
        way = path_below(parents, before, bone)
        if way:
            bonus = _CHAIN_BONUS / (1 + 2 * len(in_limb.intersection(way[:-1])))
            total += bonus
            fits[k] += bonus
            fits[k + 1] += bonus
    return _RatedChain(chain, fits, total)
