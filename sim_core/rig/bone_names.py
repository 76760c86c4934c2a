"""What a bone's name says: its side, its words, and the body segments that these words can mean."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .segments import ARM, LEG


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


# How well a word fits a segment, 0 to 1. Words below 0.8 mean different things in different rigs ("shoulder"
# is the collar bone in Mixamo and the upper arm in SMPL): the order along the limb decides. Auto-Rig Pro's
# "stretch" bones win over the bones of the same name that drive them.
SEGMENT_WORDS: dict[str, dict[str, float]] = {
    "clavicle": {"clavicle": 1, "collar": 1, "collarbone": 1, "shoulder": 0.7, "scapula": 0.8},
    "upper_arm": {
        "upperarm": 1, "uparm": 1, "arm": 0.8, "shldr": 1, "shoulder": 0.6, "humerus": 1, "armstretch": 1.1,
    },
    "forearm": {"forearm": 1, "lowerarm": 1, "lowarm": 1, "elbow": 0.9, "radius": 1, "forearmstretch": 1.1},
    "hand": {"hand": 1, "wrist": 0.9, "palm": 0.5},
    "thigh": {"thigh": 1, "upperleg": 1, "upleg": 1, "hip": 0.6, "leg": 0.5, "femur": 1, "thighstretch": 1.1},
    "shin": {
        "shin": 1, "calf": 1, "lowerleg": 1, "lowleg": 1, "tibia": 1, "knee": 0.9, "leg": 0.7,
        "legstretch": 1.1,
    },
    "foot": {"foot": 1, "ankle": 0.9},
    "toes": {"toes": 1, "toe": 1, "toebase": 1, "ball": 1, "foot": 0.4, "metatarsals": 0.4},
    "pelvis": {"pelvis": 1, "hips": 1, "hip": 0.9, "root": 0.3},
    "neck": {"neck": 1, "necklower": 1, "lowerneck": 1, "neckupper": 0.9, "upperneck": 0.9},
    "head": {"head": 1},
}  # fmt: skip
SPINE_WORDS = _set_of("""
    spine lowerspine midspine upperspine vertebra back lowerback upperback waist belly stomach
    abdomen abdomenlower abdomenupper torso lowertorso uppertorso thorax ribcage ribs
    chest chestlower chestupper upperchest
""")
_LIMB_WORDS = frozenset(word for part in ARM + LEG for word in SEGMENT_WORDS[part])
_VOCABULARY = _LIMB_WORDS | SPINE_WORDS | {word for words in SEGMENT_WORDS.values() for word in words}

_LEFT, _RIGHT = frozenset({"l", "left", "lft", "lf", "lt"}), frozenset({"r", "right", "rgt", "rt"})
# Words that say nothing about the body part: they are skipped wherever they stand.
_EMPTY_WORDS = _set_of("""
    joint jnt jt bone bn bind skin sk def deform c x m mid center centre bend
    rig mixamorig bip j char character valvebiped skel
""")
_HELPER_WORDS = _set_of("""
    twist roll ik fk pole target ctrl control controller helper corrective mch org vis wgt tweak parent
    socket attach end nub tip site effector dummy jiggle sec ref offset space master prop weapon
