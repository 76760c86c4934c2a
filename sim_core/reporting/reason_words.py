"""Why a stretch is hard, in an animator's words, and what would help."""

import math
from collections.abc import Callable
from typing import TypeAlias

from ..reference.hard_stretches import Reason
from ..rig.segments import kind
from .outlook import HardFrames

_ROUGHEST = 1.5  # friction of rubber on dry concrete, and more
_OBJECTS = "Objects cannot be added yet: bake the frames before and after it."

# The joint by which a segment hangs on the one before it.
_JOINTS = {
    "abdomen": "waist",
    "spine": "back",
    "chest": "back",
    "neck": "neck",
    "head": "neck",
    "clavicle": "collarbone",
    "upper_arm": "shoulder",
    "forearm": "elbow",
    "hand": "wrist",
    "thigh": "hip",
    "shin": "knee",
    "foot": "ankle",
    "toes": "toes",
}

_Words: TypeAlias = Callable[[HardFrames], str]


def cause(hard: HardFrames) -> str:
    """Half a sentence, about the character."""
    return _CAUSES[hard.reason](hard)


def advice(hard: HardFrames, friction: float) -> str:
    """A sentence: what to change in the clip or the scene, whose ground has this friction."""
    if hard.reason == "needs more friction" and hard.size < _ROUGHEST:
        return f"More friction: the ground would need {_upwards(hard.size, 0.1):.1f}, it has {friction:g}."
    return _ADVICE[hard.reason](hard)


def weight_of(hard: HardFrames) -> float:
    """How much a stretch stands in the way, in body weights, so that reasons can be compared."""
    if hard.reason == "not strong enough":  # the joint gives way; the body does not fall at once
        return min(0.1 * (hard.size - 1.0), 0.2)
    return 0.1 if hard.reason == "lands hard" else hard.needs_bw


def percent(weights: float) -> str:
    return "less than 1 % of body weight" if weights < 0.01 else f"{100 * weights:.0f} % of body weight"


def joint_in_words(link: str) -> str:
    """ "shin_l" hangs on the "left knee"."""
    side = {"_l": "left ", "_r": "right "}.get(link[-2:], "")
    return side + _JOINTS.get(kind(link), kind(link))


def _faster(hard: HardFrames) -> str:
    # What needs force s upward falls with (1 - s) g; time that runs 1 / sqrt(1 - s) times as fast makes that g.
    return f"Play it about {1.0 / math.sqrt(1.0 - hard.size):.1f} times as fast: then gravity brings it down in time."


def _slippery(hard: HardFrames) -> str:
    if hard.size < _ROUGHEST:
        return "the ground is too slippery for it"
    return "it pushes along the ground harder than any ground holds"


def _weak(hard: HardFrames) -> str:
    return f"the {joint_in_words(hard.joint or '')} would need {hard.size:.1f} times its strength"


def _centimetres(metres: float) -> str:
    return f"{max(1, round(100 * metres))} cm"


def _upwards(value: float, step: float) -> float:
    return math.ceil(value / step - 1e-6) * step


_CAUSES: dict[Reason, _Words] = {
    "nothing carries it": lambda hard: "something that is not in the scene carries the character",
    "hovers over the ground": lambda hard: f"the character hovers {_centimetres(hard.size)} above the ground",
    "rolls or slides": lambda hard: "the body rolls or slides too fast for the ground to carry it",
    "falls too slowly": lambda hard: "the character stays in the air longer than gravity allows",
    "falls too fast": lambda hard: "the source's hips drop faster than gravity allows",
    "steered in the air": lambda hard: "the source changes its course in the air, where nothing can push it",
    "spun in the air": lambda hard: "the source changes its spin in the air, where nothing can turn it",
    "leans on something": lambda hard: "the character leans on something that is not in the scene",
    "beyond its feet": lambda hard: f"the body's weight is {_centimetres(hard.size)} beside what it stands on",
    "needs more friction": _slippery,
    "turned on the spot": lambda hard: "the body turns faster than a foot on the ground can turn it",
    "not strong enough": _weak,
    "snaps round": lambda hard: f"the {joint_in_words(hard.joint or '')} snaps round faster than any muscle turns it",
    "lands hard": lambda hard: f"it comes down at {hard.size:.1f} m/s",
}
_ADVICE: dict[Reason, _Words] = {
    "nothing carries it": lambda hard: _OBJECTS,
    "hovers over the ground": lambda hard: f"Lower these frames by {_centimetres(hard.size)}, or raise the floor.",
    "rolls or slides": lambda hard: "Keep what bears the weight still on the ground.",
    "falls too slowly": _faster,
    "falls too fast": lambda hard: f"Let the fall take {math.sqrt(1.0 + hard.size):.1f} times as long.",
    "steered in the air": lambda hard: "Keep its path straight from take-off to landing.",
    "spun in the air": lambda hard: "Give it its spin at the take-off, and keep that until it lands.",
    "leans on something": lambda hard: _OBJECTS,
    "beyond its feet": lambda hard: (
        f"A wider step, or a hand down: the body's weight is {_centimetres(hard.size)} beside what carries it."
    ),
    "needs more friction": lambda hard: "Lean into it more, so that less has to be pushed along the ground.",
    "turned on the spot": lambda hard: "Turn more slowly, or step round with both feet.",
    "not strong enough": lambda hard: f"Take load off the {joint_in_words(hard.joint or '')}, or move more slowly.",
    "snaps round": lambda hard: "Smooth the keys of this limb, or change its pose there a little.",
    "lands hard": lambda hard: "Let it land from lower, or sink deeper into its knees.",
}
