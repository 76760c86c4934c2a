"""Stretches of a reference that no physics can follow as they are, each with the one reason that weighs most."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from scipy.ndimage import binary_dilation

from ..arrays import Bools
from ..body.body import Body
from ..constants import FLIGHT_FORCE
from .row_needs import BEARS, ROWS_HZ, RowNeeds

# With the unit of a stretch's size.
Reason: TypeAlias = Literal[
    "nothing carries it",  # stands or hangs where nothing is; the force upward [body weights]
    "hovers over the ground",  # the same, so low that it was meant to touch; the gap [m]
    "rolls or slides",  # the same, on the ground but too fast to count as standing on it; the gap [m]
    "falls too slowly",  # slower than gravity, or rises; the force upward [body weights]
    "falls too fast",  # faster than gravity [body weights]
    "steered in the air",  # sideways force while nothing touches [body weights]
    "spun in the air",  # torque while nothing touches [body weights times 1 m]
    "leans on something",  # at rest with its weight beyond its support [m]
    "beyond its feet",  # moving, and the ground would have to push where nothing stands [m]
    "needs more friction",  # the friction that would do
    "turned on the spot",  # more than soles hold against turning [body weights times 1 m]
    "not strong enough",  # torque of a joint over its strength
    "snaps round",  # the same so far beyond it that no person moves so
    "lands hard",  # speed towards the ground [m/s]
]

NOTICED_BW = 0.05  # what no contact explains, below which a row is as good as any (measured: steady walks stay below)
_SNAPS = 6.0  # times a joint's strength
_AROUND_SNAPS_ROWS = 3
OVER_STRENGTH = 1.2  # runners push off with all that the tables give them
_STANDS_BW = 0.75  # who needs more force upward in the air does not fly, but stands, sits or hangs on something,
_STANDS_M_S = 0.5  # and so does who needs more than any flight, and has a joint that mostly is slower than this
_MEANT_TO_TOUCH_M = 0.15
_TOUCHES_M = 0.06  # hands, knees and backs are rounder and softer than soles
_IMPULSE_BW_S = 0.02  # 0.2 m/s or, for a grown person, 1.5 rad/s: less is lost in how a performance is simulated
_FEWEST_ROWS = 3  # labels of contact may be one row late, and look like a force out of the air
_JOIN_ROWS = 5
_MOSTLY = 0.9  # of the moments in which feet would slip; the worst of all may be noise
_REST_M_S = 0.3  # slower than this a body is at rest,
_REST_S = 0.4  # for at least so long,
_REST_OUTSIDE_M = 0.03  # with its centre of mass so far beyond its support
_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, kw_only=True)
class HardStretch:
    first_step: int  # steps of the reference, both included
    last_step: int
    reason: Reason
    size: float  # in the reason's unit
    needs_bw: float  # what no contact explains, in most of its moments, in body weights
    joint: str | None = None  # the link whose joint is not strong enough


def unexplained(needs: RowNeeds, friction: float) -> Iterator[HardStretch]:
    """Where the ground cannot give what the motion needs; each stretch is all in the air, or all on the ground."""
    bad = needs.left > NOTICED_BW
    # A limb that snaps round tugs at the whole body, and is reason enough.
    sound = ~binary_dilation(needs.strength > _SNAPS, iterations=_AROUND_SNAPS_ROWS)
    for in_air in (True, False):
        here = (needs.touching != in_air) & sound
        for rows in _runs(bad & here, here):
            if _impulse(needs, rows) >= _IMPULSE_BW_S:
                reason, size = _in_air(needs, rows) if in_air else _on_ground(needs, rows, friction)
                yield _stretch(needs, rows, reason, size)


def overstrained(needs: RowNeeds, body: Body) -> Iterator[HardStretch]:
    """Where a joint would need more torque than it has."""
    for rows in _runs(needs.strength > OVER_STRENGTH, np.ones(len(needs.steps), dtype=bool)):
        worst = rows.start + int(np.argmax(needs.strength[rows]))
        size = float(needs.strength[worst])
        reason: Reason = "not strong enough" if size < _SNAPS else "snaps round"
        yield _stretch(needs, rows, reason, size, body.names[needs.joint[worst]])


def _in_air(needs: RowNeeds, rows: slice) -> tuple[Reason, float]:
    # Medians: who jumps up, hovers and drops has the mean of a flight, but hovers all the same.
    force, torque = np.median(needs.force_left[rows], axis=0), np.median(needs.torque_left[rows], axis=0)
    sizes: dict[Reason, float] = {
        "falls too slowly": float(force[2]),
        "falls too fast": float(-force[2]),
        "steered in the air": float(np.linalg.norm(force[:2])),
        "spun in the air": float(np.linalg.norm(torque)),
    }
    reason = max(sizes, key=lambda each: sizes[each])
    still = np.median(needs.joint_speeds[rows], axis=0).min() < _STANDS_M_S
    if reason == "falls too slowly" and sizes[reason] > (FLIGHT_FORCE if still else _STANDS_BW):
        gap = float(np.median(needs.gap[rows]))
        if gap > _MEANT_TO_TOUCH_M:
            return "nothing carries it", sizes[reason]
        return ("hovers over the ground" if gap > _TOUCHES_M else "rolls or slides"), gap
    return reason, sizes[reason]


def _on_ground(needs: RowNeeds, rows: slice, friction: float) -> tuple[Reason, float]:
    torque = needs.torque_left[rows].mean(axis=0)
    beyond_friction = np.maximum(needs.friction[rows] - friction, 0.0) * np.maximum(needs.upward[rows], BEARS)
    sizes: dict[Reason, float] = {
        "falls too fast": float(np.maximum(-needs.upward[rows], 0.0).mean()),
        "needs more friction": float(beyond_friction.mean()),
        "turned on the spot": float(abs(torque @ _UP)),
        "beyond its feet": float(np.linalg.norm(torque - (torque @ _UP) * _UP)),
    }
    reason = max(sizes, key=lambda each: sizes[each])
    if reason == "needs more friction":
        asked = needs.friction[rows]
        return reason, float(np.quantile(asked[asked > friction], _MOSTLY))
    if reason == "beyond its feet":
        weights = needs.left[rows]
        size = float(weights @ needs.outside[rows] / weights.sum())
        return ("leans on something" if _rests(needs, rows) else reason), size
    return reason, sizes[reason]


def _rests(needs: RowNeeds, rows: slice) -> bool:
    lasts = (rows.stop - rows.start) / ROWS_HZ >= _REST_S
    slow = np.median(needs.speed[rows] + abs(needs.sinking[rows])) < _REST_M_S
    return bool(lasts and slow and np.median(needs.still_outside[rows]) > _REST_OUTSIDE_M)


def _stretch(needs: RowNeeds, rows: slice, reason: Reason, size: float, joint: str | None = None) -> HardStretch:
    return HardStretch(
        first_step=int(needs.steps[rows.start]),
        last_step=int(needs.steps[rows.stop - 1]),
        reason=reason,
        size=size,
        needs_bw=_typical(needs, rows),
        joint=joint,
    )


def _impulse(needs: RowNeeds, rows: slice) -> float:
    """Of vectors, in body weights times seconds: what tugs to and fro is noise of the capture, and comes to nothing."""
    parts = (needs.force_left, needs.torque_left)
    return sum(float(np.linalg.norm(part[rows].sum(axis=0))) for part in parts) / ROWS_HZ


def _typical(needs: RowNeeds, rows: slice) -> float:
    """What most moments need, or all on average where only some need much."""
    parts = (needs.force_left, needs.torque_left)
    median = sum(float(np.linalg.norm(np.median(part[rows], axis=0))) for part in parts)
    return float(max(median, _impulse(needs, rows) * ROWS_HZ / (rows.stop - rows.start)))


def _runs(bad: Bools, here: Bools) -> list[slice]:
    """Bad rows in a row, joined over short gaps that are `here` too; those that are long enough."""
    runs: list[slice] = []
    for row in np.flatnonzero(bad).tolist():
        if runs and row - runs[-1].stop <= _JOIN_ROWS and here[runs[-1].stop : row].all():
            runs[-1] = slice(runs[-1].start, row + 1)
        else:
            runs.append(slice(row, row + 1))
    return [rows for rows in runs if bad[rows].sum() >= _FEWEST_ROWS]
