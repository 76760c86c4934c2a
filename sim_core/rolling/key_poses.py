"""Key poses of rolls, in anatomical words (see anatomical_pose.py).

A forward roll: from a crouch the hands go down ahead and the hips up; arms and a tucked chin keep the head off the
ground until the upper back is on it; tight over the back; the feet come down close to the seat.
"""

from typing import NamedTuple

from .anatomical_pose import Angles


class KeyPose(NamedTuple):
    phase: float  # [deg] of the roll
    pitch: float  # [deg] how far the pelvis has turned about the axis of the roll, from upright (or lying on the back)
    angles: Angles
    roll: float = 0.0  # [deg] of the pelvis about its own forward axis, before the pitch
    twist: float = 0.0  # [deg] about its own up axis


class RollKind(NamedTuple):
    keys: tuple[KeyPose, ...]
    two: tuple[int, int]  # which keys are the two poses that it can be made of
    seconds: float  # a roll takes
    slow: float  # how much slower than on average it turns at phase 0, and faster half a turn later
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
        "hand": (hand, 0.0, 0.0),
    }


_FORWARD = (
    KeyPose(0.0, 25.0, _tuck(-50.0, 0.0, 122.0, -125.0, 28.0, (95.0, -8.0, 0.0), 15.0, -30.0)),
    KeyPose(55.0, 85.0, _tuck(-60.0, -55.0, 118.0, -90.0, 20.0, (145.0, -8.0, 0.0), 25.0, -60.0)),
    KeyPose(100.0, 125.0, _tuck(-70.0, -75.0, 120.0, -85.0, -10.0, (145.0, -12.0, 0.0), 65.0, -50.0)),
    KeyPose(135.0, 155.0, _tuck(-72.0, -75.0, 122.0, -105.0, -15.0, (115.0, -14.0, 0.0), 105.0, -30.0)),
    KeyPose(185.0, 200.0, _tuck(-70.0, -75.0, 122.0, -130.0, -15.0, (70.0, -12.0, 0.0), 75.0)),
    KeyPose(240.0, 255.0, _tuck(-60.0, -55.0, 122.0, -138.0, -5.0, (70.0, -10.0, 0.0), 45.0)),
    KeyPose(300.0, 315.0, _tuck(-60.0, -35.0, 122.0, -140.0, 10.0, (80.0, -8.0, 0.0), 20.0)),
    KeyPose(335.0, 355.0, _tuck(-60.0, -15.0, 122.0, -138.0, 14.0, (90.0, -8.0, 0.0), 10.0)),
)

KINDS: dict[str, RollKind] = {
    "forward": RollKind(_FORWARD, (1, 5), 1.4, 0.25),
}
