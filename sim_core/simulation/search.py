"""A bake that goes back: windows that fall are tried again from before, in other ways, and held only where all fail.

First one pass through the clip, as it is, held where it falls by as little as it takes. Then, place by place, the help
is taken out again: many variations of the windows before and around it, the best of them varied further.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..controllers.variation import AS_IT_IS, Variation
from ..errors import Cancelled, Stopped
from ..progress import CANCELLED_WORDS, Progress
from ..settings import Assist, OfBodyWeight
from .allowance import Allowance
from .crew import Crew
from .draw_variations import draw
from .health import Health
from .path import Path, Region, given_up, rank, reached
from .simulate import beginning, last_step
from .stretch import Moment
from .trial import Attempt, Leg, Trial, Window

WINDOW_S = 0.3
LADDER_BW = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)  # of body weight, force and torque together

_HELD_FROM = (2, 4, 7)  # windows before the end of the one that fell, from which on help is given
_VARIED_FROM = (2, 3, 1, 4, 6, 9)  # windows before the end of the first that was helped, from which on variations begin
_BEYOND = 3  # windows from the one in which the body fell, that a variation must survive
_AHEAD = 5  # windows from the first that was helped, at most
_CROWD = 16  # variations tried at a time
_BEAM = 4  # of them that are kept to be varied further
_ABOUT_KEPT = 0.6  # how often one of these is varied, and not the usual way
_LAST_CUT = 3  # windows before its fall, from which on one of these is varied
_GENERATIONS = 6
_UNHELPED = 4  # generations before less help than now is tried as well
_LESS = (0.0, 0.25, 0.5, 0.75)  # of the help so far
_ENDINGS = 2  # of the best variations whose further way is tried, side by side
_MOST_VISITS = 6  # of one place, without success


class Voice(NamedTuple):
    """How a search tells what it does."""

    simulating: Callable[[int, int], Progress]  # from a step to a step, as it is
    holding: Callable[[int, Health], Progress]  # the body falls at a step, and is held
    varying: Callable[[int, Health, int], Progress]  # the body falls at a step, and so many variations are tried


class Found(NamedTuple):
    path: Path
    tried: dict[int, int]  # how many variations were tried for windows that start at a step
    rollouts: int
    simulated_s: float
    out_of_time: bool
    stopped: bool


def limits_of(assist: Assist, weight: float) -> tuple[float, ...]:
    """[N] the help that may be tried, from little to much."""
    if assist == "none":
        return ()
    ladder = [share * weight for share in LADDER_BW]
    if assist == "least":
        return tuple(ladder)
    most = assist.share * weight if isinstance(assist, OfBodyWeight) else assist
    return (*(limit for limit in ladder if limit < most), *([most] if most > 0.0 else []))


def window_ends(steps: int, rate: float, resumable: bool, first: int = 0) -> list[int]:
    """The steps at which windows end that begin at a first; a last one that is short belongs to the one before."""
    size = round(WINDOW_S * rate)
    ends = list(range(first + size, steps, size)) if resumable else []
    if ends and steps - ends[-1] < size // 2:
        ends.pop()
    return [*ends, steps]


class Search:
    def __init__(
        self,
        crew: Crew,
        limits: Sequence[float],  # [N] of the help that may be tried, from little to much
        allowance: Allowance,
        seed: int,
        voice: Voice,
        prepare_to_vary: Callable[[], None],  # called once, before anything is shared among processes
        given: Path = (),  # what is done already, and stays as it is
    ) -> None:
        self._crew, self._limits, self._allowance, self._voice = crew, limits, allowance, voice
        self._prepare_to_vary: Callable[[], None] | None = prepare_to_vary
        self._rng = np.random.default_rng(seed)
        reference = crew.setup.reference
        self._rate = reference.rate
        done = [leg.window.until for leg in given]
        first = done[-1] if done else 0
        self._ends = [*done, *window_ends(last_step(reference), reference.rate, crew.resumable, first)]
        self._given = given
        self._best: Path = ()
        self._tried: Counter[int] = Counter()
        self._rollouts = 0

    def run(self) -> Found:
        stopped, unfinished = False, False
        try:
            self._best = self._drafted(self._given, keep=True)
            if self._allowance.searches and self._crew.resumable and given_up(self._best):
                unfinished = self._improve()
        except Stopped:
            stopped = True
            if not self._best:
                raise Cancelled(CANCELLED_WORDS) from None  # there is nothing to keep
        tried = {self._first_step(window): count for window, count in self._tried.items()}
        return Found(self._best, tried, self._rollouts, self._allowance.simulated_s, unfinished, stopped)

    # One pass

    def _drafted(self, path: Path, *, keep: bool = False) -> Path:
        """Goes on from a path to the end of the clip, held where it falls."""
        while len(path) < len(self._ends):
            progress = self._voice.simulating(self._moment(path).step, self._ends[-1])
            path = self._gone_on(path, progress, keep=keep)
            if path[-1].stretch.failure is not None:
                self._prepare()
                held = self._held(path)
                if held is None:
                    return self._lost(path)
                path = held
        return path

    def _gone_on(self, path: Path, progress: Progress, *, keep: bool) -> Path:
        """Window by window, until one falls: whoever stops it keeps those before."""
        windows = self._windows(len(path), len(self._ends))
        for k, window in enumerate(windows):
            (attempt,) = self._perform([Trial(self._moment(path), (window,))], _part(progress, k, len(windows)))
            path = self._with(path, attempt)
            if keep:
                self._best = path
            if attempt.failed:
                break
        return path

    def _held(self, path: Path) -> Path | None:
        """The least help that carries the body over the last window of a path, in which it fell; None if none does."""
        fell, health = len(path) - 1, path[-1].health
        for back in _HELD_FROM if self._limits else ():
            first, goal = max(len(self._given), fell + 1 - back), min(fell + 2, len(self._ends))
            beyond = self._windows(goal, min(goal + 1, len(self._ends)))
            start = self._moment(path[:first])
            trials = [Trial(start, self._windows(first, goal, limit=limit) + beyond) for limit in self._limits]
            attempts = self._perform(trials, self._voice.holding(reached(path), health))
            ways = [self._sound(self._with(path[:first], attempt)) for attempt in attempts]
            over = [way for way in ways if len(way) > fell]
            if over:
                return min(over, key=lambda way: (-len(way), rank(way, way[-1].stretch.end.step, self._rate)))
            if first == len(self._given):
                break
        return None

    def _lost(self, path: Path) -> Path:
        """To the end all the same, with the most help that is allowed: a lost performance is still a whole clip."""
        sound = self._sound(path)
        most = max(self._limits, default=0.0)
        progress = self._voice.simulating(self._moment(sound).step, self._ends[-1])
        windows = self._windows(len(sound), len(self._ends), limit=most)
        (attempt,) = self._perform([Trial(self._moment(sound), windows, stop_at_failure=False)], progress)
        return self._with(sound, attempt)

    # Going back

    def _tried_from_left(self) -> Path:
        """The whole way again from the first place at which the best needs help: variations first, help last."""
        path = self._best[: given_up(self._best)[0].first]
        while len(self._sound(path)) < len(self._ends):
            if not path or path[-1].stretch.failure is None:
                progress = self._voice.simulating(self._moment(path).step, self._ends[-1])
                path = self._gone_on(path, progress, keep=False)
                continue
            fell = len(path) - 1
            better = None
            if not self._allowance.is_spent:
                goal = min(fell + _BEYOND, len(self._ends))
                better = self._varied(path, Region(fell, fell), goal, 0, self._farthest)
            if better is None:
                better = self._held(path)
            if better is None:
                return self._lost(path)
            path = better
        return path

    def _improve(self) -> bool:
        """Takes help out, place by place, until none is left or nothing improves; whether it was ended before."""
        self._keep(self._tried_from_left())
        visits: Counter[int] = Counter()
        while regions := given_up(self._best):
            if self._allowance.is_spent:
                return True
            region = min(regions, key=lambda region: (visits[region.first], region.first))
            visits[region.first] += 1
            if visits[region.first] > _MOST_VISITS:
                return False
            goal = min(region.last + 2, region.first + _AHEAD, len(self._ends))
            self._keep(self._varied(self._best, region, goal, visits[region.first], self._better_whole))
        return False

    def _keep(self, path: Path | None) -> None:
        if path is not None and self._is_better(path):
            self._best = path

    def _is_better(self, path: Path) -> bool:
        return rank(path, self._ends[-1], self._rate) < rank(self._best, self._ends[-1], self._rate)

    def _varied(
        self, path: Path, region: Region, goal: int, visit: int, accept: Callable[[Sequence[Path]], Path | None]
    ) -> Path | None:
        """What becomes of variations that carry the body through a region of a path and stand at the goal, a window;
        None where none does, or none is accepted."""
        until = self._ends[goal - 1]
        kept: list[Path] = []
        for generation in range(_GENERATIONS):
            if self._allowance.is_spent:
                return None
            first = max(len(self._given), region.first + 1 - _VARIED_FROM[(generation + visit) % len(_VARIED_FROM)])
            limits = self._help_to_try(path[region.first], generation)
            starts = [self._start(path[:first], kept) for _ in range(_CROWD)]
            trials = [
                Trial(self._moment(prefix), self._windows(len(prefix), goal, by, float(self._rng.choice(limits))))
                for prefix, by in starts
            ]
            progress = self._voice.varying(reached(path[: region.first + 1]), path[region.first].health, _CROWD)
            attempts = self._perform(trials, progress)
            self._tried[region.first] += len(trials)
            ways = [self._with(prefix, attempt) for (prefix, _), attempt in zip(starts, attempts, strict=True)]
            kept = sorted([*kept, *ways], key=lambda way: rank(way, until, self._rate))[:_BEAM]
            through = [way for way in kept if reached(way) >= until and way[-1].health.is_sound][:_ENDINGS]
            accepted = accept(through) if through else None
            if accepted is not None:
                return accepted
            kept = [way for way in kept if way not in through]
        return None

    def _help_to_try(self, helped: Leg, generation: int) -> list[float]:
        """[N] None at first; then, where help is given now, less than that; where nothing holds, whatever may."""
        now = helped.window.assist_limit
        if helped.stretch.failure is not None and now > 0.0:
            return [0.0, *self._limits] if generation > 0 else [0.0]
        return [share * now for share in _LESS] if generation >= _UNHELPED else [0.0]

    def _start(self, usual: Path, kept: Sequence[Path]) -> tuple[Path, Variation]:
        """What comes before a variation, and the variation: of the usual way, or of one that was kept."""
        rng = self._rng
        prefix, about = usual, AS_IT_IS
        if kept and rng.random() < _ABOUT_KEPT:
            way = kept[min(int(rng.exponential(1.0)), len(kept) - 1)]
            cut = int(rng.integers(max(len(self._given), len(way) - _LAST_CUT), len(way)))
            prefix, about = way[:cut], way[cut].window.variation
        return prefix, draw(about, rng, len(self._crew.setup.readings))

    def _farthest(self, ways: Sequence[Path]) -> Path:
        """The one of some ways that goes farthest as it is."""
        last = len(self._ends)
        if len(ways[0]) < last:
            trials = [Trial(self._moment(way), self._windows(len(way), last)) for way in ways]
            progress = self._voice.simulating(self._moment(ways[0]).step, self._ends[-1])
            attempts = self._perform(trials, progress)
            ways = [self._with(way, attempt) for way, attempt in zip(ways, attempts, strict=True)]
        return min(ways, key=lambda way: rank(way, self._ends[-1], self._rate))

    def _better_whole(self, ways: Sequence[Path]) -> Path | None:
        """The farthest, held where it falls, if the whole is better than what there is."""
        way = self._farthest(ways)
        if way[-1].stretch.failure is not None:
            held = self._held(way)
            way = self._lost(way) if held is None else self._drafted(held)
        return way if self._is_better(way) else None

    # Small things

    def _prepare(self) -> None:
        if self._prepare_to_vary is not None and self._allowance.searches and self._crew.resumable:
            self._prepare_to_vary()
        self._prepare_to_vary = None

    def _perform(self, trials: Sequence[Trial], progress: Progress) -> list[Attempt]:
        attempts = self._crew.perform(trials, progress)
        self._rollouts += len(attempts)
        self._allowance.spend(sum(attempt.steps for attempt in attempts) / self._rate)
        return attempts

    def _windows(self, first: int, last: int, by: Variation = AS_IT_IS, limit: float = 0.0) -> tuple[Window, ...]:
        return tuple(Window(until, by, limit) for until in self._ends[first:last])

    def _moment(self, path: Path) -> Moment:
        return path[-1].stretch.end if path else beginning(self._crew.setup.reference)

    def _first_step(self, window: int) -> int:
        return self._ends[window - 1] if window else 0

    @staticmethod
    def _with(path: Path, attempt: Attempt) -> Path:
        return (*path, *attempt.legs)

    @staticmethod
    def _sound(path: Path) -> Path:
        """As far as nothing is lost."""
        fell = next((k for k, leg in enumerate(path) if leg.stretch.failure is not None), len(path))
        return path[:fell]


def _part(progress: Progress, part: int, parts: int) -> Progress:
    return lambda fraction: progress((part + fraction) / parts)
