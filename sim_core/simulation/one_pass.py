"""One pass through a clip: on and on until the body falls, held there by as little help as it takes, and on again."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..controllers.variation import AS_IT_IS, Variation
from ..progress import Progress
from .allowance import Allowance
from .crew import Crew
from .health import Health
from .path import Path, rank, reached, sound_part
from .simulate import beginning, last_step
from .stretch import Moment
from .trial import Attempt, Trial, Window

WINDOW_S = 0.3

_HELD_FROM = (2, 4, 7)  # windows before the end of the one that fell, from which on help is given


class Voice(NamedTuple):
    """How a search tells what it does."""

    simulating: Callable[[int, int], Progress]  # from a step to a step, as it is
    holding: Callable[[int, Health], Progress]  # the body falls at a step, and is held
    varying: Callable[[int, Health, int], Progress]  # the body falls at a step, and so many variations are tried


def window_ends(steps: int, rate: float, resumable: bool, first: int = 0) -> list[int]:
    """The steps at which windows end that begin at a first; a last one that is short belongs to the one before."""
    size = round(WINDOW_S * rate)
    ends = list(range(first + size, steps, size)) if resumable else []
    if ends and steps - ends[-1] < size // 2:
        ends.pop()
    return [*ends, steps]


class OnePass:
    """What is simulated is counted here, too."""

    def __init__(
        self,
        crew: Crew,
        limits: Sequence[float],  # [N] of the help that may be tried, from little to much
        allowance: Allowance,
        voice: Voice,
        given: Path,  # what is done already, and stays as it is
    ) -> None:
        self.limits, self.voice, self.given = limits, voice, given
        self.rollouts = 0
        reference = crew.setup.reference
        self.rate = reference.rate
        done = [leg.window.until for leg in given]
        first = done[-1] if done else 0
        self.ends = [*done, *window_ends(last_step(reference), reference.rate, crew.resumable, first)]
        self._crew, self._allowance = crew, allowance

    def drafted(self, path: Path, before_holding: Callable[[], None], so_far: Callable[[Path], None]) -> Path:
        """Goes on from a path to the end of the clip, held where it falls."""
        while len(path) < len(self.ends):
            path = self.gone_on(path, so_far)
            if path[-1].stretch.failure is not None:
                before_holding()
                held = self.held(path)
                if held is None:
                    return self.lost(path)
                path = held
        return path

    def gone_on(self, path: Path, so_far: Callable[[Path], None] = lambda path: None) -> Path:
        """Window by window, until one falls: whoever stops it keeps those before."""
        windows = self.windows(len(path), len(self.ends))
        progress = self.voice.simulating(self.moment(path).step, self.ends[-1])
        for k, window in enumerate(windows):
            (attempt,) = self.perform([Trial(self.moment(path), (window,))], _part(progress, k, len(windows)))
            path = (*path, *attempt.legs)
            so_far(path)
            if attempt.failed:
                break
        return path

    def held(self, path: Path) -> Path | None:
        """The least help that carries the body over the last window of a path, in which it fell; None if none does."""
        fell, health = len(path) - 1, path[-1].health
        for back in _HELD_FROM if self.limits else ():
            first, goal = max(len(self.given), fell + 1 - back), min(fell + 2, len(self.ends))
            beyond = self.windows(goal, min(goal + 1, len(self.ends)))
            start = self.moment(path[:first])
            trials = [Trial(start, self.windows(first, goal, limit=limit) + beyond) for limit in self.limits]
            attempts = self.perform(trials, self.voice.holding(reached(path), health))
            ways = [sound_part((*path[:first], *attempt.legs)) for attempt in attempts]
            over = [way for way in ways if len(way) > fell]
            if over:
                return min(over, key=lambda way: (-len(way), rank(way, way[-1].stretch.end.step, self.rate)))
            if first == len(self.given):
                break
        return None

    def lost(self, path: Path) -> Path:
        """To the end all the same, with the most help that is allowed: a lost performance is still a whole clip."""
        sound = sound_part(path)
        most = max(self.limits, default=0.0)
        progress = self.voice.simulating(self.moment(sound).step, self.ends[-1])
        windows = self.windows(len(sound), len(self.ends), limit=most)
        (attempt,) = self.perform([Trial(self.moment(sound), windows, stop_at_failure=False)], progress)
        again = (*sound, *attempt.legs)
        return again if self.moment(again).step >= self.moment(path).step else path  # an engine may break down earlier

    def perform(self, trials: Sequence[Trial], progress: Progress) -> list[Attempt]:
        attempts = self._crew.perform(trials, progress)
        self.rollouts += len(attempts)
        self._allowance.spend(sum(attempt.steps for attempt in attempts) / self.rate)
        return attempts

    def windows(self, first: int, last: int, by: Variation = AS_IT_IS, limit: float = 0.0) -> tuple[Window, ...]:
        return tuple(Window(until, by, limit) for until in self.ends[first:last])

    def moment(self, path: Path) -> Moment:
        """After a path."""
        return path[-1].stretch.end if path else beginning(self._crew.setup.reference, self._crew.setup.scene)

    def first_step(self, window: int) -> int:
        return self.ends[window - 1] if window else 0


def _part(progress: Progress, part: int, parts: int) -> Progress:
    return lambda fraction: progress((part + fraction) / parts)
