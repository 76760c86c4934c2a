"""Which links may touch each other: limbs on limbs and limbs on the trunk, never neighbours at a joint.

Flesh is soft, clothes give way and capsules do neither: a pair that overlaps or nearly touches in the performance
itself (arms held tight, feet that pass each other) would jam on the slightest deviation, so it is left out.
"""

import numpy as np

from .. import rotations
from ..arrays import Floats, Ints
from ..rig.segments import kind
from .body import Box, Link
from .rig_geometry import RigGeometry

_REACHING = ("forearm", "hand")
_REACHED = ("pelvis", "abdomen", "spine", "chest", "head", "thigh", "shin", "foot", "forearm", "hand")
_STRIDING = ("shin", "foot", "toes")
_NEAREST_M = 0.03  # the least gap in the clip for which a pair is watched
_SAMPLES = 240


def pairs_that_may_touch(links: tuple[Link, ...], rig: RigGeometry) -> tuple[tuple[int, int], ...]:
    rows = np.unique(np.linspace(0, len(rig.clip) - 1, _SAMPLES).astype(int))
    ends = [_world_segment(link, rig, rows) for link in links]
    pairs = []
    for a in range(len(links)):
        for b in range(a + 1, len(links)):
            if not _worth_watching(links, a, b):
                continue
            gap = segment_distance(*ends[a][:2], *ends[b][:2]) - ends[a][2] - ends[b][2]
            if gap.min() > _NEAREST_M:
                pairs.append((a, b))
    return tuple(pairs)


def _worth_watching(links: tuple[Link, ...], a: int, b: int) -> bool:
    if links[b].parent == a or links[a].parent == b:
        return False
    one, other = links[a].name, links[b].name
    if kind(one) in _STRIDING and kind(other) in _STRIDING:
        return one[-1] != other[-1]
    same_limb = one[-2:] == other[-2:] and kind(one) in _REACHING and kind(other) in _REACHING
    reaching = kind(one) in _REACHING and kind(other) in _REACHED
    reached = kind(other) in _REACHING and kind(one) in _REACHED
    return (reaching or reached) and not same_limb


def _world_segment(link: Link, rig: RigGeometry, rows: Ints) -> tuple[Floats, Floats, float]:
    """The link's shape as a thick segment over the sampled frames: start, end (T, 3) and radius."""
    if isinstance(link.shape, Box):
        half = link.shape.half_extents
        longest = int(np.argmax(half))
        reach = link.shape.R_link_box[:, longest] * (half[longest] - half.min())
        start, end, radius = link.shape.centre - reach, link.shape.centre + reach, float(half.min())
    else:
        start, end, radius = link.shape.start, link.shape.end, link.shape.radius
    bone = rig.bones[link.name]
    turn, place = rig.world.rotations[rows, bone], rig.world.positions[rows, bone]
    return rotations.rotate(turn, start) + place, rotations.rotate(turn, end) + place, radius


def segment_distance(a0: Floats, a1: Floats, b0: Floats, b1: Floats) -> Floats:
    """The least distance of two segments, over leading dimensions (Ericson, Real-Time Collision Detection, 5.1.9)."""
    d1, d2, r = a1 - a0, b1 - b0, a0 - b0
    a, e, f = (np.sum(x * y, axis=-1) for x, y in ((d1, d1), (d2, d2), (d2, r)))
    b, c = np.sum(d1 * d2, axis=-1), np.sum(d1 * r, axis=-1)
    a, e = np.maximum(a, 1e-12), np.maximum(e, 1e-12)
    denominator = np.maximum(a * e - b * b, 1e-12)
    s = np.clip((b * f - c * e) / denominator, 0.0, 1.0)
    t = np.clip((b * s + f) / e, 0.0, 1.0)
    s = np.clip((b * t - c) / a, 0.0, 1.0)
    gap = (a0 + s[..., None] * d1) - (b0 + t[..., None] * d2)
    distance: Floats = np.linalg.norm(gap, axis=-1)
    return distance
