"""Made people who walk: from foothold to foothold, whatever height these have."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from sim_core import rotations
from sim_core.reference.leg_ik import reach
from tests.clips import Person, moved, person

FPS = 60.0
STEP_FRAMES = 36
_LOW_M = 0.1  # the pelvis, on bent knees
_AHEAD = np.array([0.0, -1.0, 0.0])  # a person faces -Y


def walker(footholds: Sequence[tuple[float, float]], *, tilt: float = 0.0, lift: float = 0.12) -> Person:
    """Feet stand in turn, the left one first, at (ahead, height) [m]; above the floor soles are pitched up [rad].

    Between footholds a foot is lifted so much above the higher one.
    """
    frames = STEP_FRAMES * (len(footholds) + 1)
    clip, body = person(frames=frames, fps=FPS)
    ways = [_way(footholds[side::2], side, frames, lift) for side in (0, 1)]
    middle = np.mean(ways, axis=0)
    shift = np.zeros((frames, 3))
    shift += middle[:, :1] * _AHEAD
    shift[:, 2] = np.minimum(ways[0][:, 1], ways[1][:, 1]) - _LOW_M
    walking = moved(clip, shift)
    for name, way in zip(("Left", "Right"), ways, strict=True):
        leg = [clip.skeleton.index(name + part) for part in ("UpLeg", "Leg", "Foot")]
        hip, knee, ankle = np.moveaxis(walking.world().positions[:, leg], 1, 0)
        rest = clip.world().positions[:, leg[2]]
        target = rest + way[:, :1] * _AHEAD + way[:, 1:] * np.array([0.0, 0.0, 1.0])
        turns = reach(hip, knee, ankle, target, _AHEAD)
        pitched = rotations.exp(np.where(way[:, 1:] > 0.05, [-tilt, 0.0, 0.0], 0.0))
        for bone, turn in zip(leg, (turns.thigh, turns.shin, pitched), strict=True):
            above = walking.world().rotations[:, clip.skeleton.parents[bone]]
            walking.rotations[:, bone] = rotations.multiply(rotations.inverse(above), turn)
    return Person(walking, body)


def _way(stands: Sequence[tuple[float, float]], side: int, frames: int, lift: float) -> np.ndarray:
    """(T, 2) ahead and height of one foot, which swings in every other step."""
    way = np.tile(np.array(stands[0]), (frames, 1))
    share = np.linspace(0.0, 1.0, STEP_FRAMES)
    smooth = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
    for k, (before, after) in enumerate(pairwise(np.array(stands))):
        start = STEP_FRAMES * (2 * k + 1 + side)
        swing = before + smooth[:, None] * (after - before)
        top = max(before[1], after[1]) + lift
        swing[:, 1] += (1.0 - (2.0 * smooth - 1.0) ** 4) * (top - 0.5 * (before[1] + after[1]))
        way[start : start + STEP_FRAMES] = swing
        way[start + STEP_FRAMES :] = after
    return way
