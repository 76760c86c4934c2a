"""Poses that protect who falls, by where the fall goes: hands that meet the ground, a head kept away from it."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..rig.segments import kind
from ..rolling.anatomical_pose import Angles, from_joint_angles, wanted_angles, within_limits
from .fall_script import FallScript

_Turn = tuple[float, float, float]


class Direction(NamedTuple):
    """Where a fall goes, as shares of its four sides that add up to one."""

    forward: float
    backward: float
    left: float
    right: float


def direction_of(angle: float) -> Direction:
    """From where the character faces, to the left [rad]."""
    ahead, aside = np.cos(angle), np.sin(angle)
    return Direction(*(float(max(share, 0.0) ** 2) for share in (ahead, -ahead, aside, -aside)))


def _pose(
    trunk: _Turn, neck: _Turn, hip: float, knee: float, right: _Turn, left: _Turn, elbows: tuple[float, float]
) -> Angles:
    """Arms as pitch, roll and twist of each shoulder, both as if it were the right one."""
    return {
        "trunk": trunk,
        "neck": neck,
        "thigh": (hip, -6.0, 0.0),
        "shin": (knee, 0.0, 0.0),
        "foot": (10.0, 0.0, 0.0),
        "upper_arm_r": right,
        "upper_arm_l": left,
        "forearm_r": (elbows[0], 0.0, 0.0),
        "forearm_l": (elbows[1], 0.0, 0.0),
        "hand": (-35.0, 0.0, 0.0),
    }


def _even(trunk: float, neck: float, hip: float, knee: float, arms: _Turn, elbow: float) -> Angles:
    return _pose((trunk, 0.0, 0.0), (neck, 0.0, 0.0), hip, knee, arms, arms, (elbow, elbow))


def _to_the(side: float, near: _Turn, far: _Turn, elbows: tuple[float, float]) -> Angles:
    """Side is 1 to the left, and -1 to the right: trunk and head lean away from there."""
    right, left = (far, near) if side > 0.0 else (near, far)
    bends = (elbows[1], elbows[0]) if side > 0.0 else elbows
    return _pose((-20.0, 15.0 * side, -20.0 * side), (-20.0, 40.0 * side, 0.0), 55.0, -70.0, right, left, bends)


# The pose that meets the ground, and the one that rolls on from there: the controller may aim at any blend.
_BRACE: Mapping[str, Angles] = {
    "forward": _even(-5.0, 45.0, 35.0, -60.0, (85.0, -25.0, 0.0), 25.0),
    "backward": _even(-45.0, -65.0, 85.0, -95.0, (-35.0, -45.0, 0.0), 25.0),
    "left": _to_the(1.0, (25.0, -65.0, 0.0), (60.0, -5.0, 0.0), (35.0, 50.0)),
    "right": _to_the(-1.0, (25.0, -65.0, 0.0), (60.0, -5.0, 0.0), (35.0, 50.0)),
}
_TUCK: Mapping[str, Angles] = {
    "forward": _even(-30.0, -20.0, 70.0, -90.0, (95.0, -25.0, 0.0), 75.0),
    "backward": _even(-65.0, -70.0, 115.0, -120.0, (15.0, -45.0, 0.0), 45.0),
    "left": _to_the(1.0, (60.0, -45.0, 0.0), (70.0, 10.0, 0.0), (70.0, 70.0)),
    "right": _to_the(-1.0, (60.0, -45.0, 0.0), (70.0, 10.0, 0.0), (70.0, 70.0)),
}
_FOLD = {"thigh": 40.0, "shin": -50.0, "foot": 10.0}  # degrees of pitch for a fold of one
_CURL = {"abdomen": -12.0, "spine": -12.0, "chest": -12.0, "neck": -15.0, "head": -15.0}
_ELBOW_DEG = 40.0


class Poses(NamedTuple):
    brace: Floats  # (N, 3) anatomical angles [rad]
    tuck: Floats


def protective_poses(body: Body, direction: Direction) -> Poses:
    return Poses(
        *(
            sum(
                (share * wanted_angles(body, poses[side]) for side, share in direction._asdict().items()),
                np.zeros((len(body), 3)),
            )
            for poses in (_BRACE, _TUCK)
        )
    )


def scripted(body: Body, pose: Floats, script: FallScript, times: Floats) -> Floats:
    """(T, nq) a pose of anatomical angles (N, 3) as a script changes it; the root at the origin."""
    angles = np.tile(pose, (len(times), 1, 1))
    arms = script.arms.at(times)
    for i, link in enumerate(body.links[1:], 1):
        part = kind(link.name)
        if part == "upper_arm":
            angles[:, i] += arms * (np.array([1.0, -1.0, -1.0]) if link.name.endswith("_l") else 1.0)
        elif part == "forearm":
            angles[:, i, 0] += np.radians(_ELBOW_DEG * script.elbow)
        angles[:, i, 0] += np.radians(script.fold * _FOLD.get(part, 0.0) + script.curl * _CURL.get(part, 0.0))
    return from_joint_angles(body, within_limits(body, angles))
