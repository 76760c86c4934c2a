"""Why a skeleton is no biped, in one sentence that says what was looked for and what to do."""

from collections.abc import Mapping

import numpy as np

from ..motion.skeleton import Skeleton
from .segments import REQUIRED, SIDES, in_words

_LEGS = ("thigh", "shin", "foot")
_ARMS = ("upper_arm", "forearm")
_WHAT_TO_DO = "choose the armature of a character with two legs and two arms, or set the bones in Character > Bone Map."


def refusal(skeleton: Skeleton, bones: Mapping[str, int], limb_pairs: int) -> str:
    """The sentence for a skeleton of which only these bones were recognised."""
    rig = f'the rig of "{skeleton.names[0]}"'
    count = len(skeleton)
    if count == 1:
        return f'The rig has only the bone "{skeleton.names[0]}", which is no body; {_WHAT_TO_DO}'
    if not bones and np.all([len(children) <= 1 for children in skeleton.children]):
        return f"All {count} bones of {rig} hang in a single chain, without legs or arms; {_WHAT_TO_DO}"
    no_legs = not any(part + side in bones for part in _LEGS for side in SIDES)
    no_arms = not any(part + side in bones for part in _ARMS for side in SIDES)
    if no_legs and no_arms:
        seen = "only one pair of limbs was" if limb_pairs == 1 else "no legs and no arms were"
        return f"A body was looked for among the {count} bones of {rig}, and {seen} found; {_WHAT_TO_DO}"
    if no_legs:
        return f'Arms were found in {rig} ("{_example(skeleton, bones, _ARMS)}"), but no legs; {_WHAT_TO_DO}'
    if no_arms:
        return f'Legs were found in {rig} ("{_example(skeleton, bones, _LEGS)}"), but no arms; {_WHAT_TO_DO}'
    missing = [segment for segment in REQUIRED if segment not in bones]
    limbs = [segment for segment in missing if segment.endswith(SIDES)]  # without them no trunk is looked for
    words = ", ".join(in_words(segment) for segment in limbs or missing)
    return f"No bone was found in {rig} for: {words}; set it in Character > Bone Map, or choose another armature."


def four_legs(skeleton: Skeleton, bones: Mapping[str, int]) -> str:
    front = skeleton.names[bones.get("hand_l", bones["forearm_l"])]
    return (
        f'The rig of "{skeleton.names[0]}" stands on four legs ("{front}" is one of them), and only bipeds '
        "can be simulated; for a person on hands and knees, give the rig an upright rest pose."
    )


def _example(skeleton: Skeleton, bones: Mapping[str, int], parts: tuple[str, ...]) -> str:
    return next(skeleton.names[bones[part + side]] for part in parts for side in SIDES if part + side in bones)
