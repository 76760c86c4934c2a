"""How a body that moves comes to rest: a pendulum on feet that step to where it falls.

Over its feet a body falls like an inverted pendulum (Kajita et al. 2001), and in the air like a stone. It can only stop
over its capture point (Pratt et al. 2006), so pressure goes to the place of the support that is nearest to that, and
where it is outside, a foot steps towards it. When each foot lands is searched: late steps have to be long ones, early
ones get nowhere, and who runs needs two.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from .support import outline

RATE = 100.0  # of the plan
_PRESSURE_S = 0.03  # time constant of pressure that moves from foot to foot
_OFF_BALANCE_M = 0.02  # of the capture point outside the support: no step is taken for less
_FALLS_M = 0.35  # of it at the end: who is farther off falls
_ASIDE = 0.5  # across the way that the body falls, a foot stays by this share where it was: feet do not cross
_HARDEST_M_S2 = 90.0  # accelerations of a foot
_STEP_S = (0.06, 0.1, 0.14, 0.18, 0.22, 0.26, 0.3, 0.34, 0.38, 0.42)  # from the last frame, or from leaving the ground
_LIFTS_S = 0.02  # after the other foot is down
_SETTLES_S = 0.04  # before the end, the last foot is down
_MOST_STEPS = 3
_STRIDES = 0.65  # of a leg's length: how far from below its hip a foot is put at most
_SLOW_M_S = 0.5  # who is faster steps ahead, not behind
_STEEPEST = 0.5  # of the ground's force, along the ground over across: friction and legs hold no more
_STOP_TIME_S = 0.1  # time constant of rising and sinking on feet
_RISES = 25.0  # [1/s^2] legs that have given way straighten again
_ROLLS_M = 0.1  # a foot that rolls over its toes reaches as if its leg were so much longer

# Costs against a metre that the capture point is outside the support at the end.
_ON_THE_WAY = 0.3  # of the mean until then
_A_STEP = 0.03
_ON_ONE_LEG = 0.15  # of who comes down from a flight
_FAST = 0.1  # of a metre a second at the end
_HARD = 0.1  # of the hardest accelerations
_DEEP = 4.0  # of a metre that the body sinks, squared


class Foot(NamedTuple):
    """One foot, in the ground's axes."""

    soles: Floats | None  # (P, 2) what it stands on; None while it is free
    place: Floats  # (2,) of the middle of the sole
    velocity: Floats  # (2,)
    free_since: int  # row
    flat: Floats  # (P, 2) the sole around its middle, when it lies flat
    below_hip: Floats  # (2,) the middle of the sole beside the centre of mass, when the ankle is below the hip
    lower: float  # the hip's height over a flat foot's ankle is this much less than the height of the centre of mass
    longest: float  # from hip to ankle


class Falling(NamedTuple):
    """The centre of mass, plumb over the ground, and where the ground pushes."""

    place: Floats  # (2,)
    velocity: Floats  # (2,)
    height: float
    rise: float  # [m/s]
    pressure: Floats  # (2,)


class Landing(NamedTuple):
    side: int
    leaves: int  # row from which on the foot moves
    lands: int  # row
    place: Floats  # (2,) of the middle of the sole


class Stopping(NamedTuple):
    """One row every hundredth of a second, from the last frame on."""

    places: Floats  # (R, 2) of the centre of mass, plumb over the ground
    heights: Floats  # (R,)
    landings: tuple[Landing, ...]


class _Way(NamedTuple):
    """A plan as far as it goes."""

    states: tuple[Falling, ...]  # one a row
    off: tuple[float, ...]  # how far the capture point is outside the support
    landings: tuple[Landing, ...]
    hardest: float
    flew: bool  # at first


def come_to_rest(start: Falling, feet: Sequence[Foot], gravity: float, rows: int, sinks_m: float) -> Stopping:
    """The way that stops best."""
    flew = all(foot.soles is None for foot in feet)
    best = min(_ways(_Way((start,), (), (), 0.0, flew), tuple(feet), gravity, rows, sinks_m), key=_cost)
    places = np.array([state.place for state in best.states])
    return Stopping(places, np.array([state.height for state in best.states]), best.landings)


def _cost(way: _Way) -> float:
    hard = (way.hardest / _HARDEST_M_S2) ** 2
    sunk = way.states[0].height - min(state.height for state in way.states)
    fast = float(np.linalg.norm(way.states[-1].velocity))
    on_one_leg = way.flew and len({landing.side for landing in way.landings}) < 2
    likes = _ON_ONE_LEG * on_one_leg + _FAST * fast + _A_STEP * len(way.landings) + _HARD * hard + _DEEP * sunk**2
    return way.off[-1] + _ON_THE_WAY * float(np.mean(way.off)) + likes


