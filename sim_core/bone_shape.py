"""From the shape of a skeleton to segments, without names: two pairs of alike limbs, legs below, arms above.

Only lengths along the bones decide which limb is which, so that any pose, or a heap of bones, serves.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from .arrays import Floats
from .body_facing import left_of, telling_poses, up_of
from .bone_segments import ARM, LEG, SIDES, MappedBone, trunk_segments
from .bone_tree import common_ancestor, neck_and_head, path_below, path_to_root, reaches, without_duplicates
from .clip import WorldPose
from .skeleton import Skeleton

_SHORTEST_LIMB = 0.2  # of the longest way through the skeleton: fingers, faces and twist bones are shorter
_DEEPEST_END = 9  # bones from the start of a limb to its hand or foot, twist bones included
_WORST_LIMB, _WORST_BODY = 1.2, 2.0  # costs above which it is no limb, no biped
_ALIKE = 0.4  # sum of the log ratios of a left and a right limb's lengths
_CONFIDENCE = 0.6
_ROOTS = ("upper_arm", "thigh")  # where a limb hangs on the trunk: no pose brings these to the other side


class _Proportions(NamedTuple):
    """Lengths of an adult's limb (Drillis and Contini 1966), as ratios that cartoon figures stay near to."""

    upper_to_lower: float
    end_to_both: float


_LEG = _Proportions(upper_to_lower=1.0, end_to_both=0.3)  # the foot is measured from ankle to toe tip
_ARM = _Proportions(upper_to_lower=1.15, end_to_both=0.33)
_LEG_TO_ARM = 1.5
_SHOULDERS_TO_HIPS = 1.7


class _Limb(NamedTuple):
    root: int  # the child of the bone that carries the limb
    upper: int
    lower: int
    end: int
    lengths: tuple[float, float]
    cost: float


class _Pair(NamedTuple):
    carrier: int
    limbs: tuple[_Limb, _Limb]
    cost: float

    @property
    def length(self) -> float:
        return sum(sum(limb.lengths) for limb in self.limbs)


class ShapeFinding(NamedTuple):
    segments: dict[str, MappedBone]
    pairs: int  # pairs of alike limbs that the skeleton has
    sides_known: bool


def map_by_shape(skeleton: Skeleton, poses: Sequence[WorldPose], nearness: float) -> ShapeFinding:
    """The segments of the best biped in the skeleton; none when there is none."""
    reach = reaches(skeleton)
    legs, arms = (_pairs(skeleton, reach, proportions) for proportions in (_LEG, _ARM))
    bodies = [
        (_body_cost(skeleton, a, b), a, b) for a in legs for b in arms if _can_be_a_body(skeleton, a, b)
    ]
    carriers = len({pair.carrier for pair in legs + arms})
    best = min(bodies, key=lambda body: body[0], default=None)
    if best is None or best[0] > _WORST_BODY:
        return ShapeFinding({}, carriers, False)
    _, leg_pair, arm_pair = best
    bones = _limb_segments(skeleton, reach, leg_pair, arm_pair)
    telling = telling_poses(poses, bones)
    bones, sides_known = _with_sides(skeleton, telling or poses[:1], bones)
    pose = telling[0] if telling else poses[0]
    bones |= _trunk(skeleton, reach, pose, bones, leg_pair, arm_pair, nearness)
    segments = {segment: MappedBone(bone, _CONFIDENCE, "shape") for segment, bone in bones.items()}
    return ShapeFinding(segments, carriers, sides_known)


def _pairs(skeleton: Skeleton, reach: Floats, proportions: _Proportions) -> list[_Pair]:
    lengths = np.linalg.norm(skeleton.offsets, axis=1)
    shortest = _SHORTEST_LIMB * float(reach.max())
    pairs = []
    for carrier, children in enumerate(skeleton.children):
        long_children = [child for child in children if reach[child] > shortest]
        if len(long_children) < 2:
            continue
        limbs = [_best_limb(skeleton, lengths, reach, child, proportions) for child in long_children]
        for one, other in combinations([limb for limb in limbs if limb is not None], 2):
            unlike = sum(abs(np.log(a / b)) for a, b in zip(one.lengths, other.lengths, strict=True))
            if unlike < _ALIKE:
                pairs.append(_Pair(carrier, (one, other), 0.5 * (one.cost + other.cost) + float(unlike)))
    return pairs


def _best_limb(
    skeleton: Skeleton, lengths: Floats, reach: Floats, root: int, proportions: _Proportions
) -> _Limb | None:
    """The three joints below a bone that divide it most like an arm or a leg; the highest of equals."""
    best: _Limb | None = None
    ends = [(root, [root])]
    while ends:
        end, path = ends.pop(0)
        along = np.cumsum([0.0, *(lengths[bone] for bone in path[1:])])
        for upper, lower in combinations(range(len(path) - 1), 2):
            cost = _limb_cost(along[upper], along[lower], along[-1], reach[end], proportions)
            if cost < (_WORST_LIMB if best is None else best.cost - 1e-6):
                parts = (float(along[lower] - along[upper]), float(along[-1] - along[lower]))
                best = _Limb(root, path[upper], path[lower], end, parts, cost)
        if len(path) < _DEEPEST_END:
            ends += [(child, [*path, child]) for child in skeleton.children[end]]
    return best


