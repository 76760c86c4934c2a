"""Where to step so as not to fall: the capture point of a body that moves like an inverted pendulum.

A pendulum over the ground comes to rest above its capture point xi = c + c' / w, if pressure lies there (Pratt et al.
2006; Hof 2008 calls it the extrapolated centre of mass). While pressure stays at z, xi runs away from z as e^{wt}
(Hof 2008, eq. 6). A foot that needs T seconds to get there is therefore to land at z + (xi - z) e^{wT}.

Everything here is in two axes along the ground.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...arrays import Floats
from ...reference.support import outline

_LEAST_S = 0.02


@dataclass(frozen=True, kw_only=True)
class StepRules:
    """Lengths in metres for a leg of one metre: who is smaller takes smaller steps."""

    time: float = 0.83  # that a step takes, times w
    lift_m: float = 0.08
    beyond_m: float = 0.02  # the capture point, so that it comes to lie within the foot and not at its edge
    farthest_m: float = 0.85  # from the foot that stands
    apart_m: float = 0.15  # at least, sideways, between the middles of the feet
    crosses_ahead_m: float = 0.35  # a foot that lands on the other side of the one that stands passes it by so much
    inside_m: float = 0.015  # of a sole's edge, where pressure can lie
    crossing_cost_m: float = 0.6  # as if the step were so much longer
    uncaught_cost: float = 10.0  # for each metre that the capture point is out of the feet once they stand
    loaded_from: float = 0.6  # of the weight, on a foot: one that bears more leaves late,
    loaded_cost_m: float = 0.25  # as if the step were longer by this much of the rest


class Pendulum(NamedTuple):
    place: Floats  # (2,) the centre of mass, plumb onto the ground
    velocity: Floats  # (2,)
    w: float  # [1/s]

    @property
    def capture(self) -> Floats:
        point: Floats = self.place + self.velocity / self.w
        return point


class Planned(NamedTuple):
    place: Floats  # (2,) of the middle of the sole
    cost: float  # [m]


def later(capture: Floats, pressure: Floats, w: float, seconds: float) -> Floats:
    """(2,) the capture point after so many seconds with pressure at a place."""
    point: Floats = pressure + (capture - pressure) * np.exp(w * seconds)
    return point


def nearest_pressure(capture: Floats, soles: Sequence[Floats], inside_m: float) -> Floats:
    """(2,) the place nearest to the capture point at which soles (P, 2) can press."""
    points = np.concatenate(list(soles))
    middle = points.mean(axis=0)
    away = points - middle
    length = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    inner = middle + away * np.maximum(1.0 - inside_m / length, 0.0)
    support = outline([inner])
    assert support is not None
    nearest: Floats = support.nearest(capture[None])[0]
    return nearest


def planned_step(
    pendulum: Pendulum,
    seconds: float,  # until the foot lands
    foot: Floats,  # (P, 2) the sole that steps
    other: Floats,  # (P, 2) the sole that stands
    outwards: Floats,  # (2,) to the side of the foot that steps, unit
    leg: float,  # length [m]
    rules: StepRules,
) -> Planned:
    """Feet do not go through each other: what would be in the way lands beside, or far enough ahead or behind."""
    middle = other.mean(axis=0)
    pressure = nearest_pressure(pendulum.capture, [other], rules.inside_m)
    goal = later(pendulum.capture, pressure, pendulum.w, max(seconds, _LEAST_S))
    apart = goal - middle
    apart = apart * (1.0 + rules.beyond_m / max(float(np.linalg.norm(apart)), 1e-6))
    cost = 0.0
    aside = float(apart @ outwards)
    onwards = apart - aside * outwards
    if aside < 0.0 and np.linalg.norm(onwards) > rules.crosses_ahead_m * leg:
        cost += rules.crossing_cost_m * leg
    elif aside < rules.apart_m * leg:
        apart = onwards + rules.apart_m * leg * outwards
    length = float(np.linalg.norm(apart))
    apart = apart * min(1.0, rules.farthest_m * leg / max(length, 1e-6))
    place = middle + apart
    way = place - foot.mean(axis=0)
    uncaught = goal - nearest_pressure(goal, [foot + way, other], 0.0)
    cost += rules.uncaught_cost * float(np.linalg.norm(uncaught))
    return Planned(place, float(np.linalg.norm(way)) + cost)


def loaded_cost(share: float, leg: float, rules: StepRules) -> float:
    """[m] of a step with a foot that bears this share of the weight."""
    return rules.loaded_cost_m * leg * max(share - rules.loaded_from, 0.0)
