"""From the shape of a skeleton to segments, without names: two pairs of alike limbs, legs below, arms above.

Only lengths along the bones decide which limb is which, so that any pose, or a heap of bones, serves.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from ..motion.clip import WorldPose
from ..motion.skeleton import Skeleton
from .body_facing import left_of, telling_poses, up_of
from .bone_tree import common_ancestor, neck_and_head, path_below, path_to_root, reaches, without_duplicates
from .mapped_bone import MappedBone, trunk_segments
from .segments import ARM, LEG, SIDES

_SHORTEST_LIMB = 0.2  # of the longest way through the skeleton: fingers, faces and twist bones are shorter
_DEEPEST_END = 9  # bones from the start of a limb to its hand or foot, twist bones included
_SPREADING = 0.2  # a hand or a foot is where a limb branches, if it does
_WORST_LIMB, _WORST_BODY = 1.2, 2.5  # costs above which it is no limb, no biped
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
    end_length: float
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
    legs, arms = (_pairs(skeleton, poses[0], reach, proportions) for proportions in (_LEG, _ARM))
    bodies = [(_body_cost(skeleton, a, b), a, b) for a in legs for b in arms if _can_be_a_body(skeleton, a, b)]
    carriers = len({pair.carrier for pair in legs + arms})
    best = min(bodies, key=lambda body: body[0], default=None)
    if best is None or best[0] > _WORST_BODY:
        return ShapeFinding({}, carriers, False)
    _, leg_pair, arm_pair = best
    bones = _limb_segments(skeleton, reach, leg_pair, arm_pair, nearness)
    telling = telling_poses(poses, bones)
    bones, sides_known = _with_sides(skeleton, telling or poses[:1], bones)
    pose = telling[0] if telling else poses[0]
    bones |= _trunk(skeleton, reach, pose, bones, leg_pair, arm_pair, nearness)
    segments = {segment: MappedBone(bone, _CONFIDENCE, "shape") for segment, bone in bones.items()}
    return ShapeFinding(segments, carriers, sides_known)


def _pairs(skeleton: Skeleton, rest: WorldPose, reach: Floats, proportions: _Proportions) -> list[_Pair]:
    """Limbs that hang on one bone and are alike: each pair divided where both of its limbs like it best."""
    shortest = _SHORTEST_LIMB * float(reach.max())
    pairs = []
    for carrier, children in enumerate(skeleton.children):
        long_children = [child for child in children if reach[child] > shortest]
        if len(long_children) < 2:
            continue
        divided = [_divisions(skeleton, rest, reach, child, proportions) for child in long_children]
        for one, other in combinations(divided, 2):
            matched = [_pair(carrier, one[key], other[key], proportions) for key in one if key in other]
            best = min(matched, key=lambda pair: pair.cost, default=None)
            if best is not None and best.cost < _WORST_LIMB:
                pairs.append(best)
    return pairs


def _pair(carrier: int, one: _Limb, other: _Limb, proportions: _Proportions) -> _Pair:
    unlike = sum(abs(float(np.log(a / b))) for a, b in zip(one.lengths, other.lengths, strict=True))
    # The shorter of both ends is the body's own: a hand may hold a sword.
    end = 2.0 * min(one.end_length, other.end_length) / (sum(one.lengths) + sum(other.lengths))
    excess = float(np.log(max(end, 0.03) / proportions.end_to_both))
    # Many rigs end in a stub of a hand or foot, or at the wrist or ankle; none has one as long as the limb.
    end_cost = 0.8 * excess if excess > 0.0 else -0.2 * excess
    return _Pair(carrier, (one, other), 0.5 * (one.cost + other.cost + unlike) + end_cost)


def _divisions(
    skeleton: Skeleton, rest: WorldPose, reach: Floats, root: int, proportions: _Proportions
) -> dict[tuple[int, int, int], _Limb]:
    """Every way to see an arm or a leg below a bone, by the depths of its three joints; the best of each."""
    found: dict[tuple[int, int, int], _Limb] = {}
    paths = [[root]]
    while paths:
        path = paths.pop(0)
        end = path[-1]
        along = np.cumsum([0.0, *np.linalg.norm(skeleton.offsets[path[1:]], axis=1)])
        for upper, lower in combinations(range(len(path) - 1), 2):
            lengths = (float(along[lower] - along[upper]), float(along[-1] - along[lower]))
            if min(lengths) < 1e-6:
                continue
            bends = _bend(rest, path[upper : lower + 1]) + _bend(rest, path[lower:])
            cost = (
                abs(float(np.log(lengths[0] / lengths[1] / proportions.upper_to_lower)))
                + 0.3 * float(along[upper]) / sum(lengths)
                + 0.5 * bends
                - (_SPREADING if len(skeleton.children[end]) > 1 else 0.0)
            )
            depths = (upper, lower, len(path))
            if depths not in found or cost < found[depths].cost:
                found[depths] = _Limb(root, path[upper], path[lower], end, lengths, float(reach[end]), cost)
        if len(path) < _DEEPEST_END:
            paths += [[*path, child] for child in skeleton.children[end]]
    return found


def _bend(rest: WorldPose, path: list[int]) -> float:
    """The sharpest turn inside what would be one segment [rad]: twist bones lie in line."""
    steps = np.diff(rest.positions[path], axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    directions = steps[lengths > 1e-6] / lengths[lengths > 1e-6, None]
    turns = np.arccos(np.clip(np.sum(directions[1:] * directions[:-1], axis=1), -1.0, 1.0))
    return float(turns.max(initial=0.0))


def _can_be_a_body(skeleton: Skeleton, legs: _Pair, arms: _Pair) -> bool:
    """Arms hang on the trunk: not where the legs hang, not on a leg, and no leg on an arm."""
    arm_path = path_to_root(skeleton.parents, arms.carrier)
    leg_path = path_to_root(skeleton.parents, legs.carrier)
    on_a_limb = any(limb.root in arm_path for limb in legs.limbs) or any(limb.root in leg_path for limb in arms.limbs)
    return legs.carrier != arms.carrier and not on_a_limb and arms.carrier not in leg_path


def _body_cost(skeleton: Skeleton, legs: _Pair, arms: _Pair) -> float:
    def width(pair: _Pair) -> float:
        """Along the bones from joint to joint, which no pose changes."""
        ways = [path_below(skeleton.parents, pair.carrier, limb.upper) for limb in pair.limbs]
        return max(float(sum(np.linalg.norm(skeleton.offsets[way], axis=1).sum() for way in ways)), 1e-6)

    proportion = abs(np.log(legs.length / arms.length / _LEG_TO_ARM))
    widths = abs(np.log(width(arms) / width(legs) / _SHOULDERS_TO_HIPS))
    return float(legs.cost + arms.cost + 0.7 * proportion + 0.3 * widths)


def _limb_segments(skeleton: Skeleton, reach: Floats, legs: _Pair, arms: _Pair, nearness: float) -> dict[str, int]:
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
                toes = _toes(skeleton, reach, limb.end, nearness)
                bones |= {} if toes is None else {"toes" + side: toes}
    return bones


def _toes(skeleton: Skeleton, reach: Floats, foot: int, nearness: float) -> int | None:
    """The longest bone ahead of the foot that has a length of its own and is not at the ankle's place."""
    bone = foot
    while long := [child for child in skeleton.children[bone] if reach[child] > 0.0]:
        bone = max(long, key=lambda child: float(reach[child] + np.linalg.norm(skeleton.offsets[child])))
        if np.linalg.norm(skeleton.offsets[bone]) > nearness:
            return bone
    return None


def _with_sides(
    skeleton: Skeleton, poses: Sequence[WorldPose], bones: Mapping[str, int]
) -> tuple[dict[str, int], bool]:
    """The limbs on their true sides, and whether the body told which is left; arms agree with legs anyway."""
    votes = {limb: 0.0 for limb in (ARM, LEG)}
    lefts = [left_of(skeleton, pose, bones) for pose in poses]
    known = any(left is not None for left in lefts)
    for pose, left in zip(poses, lefts, strict=True):
        across = {part: pose.positions[bones[part + "_l"]] - pose.positions[bones[part + "_r"]] for part in _ROOTS}
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
    found = {"pelvis": pelvis} | trunk_segments(without_duplicates(skeleton, chain, nearness) if chain else [])
    above = _bones_to_the_head(skeleton, reach, pose, bones, arms, nearness)
    return found | neck_and_head(skeleton, above, nearness)


def _bones_to_the_head(
    skeleton: Skeleton, reach: Floats, pose: WorldPose, bones: Mapping[str, int], arms: _Pair, nearness: float
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
    while len(chain) > 1 and np.linalg.norm(skeleton.offsets[chain[-1]]) <= nearness:
        chain.pop()  # a bone that only gathers the face
    return chain