""")
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_]+")
_VERTEBRA = re.compile(r"[LT]\d{1,2}")  # Xsens names its spine bones L5, L3, T12, T8
_CONTROLLER = re.compile(r"c_.*\.[xlr]")  # Auto-Rig Pro's controllers wear the names of the bones they drive
_LAYER = re.compile(r"(DEF|ORG|MCH|VIS|WGT)-")  # Rigify keeps deforming bones and mechanism in one armature


class BoneName(NamedTuple):
    side: str  # "_l", "_r" or ""
    words: str  # joined: "upperarm"
    number: int  # the last number in the name, 0 without one
    helper: bool  # a twist, control or mechanism bone, never a body segment
    own: str  # the name without namespace and layer: what DEF-thigh.L and ORG-thigh.L share


def read_names(names: Sequence[str]) -> list[BoneName]:
    """All names of a rig at once, since what most of them begin with is only a prefix."""
    own = [_LAYER.sub("", re.split(r"[:|]", name)[-1]) for name in names]
    layers = [match[1] if (match := _LAYER.match(re.split(r"[:|]", name)[-1])) else "" for name in names]
    split = [[word.lower() for word in _WORD.findall(name)] for name in own]
    prefix = _common_prefix(split)
    readings = []
    for name, layer, words in zip(own, layers, split, strict=True):
        rest = words[len(prefix) :] if words[: len(prefix)] == prefix else words
        reading = _read(name, rest)
        other_layer = layer != "DEF" and ("DEF" in layers or layer != "")
        readings.append(reading._replace(helper=reading.helper or other_layer))
    return readings


def _common_prefix(split: list[list[str]]) -> list[str]:
    """Leading words that at least half of the bones share and that mean no body part: "Hero_Rig_Hips"."""
    prefix: list[str] = []
    while True:
        here = [words for words in split if words[: len(prefix)] == prefix and len(words) > len(prefix) + 1]
        counted = Counter(words[len(prefix)] for words in here)
        word, count = counted.most_common(1)[0] if counted else ("", 0)
        if 2 * count < len(split) or word in _VOCABULARY | _LEFT | _RIGHT:
            return prefix
        prefix.append(word)


def _read(name: str, raw_words: list[str]) -> BoneName:
    if _VERTEBRA.fullmatch(name):
        return BoneName(side="", words="vertebra", number=int(name[1:]), helper=False, own=name)
    sides, words = set(), []
    for raw in raw_words:
        side, word = _side_in(raw)
        if side:
            sides.add(side)
        if word and not word.isdecimal() and word not in _EMPTY_WORDS:
            words.append(word)
    numbers = [int(word) for word in raw_words if word.isdecimal()]
    helper = bool(_HELPER_WORDS.intersection(words)) or _CONTROLLER.fullmatch(name) is not None
    side = sides.pop() if len(sides) == 1 else ""
    return BoneName(side=side, words="".join(words), number=numbers[-1] if numbers else 0, helper=helper, own=name)


def _side_in(word: str) -> tuple[str, str]:
    """The side a word states, and what is left of the word: "lfemur" is ("_l", "femur")."""
    for suffix, spellings in (("_l", _LEFT), ("_r", _RIGHT)):
        if word in spellings:
            return suffix, ""
        for spelling in spellings:
            if word not in _VOCABULARY:
                if word.removeprefix(spelling) in _LIMB_WORDS:
                    return suffix, word.removeprefix(spelling)
                if len(spelling) > 2 and word.removesuffix(spelling) in _LIMB_WORDS:
                    return suffix, word.removesuffix(spelling)
    return "", word


# Names that give a family away, in lower case without namespace; the first family with all of them is it.
_FAMILIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Rigify (DEF)", ("def-spine", "def-thigh.l")),
    ("Rigify (metarig)", ("spine.001", "thigh.l", "upper_arm.l")),
    ("Auto-Rig Pro", ("root.x", "thigh_stretch.l")),
    ("VRoid", ("j_bip_c_hips",)),
    ("VRM", ("hips", "leftupperleg", "leftlowerarm")),
    ("Unreal", ("pelvis", "spine_01", "calf_l", "lowerarm_l")),
    ("CMU", ("lhipjoint", "lowerback", "leftupleg")),
    ("CMU (Acclaim)", ("lhipjoint", "lfemur")),
    ("3ds Max Biped", ("l thigh", "l calf", "l upperarm")),
    ("Bandai-Namco", ("joint_root", "upperleg_l", "lowerarm_l")),
    ("Rokoko", ("leftthigh", "leftshin", "leftforearm")),
    ("Daz Genesis", ("lthighbend", "lshldrbend")),
    ("SMPL", ("l_hip", "l_knee", "l_collar")),
    ("Xsens", ("right upper leg", "l5")),
    ("Xsens", ("chest4", "leftcollar", "leftwrist")),
    ("Perception Neuron", ("leftinhandindex", "leftupleg")),
    ("Mixamo", ("leftupleg", "headtop_end")),
    ("Mixamo", ("leftupleg", "lefttoe_end")),
    ("LAFAN1", ("leftupleg", "lefttoe", "spine2")),
    ("HumanIK", ("leftupleg", "leftforearm")),
)
_FAMILY_PREFIX = re.compile(r"^(mixamorig\d*[_ ]?|character\d*_|char\d*_|bip0*\d* |valvebiped\.bip01_)")


def family_of(names: Sequence[str]) -> str:
    """The rig family that the names belong to, or "by name" for words without a family."""
    lowered = [re.split(r"[:|]", name)[-1].lower() for name in names]
    if any(name.lower().startswith("mixamorig") for name in names):
        return "Mixamo"
    bare = {_FAMILY_PREFIX.sub("", name) for name in lowered} | set(lowered)
    return next((family for family, telltales in _FAMILIES if bare.issuperset(telltales)), "by name")