def _ways(way: _Way, feet: tuple[Foot, ...], gravity: float, rows: int, sinks_m: float) -> Iterator[_Way]:
    """All that go on from one with these feet, until the last row."""
    row = len(way.states) - 1
    stays = _fall(way, feet, gravity, rows)
    yield stays
    side = _who_steps(way.states[-1], feet, gravity, way.flew)
    if side is None and stays.off[-1] > _FALLS_M:  # between its feet now, and beyond them before it stands still
        side = int(np.argmin([foot.place @ way.states[-1].velocity for foot in feet]))
    if side is None or len(way.landings) == _MOST_STEPS:
        return
    foot = feet[side]
    if foot.soles is not None:
        foot = foot._replace(soles=None, free_since=row + round(_LIFTS_S * RATE))
    swinging = tuple(foot if i == side else other for i, other in enumerate(feet))
    falling = _fall(way, swinging, gravity, rows)
    for step_s in _STEP_S:
        lands = foot.free_since + round(step_s * RATE)
        if not max(row, 1) <= lands <= rows - 1 - round(_SETTLES_S * RATE):
            continue
        place = _place(falling.states[lands], foot, step_s, gravity, sinks_m)
        if place is None:
            continue
        landed = foot._replace(soles=place + foot.flat, place=place, velocity=np.zeros(2))
        stands = tuple(landed if i == side else other for i, other in enumerate(feet))
        pull = 6.0 * (place - foot.place) / step_s**2
        pulls = [pull - 4.0 * foot.velocity / step_s, pull - 2.0 * foot.velocity / step_s]
        until = _Way(
            falling.states[: lands + 1],
            falling.off[: lands + 1],
            (*way.landings, Landing(side, foot.free_since, lands, place)),
            max(way.hardest, *(float(np.linalg.norm(pull)) for pull in pulls)),
            way.flew,
        )
        yield from _ways(until, stands, gravity, rows, sinks_m)


def _capture(state: Falling, gravity: float) -> Floats:
    point: Floats = state.place + state.velocity * np.sqrt(state.height / gravity)
    return point


def _who_steps(state: Falling, feet: tuple[Foot, ...], gravity: float, flew: bool) -> int | None:
    """The foot that is free, or farther behind; none where the body comes to rest as it stands."""
    capture = _capture(state, gravity)
    free = [side for side, foot in enumerate(feet) if foot.soles is None]
    support = outline([foot.soles for foot in feet if foot.soles is not None])
    if support is None:
        return int(np.argmax([foot.place @ state.velocity for foot in feet]))
    off = float(np.linalg.norm(capture - support.nearest(capture[None])[0]))
    if off < _OFF_BALANCE_M and not (flew and free):
        return None
    return free[0] if free else int(np.argmax([float(np.linalg.norm(capture - foot.place)) for foot in feet]))


def _fall(way: _Way, feet: tuple[Foot, ...], gravity: float, rows: int) -> _Way:
    """On to the last row with these feet."""
    tick = 1.0 / RATE
    supports = {}
    states, off = list(way.states), list(way.off)
    for _ in range(rows - len(states)):
        place, velocity, height, rise, pressure = states[-1]
        capture = _capture(states[-1], gravity)
        bears = tuple(foot.soles is not None and _reaches(states[-1], foot) for foot in feet)
        if bears not in supports:
            supports[bears] = outline(
                [foot.soles for foot, bear in zip(feet, bears, strict=True) if bear and foot.soles is not None]
            )
        support = supports[bears]
        if support is None:
            up, push, pressure = -gravity, np.zeros(2), place
            nearest = place
        else:
            nearest = support.nearest(capture[None])[0]
            pressure = pressure + (nearest - pressure) * min(1.0, tick / _PRESSURE_S)
            up = (way.states[0].height - height) * _RISES - rise / _STOP_TIME_S
            lever = place - pressure
            lever = lever * min(1.0, _STEEPEST * height / max(float(np.linalg.norm(lever)), 1e-9))
            push = max(gravity + up, 0.0) / height * lever
        off.append(float(np.linalg.norm(capture - nearest)))
        velocity, rise = velocity + tick * push, rise + tick * up
        states.append(Falling(place + tick * velocity, velocity, max(height + tick * rise, 0.1), rise, pressure))
    return _Way(tuple(states), tuple(off), way.landings, way.hardest, way.flew)


def _reaches(state: Falling, foot: Foot) -> bool:
    """Whether the leg is long enough for its foot to stand where it is."""
    high = state.height - foot.lower
    away = np.linalg.norm(state.place + foot.below_hip - foot.place)
    return bool(away**2 + high**2 < (foot.longest + _ROLLS_M) ** 2)


def _place(state: Falling, foot: Foot, step_s: float, gravity: float, sinks_m: float) -> Floats | None:
    """(2,) where a foot lands that moves so long: on the capture point, as far as its leg and its muscles get it."""
    high = max(state.height - foot.lower - sinks_m, 0.0)
    if high > foot.longest:
        return None
    capture = _capture(state, gravity)
    falls = capture - state.place
    falls = falls / max(float(np.linalg.norm(falls)), 1e-9)
    aside = foot.place - capture
    target = capture + _ASIDE * (aside - (aside @ falls) * falls)
    coasting = foot.place + 0.5 * step_s * foot.velocity
    hard = (_HARDEST_M_S2 * step_s - float(np.linalg.norm(foot.velocity))) * step_s / 6.0
    target = _within(target, coasting, max(hard, 0.0))
    reach = min(float(np.sqrt(foot.longest**2 - high**2)), _STRIDES * foot.longest)
    target = _within(target, state.place + foot.below_hip, reach)
    stops = (target - state.place) @ falls > 0.0 or float(np.linalg.norm(state.velocity)) < _SLOW_M_S
    return target if stops else None


def _within(target: Floats, middle: Floats, radius: float) -> Floats:
    apart = target - middle
    return middle + apart * min(1.0, radius / max(float(np.linalg.norm(apart)), 1e-9))
