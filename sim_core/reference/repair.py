"""Mends what no body does: joints that flip for a few frames are bridged from the sound frames around them."""

from typing import NamedTuple

import numpy as np
from scipy.ndimage import binary_closing, binary_dilation, median_filter

from .. import rotations
from ..arrays import Bools, Floats
from ..body.body import Body
from ..rig.segments import kind

_STEADY = ("pelvis", "abdomen", "spine", "chest", "foot", "toes")  # turn slower than arms and shins can
_STEADY_SHARE = 0.7
_AROUND_S = 0.15
_STANDS_OUT = 2.5  # times the speed around it
_BRIDGE_S = 0.09  # sound frames shorter than this between two flips belong to the flip


class Repair(NamedTuple):
    q: Floats  # (T, nq)
    flipped: dict[str, int]  # frames bridged, per link


def bridge_flips(body: Body, q: Floats, fps: float, fastest_rad_s: float) -> Repair:
    mended = q.copy()
    flipped: dict[str, int] = {}
    for link in body.links:
        if link.joint.kind == "hinge":
            continue
        columns = slice(body.q_slice[link.name].stop - 4, body.q_slice[link.name].stop)
        limit = fastest_rad_s * (_STEADY_SHARE if kind(link.name) in _STEADY else 1.0)
        bad = _too_fast(q[:, columns], fps, limit)
        if bad.any() and not bad.all():
            mended[:, columns] = bridged(q[:, columns], bad)
            flipped[link.name] = int(bad.sum())
    return Repair(mended, flipped)


def _too_fast(turns: Floats, fps: float, limit: float) -> Bools:
    """Frames beside a turn that is too fast and stands out: a punch is as fast, but so are the frames around it."""
    speed = rotations.angle_between(turns[:-1], turns[1:]) * fps
    around = median_filter(speed, size=max(3, int(_AROUND_S * fps) | 1), mode="mirror")  # a flip at an end counts once
    flips = (speed > limit) & (speed > _STANDS_OUT * around)
    bad = np.zeros(len(turns), dtype=bool)
    bad[1:] |= flips
    bad[:-1] |= flips
    if bad.any():
        span = max(3, int(_BRIDGE_S * fps))
        grown = np.pad(binary_dilation(bad, np.ones(3)), span)
        bad |= binary_closing(grown, np.ones(span))[span:-span]
    return bad


def bridged(turns: Floats, bad: Bools) -> Floats:
    """Turns (T, 4) with the bad ones led from the sound one before to the one after; some must be sound."""
    sound = np.flatnonzero(~bad)
    broken = np.flatnonzero(bad)
    after = np.searchsorted(sound, broken)
    a, b = sound[np.maximum(after - 1, 0)], sound[np.minimum(after, len(sound) - 1)]  # the same at an end of the clip
    result = turns.copy()
    share = np.clip((broken - a) / np.maximum(b - a, 1), 0.0, 1.0)
    result[broken] = rotations.slerp(turns[a], turns[b], share)
    return rotations.continuous(result)
