"""How a sole lies on a surface: the plane that it comes to rest on, and how badly it is borne there."""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..world.surface import Surface

_ALONG, _ACROSS = 9, 3  # samples of a sole
_MARGIN_M = 0.006  # around the sole that has to be free of edges
_ROOM_M = (0.015, 0.035)  # in front of the toes, and behind the heel
_LOWER_M = 0.025  # what lies deeper below the sole than this does not bear it
_ROUNDS = 4
_STEEPEST = np.radians(40.0)
_UP = np.array([0.0, 0.0, 1.0])

# Costs of a foothold, in units of a step that is a quarter of a metre longer or shorter.
_HANGING = 8.0  # of all of a sole over an edge
_GAP = 300.0  # of a metre of air below it, in the mean
_BLOCKED = 1.6  # of a wall right in front of the toes, or behind the heel
_CRASH = 60.0  # of a radian between the sole and the ground that bears it: it is across an edge or a step


class Sole(NamedTuple):
    """The outline of a foot that lies flat, seen from above."""

    samples: Floats  # (P, 2) beside its middle [m]
    ahead: Floats  # (A, 2) in front of the toes, where a foot that leaves has to come by
    behind: Floats  # (A, 2) behind the heel, where one that lands comes down
    forward: Floats  # (2,) unit


class Rest(NamedTuple):
    place: Floats  # (3,) of the sole's middle
    normal: Floats  # (3,)
    cost: float


def sole_of(points: Floats, forward: Floats) -> Sole:
    """From the corners (P, 3) of a foot's sole and the way it points (3,)."""
    ahead = forward[:2] / max(float(np.linalg.norm(forward[:2])), 1e-9)
    aside = np.array([-ahead[1], ahead[0]])
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))[:2]
    along, across = (points[:, :2] - middle) @ ahead, (points[:, :2] - middle) @ aside
    steps = np.linspace(along.min() - _MARGIN_M, along.max() + _MARGIN_M, _ALONG)
    widths = np.linspace(across.min() - _MARGIN_M, across.max() + _MARGIN_M, _ACROSS)
    samples = [step * ahead + width * aside for step in steps for width in widths]
    toes = [(steps[-1] + room) * ahead + width * aside for room in _ROOM_M for width in widths]
    heels = [(steps[0] - room) * ahead + width * aside for room in _ROOM_M for width in widths]
    return Sole(np.array(samples), np.array(toes), np.array(heels), ahead)


def rest_on(surface: Surface, sole: Sole, middles: Floats, from_m: float) -> list[Rest]:
    """What a sole comes to lie on whose middle is put down at each of some places (K, 2), from a height."""
    beside = np.concatenate([sole.samples, sole.ahead, sole.behind])
    points = np.empty((len(middles), len(beside), 3))
    points[..., :2] = middles[:, None] + beside
    points[..., 2] = from_m
    heights, normals = surface.height(points), surface.normals(points)
    return [_rest(*one, sole) for one in zip(middles, heights, normals, strict=True)]


def _rest(middle: Floats, found: Floats, normals: Floats, sole: Sole) -> Rest:
    """The highest plane through most of the ground below: fitted to what bears, raised onto its highest point."""
    samples = sole.samples
    heights, normals = found[: len(samples)], normals[: len(samples)]
    columns = np.concatenate([samples, np.ones((len(samples), 1))], axis=1)
    bears = heights > heights.max() - 0.5
    for _ in range(_ROUNDS):
        fit, *_ = np.linalg.lstsq(columns[bears], heights[bears], rcond=None)
        over = columns @ fit - heights
        raised = over - over[bears].min()
        kept = raised < _LOWER_M + 2.0 * float(np.median(np.abs(over[bears])))
        if (kept == bears).all() or kept.sum() < 4:
            break
        bears = kept
    gaps = columns @ fit - heights
    lift = -float(gaps.min())  # nothing sticks into the sole
    slope = fit[:2]
    normal = np.array([-slope[0], -slope[1], 1.0]) / np.sqrt(1.0 + slope @ slope)
    gaps = gaps + lift
    hanging = float(np.mean(gaps > _LOWER_M))
    mean_normal = normals[bears].mean(axis=0)
    crash = float(np.arccos(np.clip(normal @ mean_normal / np.linalg.norm(mean_normal), -1.0, 1.0)))
    steep = max(float(np.arccos(normal[2])) - _STEEPEST, 0.0)
    around = np.concatenate([sole.ahead, sole.behind])
    blocked = found[len(samples) :] - around @ slope - fit[2] - lift > _LOWER_M
    cost = (
        _HANGING * hanging
        + _GAP * float(np.minimum(gaps, _LOWER_M).mean()) ** 1.5
        + _CRASH * (max(crash - 0.1, 0.0) + steep)
        + _BLOCKED * float(blocked[: len(sole.ahead)].mean() + blocked[len(sole.ahead) :].mean())
    )
    return Rest(np.array([*middle, fit[2] + lift]), normal, cost)


def tilt_of(normal: Floats, before: Floats = _UP) -> Floats:
    """(4,) the turn that brings one normal to another by the shortest way."""
    return rotations.between_vectors(before, normal)
