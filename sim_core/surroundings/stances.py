"""Where feet stood still in a clip, how high, and whether they bore the figure.

All along the clip's path: X is where it goes, Y to the left, Z above the floor, from the place under the first pelvis.
"""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..filters import without_blinks
from ..motion.clip import Clip
from ..posing.body_motion import body_positions
from ..posing.upright import is_upright
from ..staging.placement import Stage

_STILL_M_S = 0.25
_SHORTEST_GAP_S = 0.05
_SHORTEST_STANCE_S = 0.08
_SAME_PLACE_M = 0.1  # a foot that stands again this near, and soon, never left
_SOON_S = 0.3
_ALONE_S = 0.1  # of standing on one foot are enough to know that it bears
_OVER_M = 0.35  # how far beside its foot the pelvis of someone who stands on it may be


class Feet(NamedTuple):
    """Over the frames of a clip."""

    soles: Floats  # (T, P, 3)
    left: Bools  # (P,)
    pelvis: Floats  # (T, 3)
    upright: Bools  # (T,)
    still: Bools  # (T, 2) left, right
    fps: float

    def of(self, side: int) -> Floats:
        """(T, K, 3) sole points of the left foot, 0, or the right one, 1."""
        points: Floats = self.soles[:, self.left if side == 0 else ~self.left]
        return points


class Stance(NamedTuple):
    side: int  # 0 is the left foot, 1 the right one
    first: int  # frames, the last not included
    stop: int
    points: Floats  # (K, 3) where its sole points were
    bears: bool

    @property
    def height(self) -> float:
        return float(self.points[:, 2].min())

    @property
    def place(self) -> Floats:
        """(2,)."""
        place: Floats = self.points[:, :2].mean(axis=0)
        return place

    @property
    def pitch(self) -> float:
        """How much its sole rises along the path, as a slope."""
        across = np.column_stack([self.points[:, :2], np.ones(len(self.points))])
        return float(np.linalg.lstsq(across, self.points[:, 2], rcond=None)[0][0])


def feet_of(clip: Clip, body: Body, stage: Stage) -> Feet:
    now = pose(body, body_positions(clip, body))
    soles = _along_path(now.points(body.soles.links, body.soles.local), stage)
    speeds = np.linalg.norm(np.gradient(soles, 1.0 / clip.fps, axis=0), axis=-1)
    sides = (body.soles.left, ~body.soles.left)
    still = np.stack([np.median(speeds[:, mine], axis=1) < _STILL_M_S for mine in sides], axis=1)
    return Feet(
        soles=soles,
        left=body.soles.left,
        pelvis=_along_path(now.origins[:, 0], stage),
        upright=is_upright(body, now),
        still=without_blinks(still, clip.fps, gap_s=_SHORTEST_GAP_S, touch_s=_SHORTEST_STANCE_S),
        fps=clip.fps,
    )


def _along_path(points: Floats, stage: Stage) -> Floats:
    start = np.array([*stage.path[0, :2], stage.floor_m])
    return rotations.rotate(rotations.inverse(stage.path_turn), points - start)


def stances_of(feet: Feet) -> list[Stance]:
    """In the order of time."""
    found = [stance for side in (0, 1) for stance in _of_foot(feet, side)]
    return sorted(found, key=lambda stance: (stance.first, stance.side))


def _of_foot(feet: Feet, side: int) -> list[Stance]:
    soles = feet.of(side)
    edges = np.diff(np.concatenate([[0], feet.still[:, side].astype(np.int8), [0]]))
    spans: list[tuple[int, int]] = []
    for first, stop in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
        if spans and _never_left(soles, spans[-1], (int(first), int(stop)), feet.fps):
            spans[-1] = (spans[-1][0], int(stop))
        else:
            spans.append((int(first), int(stop)))
    return [
        Stance(side, first, stop, np.median(soles[first:stop], axis=0), _bears(feet, side, first, stop))
        for first, stop in spans
    ]


def _never_left(soles: Floats, before: tuple[int, int], after: tuple[int, int], fps: float) -> bool:
    places = [np.median(soles[first:stop, :, :2], axis=0).mean(axis=0) for first, stop in (before, after)]
    return bool(after[0] - before[1] < _SOON_S * fps and np.linalg.norm(places[0] - places[1]) < _SAME_PLACE_M)


def _bears(feet: Feet, side: int, first: int, stop: int) -> bool:
    """Whether it is for a while the only foot that stands, with the upright figure over it."""
    rows = slice(first, stop)
    beside = np.linalg.norm(feet.pelvis[rows, :2] - feet.of(side)[rows, :, :2].mean(axis=1), axis=1)
    alone = ~feet.still[rows, 1 - side] & feet.upright[rows] & (beside < _OVER_M)
    return bool(alone.sum() >= _ALONE_S * feet.fps)
