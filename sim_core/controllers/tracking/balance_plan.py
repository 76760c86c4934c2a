"""Balance with the whole clip in view: which step, and which push of the ground, brings the body back to its path.

The reference is a motion that the ground can carry, so what a simulated body is off from it moves like an inverted
pendulum: e'' = w^2 (e - d), where e is how far the centre of mass is off along the ground, d how far the pressure under
the feet is off, and w^2 the ground's force over mass and height (after Kajita et al. 2003 and Pratt et al. 2006).
Pressure is off by as much as the feet stand beside their marks, by the share that each bears, and by what ankles add.
When each foot lands is known from the clip. So the best pressures and footholds are those of a linear quadratic
regulator over the whole clip, solved once, backwards in time: it leans before a long stance, steps out after a push,
and comes back to the path over as many steps as that takes, all by the same law.

The regulator does not know how short a foot is. Where it asks more of the ankles than a sole can give, feet step as one
says that knows of weak ankles.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ...arrays import Bools, Floats
from .tracked_motion import TrackedMotion

_STATE = 4  # e, e', and how far the left and the right foot stand beside their marks
_ERROR, _SPEED = 0, 1
FEET = (2, 3)  # rows of the state
_REST_S = 3.0  # the end of the clip is taken to go on so long, for its cost to settle


@dataclass(frozen=True, kw_only=True)
class BalanceCosts:
    """Of errors in metres, each second."""

    error: float = 1.0
    speed: float = 0.1  # [s^2] of e'
    pressure: float = 0.3  # of what ankles add
    foothold: float = 0.1  # of feet that stand beside their marks
    change: float = 0.02  # of a landing beside where the foot stood before, in all
    most_pressure_m: float = 0.05  # that ankles add; soles are not longer
    weak_at: float = 8.0  # times that, beyond it, at which steps are taken as if ankles did nothing more
    weak_pressure: float = 10.0  # the cost of pressure that such steps are planned with


class BalancePlan(NamedTuple):
    """Linear in the state [e, e', left, right], whichever direction along the ground; one row a control tick."""

    stiffness: Floats  # (T,) w^2 [1/s^2]
    shares: Floats  # (T, 2) of the load, left and right
    pressure: Floats  # (T, 4) what ankles are to add [m]
    footholds: Floats  # (T, 2, 4) how far beside its mark the foot is to land that swings now [m]
    unhelped: Floats  # (T, 2, 5) the same where ankles add a given pressure and no more, which comes last in the state
    costs: BalanceCosts

    def acceleration(self, tick: int, state: Floats) -> Floats:
        """(3,) of the centre of mass beyond the reference's, for a state (4, 3) [m/s^2]."""
        pressed = self.shares[tick] @ state[list(FEET)] + self.pressure[tick] @ state
        acceleration: Floats = self.stiffness[tick] * (state[_ERROR] - pressed)
        return acceleration

    def landing(self, tick: int, side: int, state: Floats) -> Floats:
        """(3,) how far beside its mark that foot is to land [m]."""
        added = self.pressure[tick] @ state
        lacking = float(np.linalg.norm(added)) / self.costs.most_pressure_m - 1.0
        place: Floats = self.footholds[tick, side] @ state
        if lacking <= 0.0:
            return place
        alone = self.unhelped[tick, side] @ np.concatenate([state, added[None] / (1.0 + lacking)])
        place = place + min(lacking / self.costs.weak_at, 1.0) * (alone - place)
        return place


def plan_balance(motion: TrackedMotion, costs: BalanceCosts, every: int) -> BalancePlan:
    """For ticks of so many steps."""
    rows = slice(None, None, every)
    course = _Course(
        motion.pendulum[rows],
        motion.load_shares[rows],
        motion.reference.contacts.feet[rows],
        every / motion.reference.rate,
    )
    strong = _regulated(course, costs)
    weak = _regulated(course, replace(costs, pressure=costs.weak_pressure))
    return BalancePlan(course.stiffness, course.shares, strong.pressure, strong.footholds, weak.unhelped, costs)


class _Course(NamedTuple):
    """What is known of the clip, one row a tick."""

    stiffness: Floats  # (T,)
    shares: Floats  # (T, 2)
    feet: Bools  # (T, 2)
    tick_s: float


class _Regulator(NamedTuple):
    pressure: Floats  # (T, 4)
    footholds: Floats  # (T, 2, 4)
    unhelped: Floats  # (T, 2, 5)


def _regulated(course: _Course, costs: BalanceCosts) -> _Regulator:
    ticks = len(course.stiffness)
    pressure, footholds = np.zeros((ticks, _STATE)), np.zeros((ticks, 2, _STATE))
    unhelped = np.zeros((ticks, 2, _STATE + 1))
    value = _at_rest(course.stiffness[-1], course.shares[-1], costs, course.tick_s)
    for tick in range(ticks - 1, -1, -1):
        standing = course.feet[tick]
        lands = np.zeros(2, dtype=bool) if tick == ticks - 1 else course.feet[tick + 1] & ~standing
        step = _step(course.stiffness[tick], course.shares[tick], lands, costs, course.tick_s)
        gain, value = _regulate(step, value)
        pressure[tick] = -gain[0]
        closed, by_itself = step.A - step.B @ gain, step.A - step.B[:, 1:] @ gain[1:]
        for side in range(2):
            if lands[side]:
                footholds[tick, side] = unhelped[tick, side, :_STATE] = -gain[1 + int(lands[:side].sum())]
            elif tick < ticks - 1 and not standing[side]:
                footholds[tick, side] = footholds[tick + 1, side] @ closed
                later = unhelped[tick + 1, side]
                unhelped[tick, side, :_STATE] = later[:_STATE] @ by_itself
                unhelped[tick, side, _STATE] = later[_STATE] + later[:_STATE] @ step.B[:, 0]
    return _Regulator(pressure, footholds, unhelped)


class _Step(NamedTuple):
    """x' = A x + B u at the cost x Q x + 2 x S u + u R u."""

    A: Floats
    B: Floats
    Q: Floats
    S: Floats
    R: Floats


def _step(stiffness: float, shares: Floats, lands: Bools, costs: BalanceCosts, tick_s: float) -> _Step:
    """The controls are what ankles add, then a foothold for each foot that lands."""
    A = np.eye(_STATE)
    A[_ERROR, _SPEED] = tick_s
    push = stiffness * np.array([0.5 * tick_s**2, tick_s])  # of a unit of e - d
    A[:2, _ERROR] += push
    A[:2, list(FEET)] -= np.outer(push, shares)
    B = np.zeros((_STATE, 1 + int(lands.sum())))
    B[:2, 0] = -push
    Q = tick_s * np.diag([costs.error, costs.speed, *(costs.foothold * shares)])
    S = np.zeros((_STATE, B.shape[1]))
    R = np.zeros((B.shape[1], B.shape[1]))
    R[0, 0] = tick_s * costs.pressure
    for control, side in enumerate(np.flatnonzero(lands), start=1):
        foot = FEET[side]
        A[foot, foot] = 0.0
        B[foot, control] = 1.0
        Q[foot, foot] += costs.change
        S[foot, control] = -costs.change
        R[control, control] = costs.change
    return _Step(A, B, Q, S, R)


def _regulate(step: _Step, value: Floats) -> tuple[Floats, Floats]:
    """The gain of u = -gain x, and the cost of a state before the step, given that after it."""
    ahead = value @ step.B
    gain = np.linalg.solve(step.R + step.B.T @ ahead, ahead.T @ step.A + step.S.T)
    before = step.Q + step.A.T @ value @ step.A - (step.A.T @ ahead + step.S) @ gain
    return gain, 0.5 * (before + before.T)


def _at_rest(stiffness: float, shares: Floats, costs: BalanceCosts, tick_s: float) -> Floats:
    value = np.diag([costs.error, costs.speed, 0.0, 0.0])
    step = _step(stiffness, shares, np.zeros(2, dtype=bool), costs, tick_s)
    for _ in range(round(_REST_S / tick_s)):
        _, value = _regulate(step, value)
    return value
