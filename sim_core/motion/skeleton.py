"""A skeleton: named bones in a tree, each with a place on its parent. SI, Z-up, wxyz."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..errors import RigError


@dataclass(frozen=True, kw_only=True, eq=False)
class Skeleton:
    """Bones in an order where parents come first; bone 0 is the only root.

    A bone's frame sits at its head. `rest_rotations` turn a bone's frame into its parent's in the rest pose; clips
    hold the whole rotation from bone to parent, rest included, so that rest is needed only to know the rest pose.
    """

    names: tuple[str, ...]
    parents: Ints  # (J,), -1 for the root
    offsets: Floats  # (J, 3) head of the bone in its parent's frame [m]
    rest_rotations: Floats  # (J, 4)
    tip_parents: Ints  # (K,) bones that end in a tip (a BVH end site, the tail of a last bone)
    tip_offsets: Floats  # (K, 3) the tip in the frame of its bone [m]
    translates: Bools  # (J,) bones whose position may be animated

    def __post_init__(self) -> None:
        roots = np.flatnonzero(self.parents < 0)
        if roots.tolist() != [0] or np.any(self.parents >= np.arange(len(self.names))):
            raise RigError("A skeleton needs one root, listed first, and every parent before its children.")

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        return self.names.index(name)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        lists: list[list[int]] = [[] for _ in self.names]
        for bone, parent in enumerate(self.parents):
            if parent >= 0:
                lists[parent].append(bone)
        return tuple(tuple(c) for c in lists)

    def hangs_on(self, bone: int, ancestor: int) -> bool:
        """Whether the bone is the ancestor or somewhere below it."""
        while bone > ancestor:
            bone = int(self.parents[bone])
        return bone == ancestor

    def chain(self, ancestor: int, bone: int) -> list[int]:
        """The bones from below `ancestor` down to `bone`, which is the last; empty when they are the same."""
        path: list[int] = []
        while bone != ancestor:
            if bone < 0:
                raise RigError("The bone does not hang below the ancestor it was asked for.")
            path.append(bone)
            bone = int(self.parents[bone])
        return path[::-1]


def make_skeleton(
    names: Sequence[str],
    parents: Sequence[int],
    offsets: Floats,
    *,
    rest_rotations: Floats | None = None,
    tips: Sequence[tuple[int, Sequence[float]]] = (),
    translates: Sequence[bool] | None = None,
) -> Skeleton:
    """A skeleton from plain lists; rest rotations default to identity, and only the root translates."""
    count = len(names)
    rest = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)) if rest_rotations is None else np.asarray(rest_rotations, float)
    moves = [bone == 0 for bone in range(count)] if translates is None else list(translates)
    return Skeleton(
        names=tuple(names),
        parents=np.asarray(parents, dtype=np.int64),
        offsets=np.asarray(offsets, dtype=float).reshape(count, 3),
        rest_rotations=rest,
        tip_parents=np.array([bone for bone, _ in tips], dtype=np.int64),
        tip_offsets=np.array([offset for _, offset in tips], dtype=float).reshape(len(tips), 3),
        translates=np.array(moves, dtype=bool),
    )
