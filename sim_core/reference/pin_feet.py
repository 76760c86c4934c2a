"""Feet that stand do not slide: what a captured sole creeps along the ground while it bears is taken out.

A simulated foot holds its place, and the reference is carried along with the feet, so that every creeping step would
lead the character off its path. Between two stances a foot is led from one to the other, clear of the ground.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics import kinematics
from ..dynamics.state_space import central_velocities
from ..filters import low_pass
from ..world.surface import Surface
from .clear_swings import swing_lift
from .place_ankles import place_ankles
from .sinking import steepness

_BEARS_M = 0.02  # a sole point less than this above the lowest bears too, the more the lower
_EASE_HZ = 8.0
_FARTHEST_M = 0.12  # a foot that slides further is meant to
_CLEARANCE_M = 0.035  # of a swing: more than a simulated foot is too low by, and hardly seen (measured)
_RISE_S = 0.07
_SHUFFLES = 0.5  # of the fastest that a foot moves within a stance: as long as it is faster, it is on its way


def pin_feet(q: Floats, body: Body, ground: Surface, rate: float, feet_down: Bools, dragged: Bools) -> Floats:
    """The motion q (S, nq) with legs turned so that feet that are down (S, 2) stand still, and those that are dragged
    (S, 2) stay on the ground."""
    shifts = np.empty((len(q), 2, 3))
    legs = _standing(q, body, ground, rate)
    touching = feet_down | dragged
    for k, foot in enumerate(creeping(q, body, ground, rate)):
        onto = _between(np.where(touching[:, k], -foot.lowest, np.nan), rate)
        onto = np.maximum(onto, -np.maximum(foot.lowest, 0.0))
        lift = swing_lift(
            foot.lowest + onto,
            foot.speed,
            touching[:, k],
            rate,
            clearance_m=_CLEARANCE_M,
            rise_s=np.full(len(q), _RISE_S),
        )
        stands = without_shuffles(foot.velocity, feet_down[:, k], rate)
        held = legs[:, k, None] * led(holding(foot.velocity, stands, rate), rate)
        shifts[:, k] = held + (onto + lift)[:, None] * ground.normal
    return place_ankles(q, body, ground, rate, shifts, touching.astype(float))


def _standing(q: Floats, body: Body, ground: Surface, rate: float) -> Floats:
    """(S, 2) left, right: 1 where a leg stands, 0 where it lies; a foot that lies slides as its body moves."""
    now = kinematics.pose(body, q)
    legs = [
        steepness(
            now.origins[:, body.index(f"thigh_{side}")], now.origins[:, body.index(f"foot_{side}")], ground.normal
        )
        for side in "lr"
    ]
    return np.clip(low_pass(np.stack(legs, axis=1), rate, _EASE_HZ), 0.0, 1.0)


class Creep(NamedTuple):
    """How one foot moves over the ground, where it is nearest to it."""

    velocity: Floats  # (S, 3) along the ground [m/s]
    lowest: Floats  # (S,) height of its lowest sole point [m]

    @property
    def speed(self) -> Floats:
        """(S,) along the ground [m/s]."""
        speed: Floats = np.linalg.norm(self.velocity, axis=1)
        return speed


def creeping(q: Floats, body: Body, ground: Surface, rate: float) -> tuple[Creep, Creep]:
    """Of the left and the right foot of a motion q (S, nq)."""
    motion = kinematics.motion(body, q, central_velocities(body, q, rate))
    soles = motion.pose.points(body.soles.links, body.soles.local)
    velocities = motion.point_velocities(body.soles.links, soles) - ground.velocities(soles)
    heights = ground.distance(soles)

    def of_foot(mine: Bools) -> Creep:
        return Creep(creep(velocities[:, mine], heights[:, mine], ground), heights[:, mine].min(axis=1))

    return of_foot(body.soles.left), of_foot(~body.soles.left)


def creep(velocities: Floats, heights: Floats, ground: Surface) -> Floats:
    """(S, 3) how fast the lowest of some points go along the ground, by velocities (S, P, 3) and heights (S, P)."""
    load = np.clip(1.0 - (heights - heights.min(axis=1, keepdims=True)) / _BEARS_M, 0.0, 1.0)
    mean = np.sum(load[..., None] * velocities, axis=1) / load.sum(axis=1, keepdims=True)
    along: Floats = mean - (mean @ ground.normal)[:, None] * ground.normal
    return along


def without_shuffles(creep: Floats, down: Bools, rate: float) -> Bools:
    """(S,) where something that is down, by labels (S,), stays where it is, by its creep (S, 3) [m/s].

    Who hops or shuffles to another place low over the ground seems to bear all along. Held at one place, such a foot
    would be off by half the way before and after, and bend the leg for it; so it stands at two places, and goes from
    one to the other where it goes fastest.
    """
    stands = down.copy()
    stretches = _stretches(down)
    while stretches:
        first, stop = stretches.pop()
        if stop <= first or _farthest(_way_back(creep[first:stop], rate)) <= _FARTHEST_M:
            continue
        speed = np.linalg.norm(creep[first:stop], axis=1)
        rests = speed < _SHUFFLES * speed.max()
        peak = int(np.argmax(speed))
        before, after = np.flatnonzero(rests[:peak]), np.flatnonzero(rests[peak:])
        leaves = first + (int(before[-1]) + 1 if len(before) else 0)
        arrives = first + peak + int(after[0]) if len(after) else stop
        stands[leaves:arrives] = False
        stretches += [(first, leaves), (arrives, stop)]
    return stands


def _as_far_as_is_meant(farthest: float) -> float:
    return min(1.0, _FARTHEST_M / farthest)


def holding(creep: Floats, down: Bools, rate: float, share: Callable[[float], float] = _as_far_as_is_meant) -> Floats:
    """(S, 3) shifts that stop the creep (S, 3) while something is down, nan where it is not; `share` tells how much of
    a shift is made that is so many metres at its farthest."""
    shift = np.full_like(creep, np.nan)
    for first, stop in _stretches(down):
        held = _way_back(creep[first:stop], rate)
        shift[first:stop] = held * share(max(_farthest(held), 1e-9))
    return shift


def _stretches(labels: Bools) -> list[tuple[int, int]]:
    """First and last rows of every run that is labelled (S,), the last not included."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], labels, [False]]).astype(int))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _way_back(creep: Floats, rate: float) -> Floats:
    """(S, 3) the shift that keeps what creeps (S, 3) at the middle of its way."""
    way = -np.cumsum(creep, axis=0) / rate
    back: Floats = way - way.mean(axis=0)
    return back


def _farthest(shift: Floats) -> float:
    return float(np.linalg.norm(shift, axis=1).max())


def led(shift: Floats, rate: float) -> Floats:
    """(S, 3) shifts led from one stance to the next where they are not known (nan)."""
    return np.stack([_between(shift[:, axis], rate) for axis in range(3)], axis=1)


def _between(values: Floats, rate: float) -> Floats:
    """(S,) values with what is not known (nan) led from one known stretch to the next, softly."""
    known = np.flatnonzero(np.isfinite(values))
    if len(known) == 0:
        return np.zeros_like(values)
    return low_pass(np.interp(np.arange(len(values)), known, values[known]), rate, _EASE_HZ)
