"""Key poses of getting up, in anatomical words (see rolling/anatomical_pose.py): over the right side, right foot first.

The pelvis is turned by pitch (0 upright, 90 prone) and twist about its own up axis (0 prone, 90 on the right side, 180
on the back).
"""

from collections.abc import Mapping
from typing import NamedTuple

from ..rolling.anatomical_pose import Angles


class Beside(NamedTuple):
    """A place seen from another support, of body height."""

    support: str
    ahead: float
    right: float


class GetUpKey(NamedTuple):
    """A pose, and what bears in it: what bears in two poses one after another stays where it is in between."""

    seconds: float  # from the one before
    pitch: float  # [deg] of the pelvis
    twist: float  # [deg]
    angles: Angles
    bears: tuple[str, ...] = ()
    over: Mapping[str, float] | None = None  # shares of the supports that the weight is over
    beside: Mapping[str, Beside] = {}  # where what comes to bear is put, as far as that is told


_HANDS = ("hand_l", "hand_r")
_KNEES = ("knee_l", "knee_r")
_ALL_FOURS = (*_HANDS, *_KNEES, "ball_l", "ball_r")
_FLAT = -35.0  # of an ankle, lying
_PALM = 60.0

_LEGS_BENT: Angles = {"thigh": (60.0, -8.0, 0.0), "shin": (-105.0, 0.0, 0.0), "foot": (0.0, 0.0, 0.0)}

ON_BACK = (
    GetUpKey(
        0.7,
        90.0,
        175.0,
        {
            **_LEGS_BENT,
            "trunk": (-15.0, 0.0, 0.0),
            "neck": (-25.0, 0.0, 0.0),
            "upper_arm_r": (35.0, -35.0, 0.0),
            "forearm_r": (30.0, 0.0, 0.0),
            "upper_arm_l": (50.0, -5.0, 0.0),
            "forearm_l": (40.0, 0.0, 0.0),
        },
    ),
)
_ASIDE: Angles = {
    "thigh_r": (75.0, 0.0, 0.0),
    "thigh_l": (80.0, 5.0, 0.0),
    "shin": (-110.0, 0.0, 0.0),
    "foot": (-45.0, 0.0, 0.0),
    "trunk": (-20.0, 0.0, -15.0),
    "neck": (-5.0, 0.0, 0.0),
    "upper_arm_r": (80.0, -5.0, 0.0),
    "forearm_r": (50.0, 0.0, 0.0),
    "upper_arm_l": (75.0, 20.0, 0.0),
    "forearm_l": (50.0, 0.0, 0.0),
    "hand": (_PALM, 0.0, 0.0),
}
_PROPPED: Angles = {**_ASIDE, "trunk": (-25.0, 10.0, -20.0), "neck": (5.0, 0.0, 0.0), "forearm": (15.0, 0.0, 0.0)}
ON_SIDE = (
    GetUpKey(0.6, 90.0, 100.0, _ASIDE, ("shoulder_r", "hip_r", "knee_r", *_HANDS)),
    GetUpKey(
        0.6,
        68.0,
        78.0,
        _PROPPED,
        ("hip_r", "knee_r", *_HANDS),
        {"hip_r": 0.35, "knee_r": 0.2, "hand_r": 0.3, "hand_l": 0.15},
    ),
    GetUpKey(
        0.8,
        80.0,
        28.0,
        {**_PROPPED, "thigh": (82.0, -2.0, 0.0), "neck": (20.0, 0.0, 0.0)},
        (*_HANDS, "knee_r"),
        {"hand_l": 0.25, "hand_r": 0.25, "knee_r": 0.5},
        {"hand_l": Beside("hand_r", 0.0, -0.18)},
    ),
)
ON_FRONT = (
    GetUpKey(
        0.7,
        90.0,
        0.0,
        {
            "thigh": (0.0, -10.0, 0.0),
            "shin": (-8.0, 0.0, 0.0),
            "foot": (_FLAT, 0.0, 0.0),
            "trunk": (5.0, 0.0, 0.0),
            "neck": (20.0, 0.0, 0.0),
            "upper_arm": (-45.0, -30.0, 0.0),
            "forearm": (130.0, 0.0, 0.0),
            "hand": (_PALM, 0.0, 0.0),
        },
        (*_HANDS, "knee_l"),
    ),
    GetUpKey(
        0.7,
        82.0,
        -20.0,
        {
            "thigh_r": (75.0, -20.0, 0.0),
            "shin_r": (-115.0, 0.0, 0.0),
            "foot_r": (-50.0, 0.0, 0.0),
            "thigh_l": (10.0, -5.0, 0.0),
            "shin_l": (-25.0, 0.0, 0.0),
            "foot_l": (-45.0, 0.0, 0.0),
            "trunk": (10.0, 0.0, 0.0),
            "neck": (25.0, 0.0, 0.0),
            "upper_arm": (20.0, -25.0, 0.0),
            "forearm": (90.0, 0.0, 0.0),
            "hand": (_PALM, 0.0, 0.0),
        },
        (*_HANDS, *_KNEES),
        over={"hand_l": 0.25, "hand_r": 0.25, "knee_r": 0.4, "knee_l": 0.1},
        beside={"knee_r": Beside("hand_r", -0.24, 0.0)},
    ),
)

