"""From bone names to segments: each limb is the chain whose words fit best in their order."""

import heapq
from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from .arrays import Floats
from .body_facing import telling_poses, up_of
from .bone_names import SEGMENT_WORDS, SPINE_WORDS, BoneName
from .bone_segments import ARM, LEG, SIDES, MappedBone, trunk_segments
from .bone_tree import common_ancestor, neck_and_head, path_below, path_to_root, without_duplicates
from .clip import WorldPose
from .skeleton import Skeleton

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
    return found | _trunk(skeleton, names, parents, found, chosen, poses, nearness)


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
    best = max(
        (_rate(chain, fits, parents, in_limb) for chain in product(*options)), key=lambda rated: rated.total
    )
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


def _trunk(
    skeleton: Skeleton,
    names: Sequence[BoneName],
    parents: Sequence[int],
    limbs: Mapping[str, MappedBone],
    chosen: Mapping[str, int],
    poses: Sequence[WorldPose],
    nearness: float,
) -> dict[str, MappedBone]:
    tops = [limbs.get("clavicle" + side, limbs.get("upper_arm" + side)) for side in SIDES]
    thighs = [limbs.get("thigh" + side) for side in SIDES]
    arm_bones = [top.bone for top in tops if top is not None]
    leg_bones = [thigh.bone for thigh in thighs if thigh is not None]
    if len(leg_bones) < 2 or not all("upper_arm" + side in limbs for side in SIDES):
        return {}
    heights = _heights(poses, {segment: mapped.bone for segment, mapped in limbs.items()})
    central = [bone for bone, name in enumerate(names) if not name.helper and not name.side]
    spine = sorted(
        (bone for bone in central if names[bone].words in SPINE_WORDS), key=lambda bone: heights[bone]
    )
    carrier = common_ancestor(parents, arm_bones)
    while (
        carrier >= 0 and names[carrier].words in SEGMENT_WORDS["neck"]
    ):  # 3ds Max hangs the clavicles on the neck
        carrier = parents[carrier]
    pelvis, certainty = _pelvis(
        names, parents, central, spine, common_ancestor(parents, [carrier, *leg_bones])
    )
    pelvis = chosen.get("pelvis", pelvis)
    if pelvis < 0:
        return {}
    chest = chosen.get("chest", carrier)
    chain = path_below(parents, pelvis, chest)
    if (
        not chain
    ):  # the deforming bones do not hang on each other: the chest is the last spine bone below the shoulders
        shoulder = float(np.mean([heights[limbs["upper_arm" + side].bone] for side in SIDES]))
        below = [bone for bone in spine if bone != pelvis and heights[bone] < shoulder]
        chain = (
            [*(bone for bone in below if heights[bone] < heights[chest]), chest]
            if "chest" in chosen
            else below
        )
    found = {"pelvis": pelvis} | trunk_segments(
        without_duplicates(skeleton, chain, nearness) if chain else []
    )
    if chain:
        above = _bones_to_the_head(names, parents, central, chain[-1], set(arm_bones), heights)
        found |= neck_and_head(skeleton, above, nearness)
    sure = {"pelvis": certainty}
    return {part: MappedBone(bone, sure.get(part, 1.0), "name") for part, bone in found.items()}


def _heights(poses: Sequence[WorldPose], bones: Mapping[str, int]) -> Floats:
    """(J,) how high each bone is in the body [m]."""
    has_feet = all("foot" + side in bones and "forearm" + side in bones for side in SIDES)
    pose = next(iter(telling_poses(poses, bones)), poses[0]) if has_feet else poses[0]
    heights: Floats = pose.positions @ up_of(pose, bones)
    return heights


def _pelvis(
    names: Sequence[BoneName],
    parents: Sequence[int],
    central: Sequence[int],
    spine: Sequence[int],
    meeting: int,
) -> tuple[int, float]:
    """The bone that carries legs and trunk, and how sure that is.

    It is where they meet, whatever else is called hip or pelvis: Daz hangs its pelvis beside the spine, old
    3ds Max bipeds hang the thighs on the first spine bone.
    """
    words = SEGMENT_WORDS["pelvis"]
    if meeting in central and (names[meeting].words in words or meeting in spine):
        if words.get(names[meeting].words, 1.0) > 0.5:
            return meeting, 1.0
        named = [bone for bone in central if words.get(names[bone].words, 0.0) > 0.5]
        return (meeting, 0.9) if not named else (max(named, key=lambda bone: words[names[bone].words]), 0.8)
    above = [bone for bone in path_to_root(parents, meeting) if words.get(names[bone].words, 0.0) > 0.5]
    named = sorted(
        (bone for bone in central if names[bone].words in words), key=lambda b: -words[names[b].words]
    )
    if above:
        return above[0], 0.9
    if named and words[names[named[0]].words] > 0.5:
        return named[0], 0.9
    if spine:
        return spine[0], 0.8
    return meeting, 0.6


def _bones_to_the_head(
    names: Sequence[BoneName],
    parents: Sequence[int],
    central: Sequence[int],
    chest: int,
    arms: set[int],
    heights: Floats,
) -> list[int]:
    """The neck bones and the head above the chest, which some rigs only number as more of the spine."""
    heads = [bone for bone in central if names[bone].words in SEGMENT_WORDS["head"]]
    if not heads:
        through = SPINE_WORDS | set(SEGMENT_WORDS["neck"])
        above = [
            b for b in central if names[b].words in through and b != chest and path_below(parents, chest, b)
        ]
        heads = sorted(above, key=lambda bone: len(path_below(parents, chest, bone)))[-1:]
        if not heads:
            return sorted((b for b in central if names[b].words in through and heights[b] > heights[chest]),
                          key=lambda bone: heights[bone])  # fmt: skip
    chain = [bone for bone in path_below(parents, chest, heads[0]) if bone not in arms]
    if chain:
        return chain
    necks = [bone for bone in central if names[bone].words in SEGMENT_WORDS["neck"]]
    return [*sorted(necks, key=lambda bone: heights[bone]), heads[0]]
