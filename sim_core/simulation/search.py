"""A bake that goes back: windows that fall are tried again from before, in other ways, and held only where all fail.

First one pass through the clip, as it is, held where it falls by as little as it takes. Then the same again with many
variations of the windows before and around each fall, the best of them varied further, before any help is given. Then,
place by place, the help that is left is taken out again, or some of it.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..controllers.variation import AS_IT_IS, Variation
from ..errors import Cancelled, Stopped
from ..progress import CANCELLED_WORDS
from ..settings import Assist, OfBodyWeight
from .allowance import Allowance
from .crew import Crew
from .draw_variations import draw
from .one_pass import OnePass, Voice
from .path import Path, Region, given_up, rank, reached, sound_part
from .trial import Leg, Trial

LADDER_BW = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)  # of body weight, force and torque together

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


class Search:
    def __init__(
        self,
        crew: Crew,
        limits: Sequence[float],  # [N] of the help that may be tried, from little to much
        allowance: Allowance,
        seed: int,
        voice: Voice,
        remembered: Callable[[int], Sequence[Variation]],  # what to try first where the body falls, at a step
        prepare_to_vary: Callable[[], None],  # called once, before anything is shared among processes
        given: Path = (),  # what is done already, and stays as it is
    ) -> None:
        self._crew, self._allowance, self._remembered = crew, allowance, remembered
        self._pass = OnePass(crew, limits, allowance, voice, given)
        self._varies = allowance.searches and crew.resumable
        self._prepare_to_vary: Callable[[], None] | None = prepare_to_vary if self._varies else None
        self._rng = np.random.default_rng(seed)
        self._best: Path = ()
        self._tried: Counter[int] = Counter()

    def run(self) -> Found:
        stopped, unfinished = False, False
        try:
            self._best = self._pass.drafted(self._pass.given, self._prepare, self._so_far)
            if self._varies and given_up(self._best):
                unfinished = self._improve()
        except Stopped:
            stopped = True
            if not self._best:
                raise Cancelled(CANCELLED_WORDS) from None  # there is nothing to keep
        tried = {self._pass.first_step(window): count for window, count in self._tried.items()}
        return Found(self._best, tried, self._pass.rollouts, self._allowance.simulated_s, unfinished, stopped)

    def _so_far(self, path: Path) -> None:
        self._best = path

    def _prepare(self) -> None:
        if self._prepare_to_vary is not None:
            self._prepare_to_vary()
        self._prepare_to_vary = None

    def _tried_from_left(self) -> Path:
        """The whole way again from the first place at which the best needs help: variations first, help last."""
        path = self._best[: given_up(self._best)[0].first]
        while len(sound_part(path)) < len(self._pass.ends):
            if not path or path[-1].stretch.failure is None:
                path = self._pass.gone_on(path)
                continue
            fell = len(path) - 1
            better = None
            if not self._allowance.is_spent:
                goal = min(fell + _BEYOND, len(self._pass.ends))
                better = self._varied(path, Region(fell, fell), goal, 0, self._farthest)
            if better is None:
                better = self._pass.held(path)
            if better is None:
                return self._pass.lost(path)
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
            goal = min(region.last + 2, region.first + _AHEAD, len(self._pass.ends))
            self._keep(self._varied(self._best, region, goal, visits[region.first], self._better_whole))
        return False

    def _keep(self, path: Path | None) -> None:
        if path is not None and self._is_better(path):
            self._best = path

    def _is_better(self, path: Path) -> bool:
        return rank(path, self._pass.ends[-1], self._pass.rate) < rank(self._best, self._pass.ends[-1], self._pass.rate)

    def _varied(
        self, path: Path, region: Region, goal: int, visit: int, accept: Callable[[Sequence[Path]], Path | None]
    ) -> Path | None:
        """What becomes of variations that carry the body through a region of a path and stand at the goal, a window;
        None where none does, or none is accepted."""
        until = self._pass.ends[goal - 1]
        kept: list[Path] = []
        for generation in range(_GENERATIONS):
            if self._allowance.is_spent:
                return None
            back = _VARIED_FROM[(generation + visit) % len(_VARIED_FROM)]
            usual = path[: max(len(self._pass.given), region.first + 1 - back)]
            known = self._remembered(self._pass.first_step(region.first)) if generation + visit == 0 else ()
            starts = [(usual, by) for by in known[:_CROWD]]
            starts += [self._start(usual, kept) for _ in range(_CROWD - len(starts))]
            limits = self._help_to_try(path[region.first], generation)
            trials = [
                Trial(self._pass.moment(prefix), self._pass.windows(len(prefix), goal, by, limit))
                for (prefix, by), limit in zip(starts, self._rng.choice(limits, len(starts)).tolist(), strict=True)
            ]
            progress = self._pass.voice.varying(reached(path[: region.first + 1]), path[region.first].health, _CROWD)
            attempts = self._pass.perform(trials, progress)
            self._tried[region.first] += len(trials)
            ways = [(*prefix, *attempt.legs) for (prefix, _), attempt in zip(starts, attempts, strict=True)]
            kept = sorted([*kept, *ways], key=lambda way: rank(way, until, self._pass.rate))[:_BEAM]
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
            return [0.0, *self._pass.limits] if generation > 0 else [0.0]
        return [share * now for share in _LESS] if generation >= _UNHELPED else [0.0]

    def _start(self, usual: Path, kept: Sequence[Path]) -> tuple[Path, Variation]:
        """What comes before a variation, and the variation: of the usual way, or of one that was kept."""
        rng = self._rng
        prefix, about = usual, AS_IT_IS
        if kept and rng.random() < _ABOUT_KEPT:
            way = kept[min(int(rng.exponential(1.0)), len(kept) - 1)]
            cut = int(rng.integers(max(len(self._pass.given), len(way) - _LAST_CUT), len(way)))
            prefix, about = way[:cut], way[cut].window.variation
        return prefix, draw(about, rng, len(self._crew.setup.readings))

    def _farthest(self, ways: Sequence[Path]) -> Path:
        """The one of some ways that goes farthest as it is."""
        last = len(self._pass.ends)
        if len(ways[0]) < last:
            trials = [Trial(self._pass.moment(way), self._pass.windows(len(way), last)) for way in ways]
            progress = self._pass.voice.simulating(self._pass.moment(ways[0]).step, self._pass.ends[-1])
            attempts = self._pass.perform(trials, progress)
            ways = [(*way, *attempt.legs) for way, attempt in zip(ways, attempts, strict=True)]
        return min(ways, key=lambda way: rank(way, self._pass.ends[-1], self._pass.rate))

    def _better_whole(self, ways: Sequence[Path]) -> Path | None:
        """The farthest, held where it falls, if the whole is better than what there is."""
        way = self._farthest(ways)
        if way[-1].stretch.failure is not None:
            held = self._pass.held(way)
            way = self._pass.lost(way) if held is None else self._pass.drafted(held, self._prepare, lambda path: None)
        return way if self._is_better(way) else None