_TUCKED: Angles = {"shin": (-112.0, 0.0, 0.0), "foot": (22.0, 0.0, 0.0), "toes": (45.0, 0.0, 0.0)}
_FOURS: Angles = {
    **_TUCKED,
    "thigh": (80.0, -8.0, 0.0),
    "trunk": (-5.0, 0.0, 0.0),
    "neck": (25.0, 0.0, 0.0),
    "upper_arm": (85.0, -8.0, 0.0),
    "forearm": (10.0, 0.0, 0.0),
    "hand": (_PALM, 0.0, 0.0),
}
_FOOT_AHEAD: Angles = {
    **_FOURS,
    "thigh_r": (120.0, -12.0, 0.0),
    "shin_r": (-130.0, 0.0, 0.0),
    "foot_r": (25.0, 0.0, 0.0),
    "toes_r": (20.0, 0.0, 0.0),
    "thigh_l": (45.0, -5.0, 0.0),
    "trunk": (-50.0, 0.0, 0.0),
    "neck": (20.0, 0.0, 0.0),
}

ALL_FOURS_TO_FEET = (
    GetUpKey(
        0.8,
        80.0,
        0.0,
        _FOURS,
        _ALL_FOURS,
        {"hand_l": 0.25, "hand_r": 0.2, "knee_l": 0.35, "knee_r": 0.2},
        {"knee_l": Beside("knee_r", 0.0, -0.14)},
    ),
    GetUpKey(
        0.35,
        72.0,
        0.0,
        {**_FOURS, "thigh": (70.0, -8.0, 0.0), "trunk": (-20.0, 0.0, 0.0)},
        _ALL_FOURS,
        {"hand_l": 0.25, "hand_r": 0.2, "knee_l": 0.55},
    ),
    GetUpKey(
        0.5,
        74.0,
        0.0,
        _FOOT_AHEAD,
        (*_HANDS, "knee_l", "ball_l", "ball_r"),
        {"knee_l": 0.4, "hand_l": 0.3, "ball_r": 0.3},
        {"ball_r": Beside("knee_l", 0.18, 0.14)},
    ),
    GetUpKey(
        0.35,
        68.0,
        0.0,
        {**_FOOT_AHEAD, "trunk": (-75.0, 0.0, 0.0)},
        (*_HANDS, "knee_l", "ball_l", "ball_r"),
        {"knee_l": 0.55, "ball_r": 0.45},
    ),
    GetUpKey(
        0.5,
        20.0,
        0.0,
        {
            **_TUCKED,
            "thigh_r": (100.0, -8.0, 0.0),
            "shin_r": (-110.0, 0.0, 0.0),
            "foot_r": (28.0, 0.0, 0.0),
            "toes_r": (0.0, 0.0, 0.0),
            "thigh_l": (15.0, -3.0, 0.0),
            "trunk": (-20.0, 0.0, 0.0),
            "upper_arm_r": (50.0, -10.0, 0.0),
            "forearm_r": (50.0, 0.0, 0.0),
            "upper_arm_l": (30.0, -15.0, 0.0),
            "forearm_l": (30.0, 0.0, 0.0),
        },
        ("knee_l", "ball_l", "ball_r", "foot_r"),
        {"knee_l": 0.4, "foot_r": 0.6},
    ),
    GetUpKey(
        0.55,
        32.0,
        0.0,
        {
            "thigh_r": (85.0, -6.0, 0.0),
            "shin_r": (-85.0, 0.0, 0.0),
            "foot_r": (20.0, 0.0, 0.0),
            "thigh_l": (15.0, -3.0, 0.0),
            "shin_l": (-60.0, 0.0, 0.0),
            "foot_l": (20.0, 0.0, 0.0),
            "toes_l": (45.0, 0.0, 0.0),
            "trunk": (-15.0, 0.0, 0.0),
            "upper_arm_r": (35.0, -10.0, 0.0),
            "forearm_r": (40.0, 0.0, 0.0),
            "upper_arm_l": (15.0, -12.0, 0.0),
            "forearm_l": (30.0, 0.0, 0.0),
        },
        ("ball_l", "ball_r", "foot_r"),
        {"ball_l": 0.25, "foot_r": 0.75},
    ),
    GetUpKey(
        0.45,
        12.0,
        0.0,
        {
            "thigh_r": (35.0, -4.0, 0.0),
            "shin_r": (-35.0, 0.0, 0.0),
            "foot_r": (10.0, 0.0, 0.0),
            "thigh_l": (0.0, -3.0, 0.0),
            "shin_l": (-30.0, 0.0, 0.0),
            "foot_l": (15.0, 0.0, 0.0),
            "toes_l": (35.0, 0.0, 0.0),
            "trunk": (-8.0, 0.0, 0.0),
            "upper_arm": (15.0, -10.0, 0.0),
            "forearm": (25.0, 0.0, 0.0),
        },
        ("ball_l", "ball_r", "foot_r"),
        {"ball_l": 0.1, "foot_r": 0.9},
    ),
)