def _limb_cost(start: float, middle: float, end: float, tail: float, proportions: _Proportions) -> float:
    upper, lower = middle - start, end - middle
    both = upper + lower
    if min(upper, lower) < 1e-6 or both < tail:
        return np.inf
    tail_ratio = max(tail / both, 0.1)  # a rig may end at the wrist or the ankle
    return float(
        abs(np.log(upper / lower / proportions.upper_to_lower))
        + 0.5 * abs(np.log(tail_ratio / proportions.end_to_both))
        + 0.3 * start / both
    )


def _can_be_a_body(skeleton: Skeleton, legs: _Pair, arms: _Pair) -> bool:
    """Arms hang on the trunk: not where the legs hang, not on a leg, and no leg on an arm."""
    arm_path = path_to_root(skeleton.parents, arms.carrier)
    leg_path = path_to_root(skeleton.parents, legs.carrier)
    on_a_limb = any(limb.root in arm_path for limb in legs.limbs) or any(
        limb.root in leg_path for limb in arms.limbs
    )
    return legs.carrier != arms.carrier and not on_a_limb and arms.carrier not in leg_path


def _body_cost(skeleton: Skeleton, legs: _Pair, arms: _Pair) -> float:
    def width(pair: _Pair) -> float:
        """Along the bones from joint to joint, which no pose changes."""
        ways = [path_below(skeleton.parents, pair.carrier, limb.upper) for limb in pair.limbs]
        return max(float(sum(np.linalg.norm(skeleton.offsets[way], axis=1).sum() for way in ways)), 1e-6)

    proportion = abs(np.log(legs.length / arms.length / _LEG_TO_ARM))
    widths = abs(np.log(width(arms) / width(legs) / _SHOULDERS_TO_HIPS))
    return float(legs.cost + arms.cost + 0.7 * proportion + 0.3 * widths)


def _limb_segments(skeleton: Skeleton, reach: Floats, legs: _Pair, arms: _Pair) -> dict[str, int]:
    """All limb bones; which of the two is left is not yet known."""
    bones: dict[str, int] = {}
    for pair, (before, upper, lower, end) in ((arms, ARM), (legs, ("", *LEG[:3]))):
        for side, limb in zip(SIDES, pair.limbs, strict=True):
            bones |= {upper + side: limb.upper, lower + side: limb.lower}
            if end == "foot" or reach[limb.end] > 0.0:
                bones[end + side] = limb.end
            if before and limb.upper != limb.root:
                bones[before + side] = int(skeleton.parents[limb.upper])
            if end == "foot":
                long = [child for child in skeleton.children[limb.end] if reach[child] > 0.0]
                bones |= {"toes" + side: max(long, key=lambda bone: reach[bone])} if long else {}
    return bones


def _with_sides(
    skeleton: Skeleton, poses: Sequence[WorldPose], bones: Mapping[str, int]
) -> tuple[dict[str, int], bool]:
    """The limbs on their true sides, and whether the body told which is left; arms agree with legs anyway."""
    votes = {limb: 0.0 for limb in (ARM, LEG)}
    lefts = [left_of(skeleton, pose, bones) for pose in poses]
    known = any(left is not None for left in lefts)
    for pose, left in zip(poses, lefts, strict=True):
        across = {
            part: pose.positions[bones[part + "_l"]] - pose.positions[bones[part + "_r"]] for part in _ROOTS
        }
        side = left if left is not None else None if known else across["thigh"]
        if side is not None:
            for limb, part in zip(votes, _ROOTS, strict=True):
                votes[limb] += float(side @ across[part])
    mirrored = {part for limb, vote in votes.items() if vote < 0.0 for part in limb}
    other = {"_l": "_r", "_r": "_l"}
    return {
        segment[:-2] + (other[segment[-2:]] if segment[:-2] in mirrored else segment[-2:]): bone
        for segment, bone in bones.items()
    }, known


def _trunk(
    skeleton: Skeleton,
    reach: Floats,
    pose: WorldPose,
    bones: Mapping[str, int],
    legs: _Pair,
    arms: _Pair,
    nearness: float,
) -> dict[str, int]:
    pelvis = common_ancestor(skeleton.parents, [legs.carrier, arms.carrier])
    chain = path_below(skeleton.parents, pelvis, arms.carrier)
    found = {"pelvis": pelvis} | trunk_segments(
        without_duplicates(skeleton, chain, nearness) if chain else []
    )
    above = _bones_to_the_head(skeleton, reach, pose, bones, arms)
    return found | neck_and_head(skeleton, above, nearness)


def _bones_to_the_head(
    skeleton: Skeleton, reach: Floats, pose: WorldPose, bones: Mapping[str, int], arms: _Pair
) -> list[int]:
    """Up from the chest by the branch that rises highest, until it spreads into a face or ends."""
    heights = pose.positions @ up_of(pose, bones)
    branches = [
        child
        for child in skeleton.children[arms.carrier]
        if reach[child] > 0.0 and child not in {limb.root for limb in arms.limbs}
    ]

    def top(bone: int) -> float:
        return max([float(heights[bone]), *(top(child) for child in skeleton.children[bone])])

    chain: list[int] = []
    while branches:
        bone = max(branches, key=top)
        if top(bone) <= heights[arms.carrier] - 1e-6:
            break
        chain.append(bone)
        branches = [child for child in skeleton.children[bone] if reach[child] > 0.0]
        if len(skeleton.children[bone]) > 1:
            break
    return chain
