"""Key poses of rolls, in anatomical words (see anatomical_pose.py).

A forward roll: from a crouch the hands go down ahead and the hips up; arms and a tucked chin keep the head off the
ground until the upper back is on it; tight over the back; the feet come down close to the seat.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from .anatomical_pose import Angles


class KeyPose(NamedTuple):
    phase: float  # [deg] of the roll
    pitch: float  # [deg] how far the pelvis has turned about the axis of the roll, from upright (or lying on the back)
    angles: Angles
    follows: float = 0.0  # share of what the trunk cannot bend that the pelvis turns instead
    roll: float = 0.0  # [deg] of the pelvis about its own forward axis, before the pitch
    twist: float = 0.0  # [deg] about its own up axis


class HandsDown(NamedTuple):
    """Where in a roll the hands bear, in one place on the ground."""

    first: float  # [deg] of phase
    last: float
    ahead: float  # of the middle of the shoulders' way meanwhile, of body height


class RollKind(NamedTuple):
    keys: tuple[KeyPose, ...]
    two: tuple[int, int]  # which keys are the two poses that it can be made of
    seconds: (
        float  # a roll takes: long enough that a body does not fly, as it would where w^2 r > g (r the weight's height)
    )
    evenness: float  # 1 where the weight travels at an even speed, 0 where the body turns at one
    hands: HandsDown | None = None
    rests: float = 0.0  # how much longer than else it takes at phase 0, on the feet
    lies: bool = False  # along the axis, on the back at phase 0
    backward: bool = False


def _tuck(
    trunk: float,
    neck: float,
    hip: float,
    knee: float,
    ankle: float,
    arm: tuple[float, float, float],
    elbow: float,
    hand: float = 0.0,
) -> Angles:
    return {
        "trunk": (trunk, 0.0, 0.0),
        "neck": (neck, 0.0, 0.0),
        "thigh": (hip, -8.0, 0.0),
        "shin": (knee, 0.0, 0.0),
        "foot": (ankle, 0.0, 0.0),
        "upper_arm": arm,
        "forearm": (elbow, 0.0, 0.0),
        "hand": (hand, -0.5 * hand, 0.0),
    }


_FORWARD = (
    KeyPose(0.0, 45.0, _tuck(-52.0, 0.0, 122.0, -104.0, 28.0, (102.0, -8.0, 0.0), 12.0, 20.0)),
    KeyPose(30.0, 69.0, _tuck(-60.0, -40.0, 124.0, -105.0, 24.0, (125.0, -10.0, 0.0), 20.0, 50.0), 0.4),
    KeyPose(65.0, 99.0, _tuck(-70.0, -75.0, 122.0, -90.0, 10.0, (135.0, -12.0, 0.0), 45.0, 60.0), 0.5),
    KeyPose(105.0, 130.0, _tuck(-72.0, -75.0, 118.0, -75.0, -15.0, (120.0, -16.0, 0.0), 105.0, 50.0), 0.6),
    KeyPose(145.0, 165.0, _tuck(-72.0, -75.0, 112.0, -75.0, -20.0, (85.0, -16.0, 0.0), 105.0, 20.0), 0.6),
    KeyPose(190.0, 205.0, _tuck(-70.0, -75.0, 112.0, -95.0, -15.0, (65.0, -12.0, 0.0), 75.0), 0.5),
    KeyPose(240.0, 255.0, _tuck(-65.0, -60.0, 122.0, -138.0, -5.0, (65.0, -10.0, 0.0), 45.0), 0.4),
    KeyPose(290.0, 310.0, _tuck(-65.0, -40.0, 124.0, -146.0, 15.0, (85.0, -8.0, 0.0), 15.0), 0.3),
    KeyPose(330.0, 356.0, _tuck(-62.0, -15.0, 124.0, -140.0, 20.0, (98.0, -8.0, 0.0), 8.0), 0.2),
)

_BACKWARD = (
    KeyPose(0.0, -38.0, _tuck(-50.0, -20.0, 122.0, -112.0, 28.0, (80.0, -8.0, 0.0), 30.0)),
    KeyPose(35.0, -5.0, _tuck(-60.0, -45.0, 122.0, -132.0, 18.0, (90.0, -8.0, 0.0), 70.0), -0.2),
    KeyPose(65.0, 40.0, _tuck(-62.0, -60.0, 122.0, -138.0, 10.0, (110.0, -12.0, 0.0), 120.0, 30.0), -0.3),
    KeyPose(120.0, 105.0, _tuck(-65.0, -75.0, 122.0, -135.0, 0.0, (130.0, -14.0, 0.0), 140.0, 50.0), -0.4),
    KeyPose(170.0, 155.0, _tuck(-70.0, -75.0, 122.0, -120.0, -10.0, (140.0, -16.0, 0.0), 135.0, 60.0), -0.5),
    KeyPose(215.0, 195.0, _tuck(-72.0, -75.0, 122.0, -105.0, 0.0, (135.0, -16.0, 0.0), 110.0, 60.0), -0.6),
    KeyPose(255.0, 230.0, _tuck(-72.0, -75.0, 122.0, -90.0, 15.0, (135.0, -14.0, 0.0), 70.0, 60.0), -0.6),
    KeyPose(295.0, 265.0, _tuck(-68.0, -65.0, 120.0, -85.0, 20.0, (140.0, -12.0, 0.0), 40.0, 55.0), -0.5),
    KeyPose(330.0, 297.0, _tuck(-60.0, -40.0, 122.0, -100.0, 27.0, (125.0, -10.0, 0.0), 25.0, 40.0), -0.3),
)


def _log(
    right: tuple[float, float],
    left: tuple[float, float],
    twist: float,
    trunk: float,
    neck: float,
) -> Angles:
    """Lying long, arms hugged; hip and knee of each leg, the shoulders before or behind the hips."""
    return {
        "trunk": (trunk, 0.0, twist),
        "neck": (neck, 0.0, 0.5 * twist),
        "thigh_r": (right[0], 0.0, 0.0),
        "shin_r": (right[1], 0.0, 0.0),
        "thigh_l": (left[0], 0.0, 0.0),
        "shin_l": (left[1], 0.0, 0.0),
        "foot": (-35.0, 0.0, 0.0),
        "upper_arm": (35.0, 15.0, 20.0),
        "forearm": (115.0, 0.0, 0.0),
    }


def _pushing(angles: Angles, arm: tuple[float, float, float], elbow: float) -> Angles:
    """On the back, the right foot flat on the ground, which pushes; the right arm is out of its way.

    A body that lies is as wide as its shoulders, and not as high: from rest nothing but a push gets it over its side.
    """
    return {**angles, "foot_r": (-48.0, 0.0, 0.0), "upper_arm_r": arm, "forearm_r": (elbow, 0.0, 0.0)}


_BESIDE = (0.0, 8.0, 0.0), 15.0
_HALF_HUGGED = (18.0, 12.0, 10.0), 65.0
_SIDEWAYS = (
    KeyPose(0.0, 0.0, _pushing(_log((48.0, -97.0), (2.0, -6.0), 12.0, -6.0, -15.0), *_BESIDE)),
    KeyPose(35.0, 35.0, _pushing(_log((35.0, -80.0), (1.0, -7.0), 9.0, -6.0, -8.0), *_BESIDE)),
    KeyPose(65.0, 65.0, _pushing(_log((5.0, -60.0), (1.0, -7.0), 9.0, -6.0, -8.0), *_HALF_HUGGED)),
    KeyPose(105.0, 105.0, _log((10.0, -25.0), (0.0, -8.0), 6.0, -6.0, 0.0)),
    KeyPose(180.0, 180.0, _log((2.0, -6.0), (-10.0, -22.0), 12.0, 4.0, 25.0)),
    KeyPose(270.0, 270.0, _log((0.0, -8.0), (8.0, -20.0), 6.0, -4.0, 0.0)),
)


def _diagonal(
    trunk: tuple[float, float, float],
    neck: tuple[float, float, float],
    hip: float,
    knee: float,
    ankle: float,
    lead: tuple[float, float, float, float],
    other: tuple[float, float, float],
) -> Angles:
    """A tuck over the right shoulder: its arm rounded before the body (pitch, roll, twist, elbow), the other beside."""
    return {
        **_tuck(trunk[0], neck[0], hip, knee, ankle, (other[0], other[1], 0.0), other[2]),
        "trunk": trunk,
        "neck": neck,
        "upper_arm_r": lead[:3],
        "forearm_r": (lead[3], 0.0, 0.0),
        "hand_r": (0.0, 0.0, 0.0),
    }


_AWAY = (-55.0, -30.0, 40.0)  # the head tucked to the left, off the shoulder that leads
_SHOULDER = (
    KeyPose(
        0.0,
        45.0,
        _diagonal(
            (-52.0, 0.0, 8.0), (0.0, 0.0, 10.0), 122.0, -104.0, 28.0, (100.0, 5.0, 0.0, 25.0), (95.0, -8.0, 15.0)
        ),
    ),
    KeyPose(
        35.0,
        70.0,
        _diagonal(
            (-60.0, 8.0, 20.0),
            (-40.0, -20.0, 30.0),
            120.0,
            -95.0,
            22.0,
            (115.0, 25.0, 20.0, 60.0),
            (125.0, -15.0, 20.0),
        ),
        0.3,
        -8.0,
        22.0,
    ),
    KeyPose(
        75.0,
        108.0,
        _diagonal((-70.0, 12.0, 25.0), _AWAY, 118.0, -80.0, 5.0, (100.0, 35.0, 30.0, 85.0), (120.0, -30.0, 40.0)),
        0.5,
        -20.0,
        40.0,
    ),
    KeyPose(
        115.0,
        140.0,
        _diagonal((-72.0, 10.0, 20.0), _AWAY, 120.0, -95.0, -10.0, (80.0, 35.0, 30.0, 90.0), (85.0, -40.0, 40.0)),
        0.5,
        -28.0,
        40.0,
    ),
    KeyPose(
        165.0,
        182.0,
        _diagonal((-70.0, 5.0, 12.0), _AWAY, 122.0, -120.0, -15.0, (65.0, 25.0, 20.0, 80.0), (65.0, -40.0, 35.0)),
        0.5,
        -30.0,
        25.0,
    ),
    KeyPose(
        230.0,
        245.0,
        _diagonal(
            (-62.0, 0.0, 0.0), (-50.0, -15.0, 20.0), 122.0, -135.0, -5.0, (60.0, 10.0, 0.0, 60.0), (65.0, -30.0, 30.0)
        ),
        0.4,
        -22.0,
        0.0,
    ),
    KeyPose(
        295.0,
        310.0,
        _diagonal(
            (-60.0, 0.0, 0.0), (-35.0, 0.0, 5.0), 122.0, -140.0, 10.0, (80.0, -5.0, 0.0, 25.0), (80.0, -10.0, 20.0)
        ),
        0.3,
        -8.0,
        -5.0,
    ),
    KeyPose(
        335.0,
        355.0,
        _diagonal(
            (-60.0, 0.0, 0.0), (-15.0, 0.0, 0.0), 122.0, -138.0, 14.0, (90.0, -8.0, 0.0, 12.0), (90.0, -8.0, 12.0)
        ),
        0.2,
    ),
)

KINDS: dict[str, RollKind] = {
    "forward": RollKind(_FORWARD, (2, 6), 1.6, 0.7, HandsDown(62.0, 132.0, -0.05), 0.4),
    "backward": RollKind(_BACKWARD, (3, 6), 1.7, 0.7, HandsDown(205.0, 284.0, 0.08), 0.4, backward=True),
    "sideways": RollKind(_SIDEWAYS, (0, 4), 1.5, 0.3, lies=True),
    "shoulder": RollKind(_SHOULDER, (2, 5), 1.6, 0.7, rests=0.4),
}


def frame_of(made: RollKind, to_right: bool = False) -> Floats:
    """(3, 3) rows: where the body's right, forward and up point at phase 0, when it rolls along x."""
    if made.lies:
        left = -1.0 if to_right else 1.0
        return np.array([[-left, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, left, 0.0]])
    side = -1.0 if made.backward else 1.0
    return np.array([[0.0, -side, 0.0], [side, 0.0, 0.0], [0.0, 0.0, 1.0]])
