"""What a body does on its way down, as a few numbers: cubic splines that end at times of their own (Brown 2012, 5.1).

Every spline begins at zero, has three control points, evenly spread until its end, and stays where it ends. Numbers are
about as large as one, so that a search may treat them alike.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from ..arrays import Floats

POINTS = 3  # control points of a spline
_AXES = 3
_SPLINE = POINTS * _AXES
SPLINE_NUMBERS = _SPLINE + 1  # its points and its end
_UNITS = {"weight": 0.15, "turn": 0.8, "arms": 0.8}  # of body height; of a radian
_ENDS_S = {"weight": 0.7, "turn": 0.7, "arms": 0.35}  # usual ones
_END_SPREAD = 0.35  # of their logarithm

# The numbers of a script, one after another.
Numbers: TypeAlias = tuple[float, ...]
Triple: TypeAlias = tuple[float, float, float]
SPLINES = ("weight", "turn", "arms")
SINGLE = ("fold", "curl", "elbow")  # how far legs are drawn in, the back is rounded, elbows are bent
COUNT = len(SPLINES) * SPLINE_NUMBERS + len(SINGLE)
AS_USUAL: Numbers = (0.0,) * COUNT
_SINGLE_FROM = len(SPLINES) * SPLINE_NUMBERS
_AS_IT_IS = (0.0, 0.0, 0.0)


class Spline(NamedTuple):
    points: Floats  # (POINTS, 3)
    end_s: float

    def at(self, times: Floats) -> Floats:
        """(T, 3); flat at both ends."""
        knots = self.end_s * np.arange(POINTS + 1) / POINTS
        values = np.concatenate([np.zeros((1, _AXES)), self.points])
        slopes = np.zeros_like(values)
        slopes[1:-1] = (values[2:] - values[:-2]) / (knots[2:] - knots[:-2])[:, None]
        curve: Floats = CubicHermiteSpline(knots, values, slopes)(np.clip(times, 0.0, self.end_s))
        return curve


class FallScript(NamedTuple):
    """Along the fall: where it goes, to the left of that, up. Turns are about these."""

    weight: Spline  # of the centre of mass beside its usual way, in body heights
    turn: Spline  # of the whole body beside its usual turn [rad]
    arms: Spline  # pitch, roll and twist of both shoulders beside the pose, as the right one has them [rad]
    fold: float  # shares, from -1 to 1 and beyond
    curl: float
    elbow: float


def as_numbers(
    *,
    weight: Sequence[Triple] = (),
    turn: Sequence[Triple] = (),
    arms: Sequence[Triple] = (),
    fold: float = 0.0,
    curl: float = 0.0,
    elbow: float = 0.0,
) -> Numbers:
    """Splines as their control points, in the numbers' own units; what is not said is as usual."""
    numbers: list[float] = []
    for points in (weight, turn, arms):
        numbers += [value for point in points or (_AS_IT_IS,) * POINTS for value in point] + [0.0]
    return (*numbers, fold, curl, elbow)


def script_of(numbers: Numbers) -> FallScript:
    x = np.asarray(numbers)
    splines = {}
    for k, name in enumerate(SPLINES):
        own = x[k * SPLINE_NUMBERS : (k + 1) * SPLINE_NUMBERS]
        end = _ENDS_S[name] * float(np.exp(_END_SPREAD * np.clip(own[-1], -2.0, 2.0)))
        splines[name] = Spline(_UNITS[name] * own[:-1].reshape(POINTS, _AXES), end)
    fold, curl, elbow = (float(value) for value in x[_SINGLE_FROM:])
    return FallScript(**splines, fold=fold, curl=curl, elbow=elbow)


def mirrored(numbers: Numbers) -> Numbers:
    """The same fall to the other side: a weight's left, and turns about its way and about up, change their signs."""
    signs = np.ones(COUNT)
    for k, name in enumerate(SPLINES):
        points = k * SPLINE_NUMBERS + np.arange(_SPLINE).reshape(POINTS, _AXES)
        signs[points[:, {"weight": [1], "turn": [0, 2], "arms": []}[name]]] = -1.0
    return tuple((signs * np.asarray(numbers)).tolist())
