"""Things whose way is given: where they are at the beginning of every step, and how fast before and after it.

Velocities are those that lead from one step's pose to the next, so that what stands still on such a thing is where the
thing is after any number of steps. What runs over a belt is carried by a velocity that moves nothing else.
"""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..world.thing import Thing

HEAVY = 1e6  # [kg], [kg m^2] of bodies that engines drive: nothing else moves them


class Motion(NamedTuple):
    position: Floats  # (3,)
    turn: Floats  # (4,)
    velocity: Floats  # (3,) with which the step begins, in the world
    spin: Floats  # (3,) in its own axes
    next_velocity: Floats  # (3,) with which it ends
    next_spin: Floats  # (3,)


def is_driven(thing: Thing) -> bool:
    return thing.loose is None and (thing.moves is not None or bool(thing.belt.any()))


class Drive:
    """Every step's motion of one thing, worked out once: a thing rests after the end of its track."""

    def __init__(self, thing: Thing, step_s: float) -> None:
        last_s = 0.0 if thing.moves is None else float(thing.moves.times[-1])
        times = step_s * np.arange(int(np.ceil(max(last_s, 0.0) / step_s)) + 2)
        self._positions, turns = thing.poses(times)
        self._turns = rotations.continuous(turns)
        runs = rotations.rotate(self._turns, thing.belt)
        moved = np.diff(self._positions, axis=0) / step_s
        turned = rotations.log(rotations.multiply(rotations.inverse(self._turns[:-1]), self._turns[1:])) / step_s
        self._velocities, self._spins = runs[:-1] + moved, turned

    def at(self, step: int) -> Motion:
        here, now = min(step, len(self._positions) - 1), min(step, len(self._spins) - 1)
        before = max(min(step - 1, len(self._spins) - 1), 0)  # what moves from the first step on did so before it, too
        return Motion(
            self._positions[here],
            self._turns[here],
            self._velocities[before],
            self._spins[before],
            self._velocities[now],
            self._spins[now],
        )
