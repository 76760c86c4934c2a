"""The loose things of a scene: what they are at first, and when each appears."""

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..scene import Scene
from .engine import NO_THINGS

_SAME_TIME = 1e-6  # steps
# Where things wait that have not appeared: above any ground, and each far from the others [m].
_WAITING_HEIGHT, _WAITING_ROOM = 2e4, 1e3


def loose_numbers(scene: Scene) -> tuple[int, ...]:
    """Their numbers in scene.things."""
    return tuple(number for number, thing in enumerate(scene.things) if thing.loose is not None)


def initial_things(scene: Scene) -> Floats:
    """(L, 13) the things of a State at the first frame."""
    rows = [
        np.concatenate([thing.position, thing.turn, thing.loose.velocity, thing.loose.spin])
        for thing in scene.things
        if thing.loose is not None
    ]
    return np.array(rows) if rows else NO_THINGS


class LooseThings:
    """Who waits and who appears, as an engine steps through time."""

    def __init__(self, scene: Scene, step_s: float) -> None:
        self.numbers = loose_numbers(scene)
        self.initial = initial_things(scene)
        self.away = self.initial.copy()  # (L, 13) where they wait, at rest
        self.away[:, 0], self.away[:, 1] = _WAITING_ROOM * (1.0 + np.arange(len(self.away))), 0.0
        self.away[:, 2], self.away[:, 7:] = _WAITING_HEIGHT, 0.0
        times = np.array([thing.loose.appears_s for thing in scene.things if thing.loose is not None])
        self._first_steps = np.ceil(times / step_s - _SAME_TIME).astype(np.int64)  # (L,)

    def waiting(self, step: int) -> Bools:
        """(L,) that have not appeared when a step begins."""
        waiting: Bools = self._first_steps > step
        return waiting

    def appearing(self, step: int) -> Ints:
        """The rows of those that appear just before a step."""
        return np.flatnonzero(self._first_steps == step)

    def shown(self, things: Floats, step: int) -> Floats:
        """As the outside sees them: what waits is where it will appear."""
        return np.where(self.waiting(step)[:, None], self.initial, things)
