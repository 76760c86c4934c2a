"""Questions about the tree of bones that mapping by name and by shape both ask."""

from collections.abc import Sequence

import numpy as np

from ..arrays import Floats, Ints
from ..motion.skeleton import Skeleton


def path_to_root(parents: Sequence[int] | Ints, bone: int) -> list[int]:
    """The bone itself first, the root last."""
    path = []
    while bone >= 0:
        path.append(bone)
        bone = int(parents[bone])
    return path


def common_ancestor(parents: Sequence[int] | Ints, bones: Sequence[int]) -> int:
    """The lowest bone that all of the bones hang on (or are), -1 when there is none."""
    shared = set(path_to_root(parents, bones[0]))
    for bone in bones[1:]:
        shared.intersection_update(path_to_root(parents, bone))
    return next((bone for bone in path_to_root(parents, bones[0]) if bone in shared), -1)


def path_below(parents: Sequence[int] | Ints, ancestor: int, bone: int) -> list[int]:
    """The bones from below the ancestor down to the bone; empty when the bone does not hang on it."""
    path = path_to_root(parents, bone)
    return path[: path.index(ancestor)][::-1] if ancestor in path else []


def reaches(skeleton: Skeleton) -> Floats:
    """(J,) the longest way from each bone's head to any point below it, along the bones [m]."""
    reach = np.zeros(len(skeleton))
    for bone, offset in zip(skeleton.tip_parents, skeleton.tip_offsets, strict=True):
        reach[bone] = max(reach[bone], float(np.linalg.norm(offset)))
    lengths = np.linalg.norm(skeleton.offsets, axis=1)
    for bone in range(len(skeleton) - 1, 0, -1):
        parent = skeleton.parents[bone]
        reach[parent] = max(reach[parent], lengths[bone] + reach[bone])
    return reach


def without_duplicates(skeleton: Skeleton, chain: list[int], nearness: float) -> list[int]:
    """A chain of bones without those that sit where the next one does [m]: they have no length."""
    kept = chain[-1:]
    for bone in chain[-2::-1]:
        between = path_below(skeleton.parents, bone, kept[0])
        if not between or np.linalg.norm(skeleton.offsets[between], axis=1).sum() > nearness:
            kept.insert(0, bone)
    return kept


def neck_and_head(skeleton: Skeleton, chain: list[int], nearness: float) -> dict[str, int]:
    """Segments for a chain that ends in the head, the chest left out.

    The neck is the first bone that is not at the chest's own place: CMU's "Neck" sits in mid-chest.
    """
    if not chain:
        return {}
    found = {"head": chain[-1]}
    away = 0.0
    for bone in chain[:-1]:
        away += float(np.linalg.norm(skeleton.offsets[bone]))
        if away > nearness:
            return found | {"neck": bone}
    return found | ({"neck": chain[-2]} if len(chain) > 1 else {})
