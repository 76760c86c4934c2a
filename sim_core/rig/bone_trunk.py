"""Pelvis, spine, neck and head by name, once the limbs that hang on them are known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Floats
from ..motion.skeleton import Skeleton
from .bone_names import SEGMENT_WORDS, SPINE_WORDS, BoneName
from .bone_tree import common_ancestor, neck_and_head, path_below, path_to_root, without_duplicates
from .mapped_bone import MappedBone, trunk_segments
from .segments import SIDES

_PELVIS_WORD = 0.5  # words that fit less ("root") are only believed where nothing better is


@dataclass(frozen=True, kw_only=True, eq=False)
class TrunkByName:
    skeleton: Skeleton
    names: Sequence[BoneName]
    parents: Sequence[int]  # with the mechanism between body bones left out
    limbs: Mapping[str, int]
    chosen: Mapping[str, int]
    heights: Floats  # (J,) [m]
    nearness: float  # bones closer than this are at one place [m]

    def segments(self) -> dict[str, MappedBone]:
        pelvis, certainty = self._pelvis()
        if "pelvis" in self.chosen:
            pelvis, certainty = self.chosen["pelvis"], 1.0
        if pelvis < 0:
            return {}
        found = {"pelvis": pelvis}
        chain = self._spine_above(pelvis)
        if chain:
            found |= trunk_segments(without_duplicates(self.skeleton, chain, self.nearness))
            shoulders_above = path_below(self.parents, chain[-1], self._carrier)
            found |= neck_and_head(self.skeleton, self._to_the_head((shoulders_above or chain)[-1]), self.nearness)
        return {part: MappedBone(bone, certainty if part == "pelvis" else 1.0, "name") for part, bone in found.items()}

    @cached_property
    def _central(self) -> list[int]:
        """Body bones without a side, from low to high."""
        central = [bone for bone, name in enumerate(self.names) if not name.helper and not name.side]
        return sorted(central, key=lambda bone: float(self.heights[bone]))

    def _called(self, words: Mapping[str, float] | frozenset[str]) -> list[int]:
        return [bone for bone in self._central if self.names[bone].words in words]

    @cached_property
    def _carrier(self) -> int:
        """The bone that the arms hang on; 3ds Max hangs the clavicles on the neck, but means the chest."""
        arms = [self.limbs.get("clavicle" + side, self.limbs["upper_arm" + side]) for side in SIDES]
        carrier = common_ancestor(self.parents, arms)
        while carrier >= 0 and self.names[carrier].words in SEGMENT_WORDS["neck"]:
            carrier = self.parents[carrier]
        return carrier

    def _pelvis(self) -> tuple[int, float]:
        """The bone that carries legs and trunk, and how sure that is.

        It is where they meet, whatever else is called hip or pelvis: Daz hangs its pelvis beside the spine,
        old 3ds Max bipeds hang the thighs on the first spine bone.
        """

        def fit(bone: int) -> float:
            return SEGMENT_WORDS["pelvis"].get(self.names[bone].words, 0.0)

        meeting = common_ancestor(self.parents, [self._carrier, *(self.limbs["thigh" + side] for side in SIDES)])
        spine = self._called(SPINE_WORDS)
        if meeting in spine or (meeting >= 0 and fit(meeting) > _PELVIS_WORD):
            return meeting, 1.0
        named = [bone for bone in self._central if fit(bone) > _PELVIS_WORD]
        above = [bone for bone in path_to_root(self.parents, meeting) if bone in named]
        if above:
            return above[0], 0.9
        if named:
            return max(named, key=fit), 0.8
        if meeting >= 0 and fit(meeting) > 0.0:
            return meeting, 0.9
        return (spine[0], 0.8) if spine else (meeting, 0.6)

    def _spine_above(self, pelvis: int) -> list[int]:
        """The bones from above the pelvis to the chest, by hierarchy or else by height.

        Where the deforming bones do not hang on each other, the chest is the last one below the shoulders.
        """
        chest = self.chosen.get("chest", self._carrier)
        chain = path_below(self.parents, pelvis, chest)
        if chain:
            return chain
        top = float(np.mean([self.heights[self.limbs["upper_arm" + side]] for side in SIDES]))
        if "chest" in self.chosen:
            top = float(self.heights[chest])
        below = [bone for bone in self._called(SPINE_WORDS) if bone != pelvis and self.heights[bone] < top]
        return [*below, chest] if "chest" in self.chosen else below

    def _to_the_head(self, chest: int) -> list[int]:
        """The neck bones and the head, which some rigs only number as more of the spine."""
        heads = self._called(SEGMENT_WORDS["head"])
        necks = self._called(SEGMENT_WORDS["neck"])
        if heads:
            hanging = path_below(self.parents, chest, heads[0])
            return hanging or [*necks, heads[0]]
        numbered = [bone for bone in self._called(SPINE_WORDS) if self.heights[bone] > self.heights[chest]] + necks
        return max((path_below(self.parents, chest, bone) for bone in numbered), key=len, default=[]) or numbered
