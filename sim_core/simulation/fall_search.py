"""Falls found by CMA-ES: scripts are tried, those that spare the body most are varied further (Brown 2012, 5.3)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from cmaes import CMA

from ..arrays import Floats
from ..controllers.variation import Variation
from ..dynamics.kinematics import Pose, pose
from ..errors import Stopped
from ..falling.fall_script import Numbers
from ..posing.surface import surface_points
from ..progress import Progress
from .allowance import Allowance
from .crew import Crew
from .impulses import peak_impulses
from .stretch import Moment, Stretch
from .trial import Trial, Window

LOOK_S = 2.2  # after it lost its balance: what a script is judged by; by then muscles have let go
_CROWD = 12
_LEADERS = 4
_SPREAD = 0.35
_STRANGE = 3.0  # [N s] what a script costs that is one unit from its style in all its numbers
_UPRIGHT = 200.0  # [N s] for each metre that the weight is too high in the end
_LIES = 0.17  # of body height
_RAISED = 40.0  # [N s] for each metre that limbs are in the air once it has landed, all added up
_LANDED_S = 1.3  # when it has, about
_LIMB = 0.22  # of body height: what a limb that lies may be above the ground
_SEEN_EVERY_S = 0.05
_DEEP = 2000.0  # [N s] for each metre that it lies deeper in the ground than flesh gives way,
_FLESH_M = 0.008  # which is this: a trunk on its side rests on an arm that sinks in
_RESTLESS = 15.0  # [N s] for each rad/s of what turns fastest in the end, its trunk or a joint
_EFFORT = 5.0  # [N s] for its strongest joints at full strength all the time
_GROUND = 0.01  # of all that the ground gives, beyond what carries the body: nobody jumps to fall softly
_BROKEN = 1e4
_AT_END_S = 0.05


class Judged(NamedTuple):
    """A script, and what it comes to."""

    cost: float
    numbers: Numbers
    peaks: Floats  # (N,) [N s] of each link


class FallFound(NamedTuple):
    leaders: tuple[Judged, ...]  # those that cost least, in this order
    rollouts: int
    history: tuple[tuple[int, float], ...]  # after so many rollouts, the least cost so far
    stopped: bool


class FallSearch:
    def __init__(self, crew: Crew, start: Moment, weights: Floats, land_at: Floats | None, style: Numbers) -> None:
        self._crew, self._start, self._weights, self._land_at = crew, start, weights, land_at
        self._style = np.asarray(style)
        self._rate = crew.setup.reference.rate
        self.rollouts = 0

    def run(self, known: Sequence[Numbers], seed: int, allowance: Allowance, progress: Progress) -> FallFound:
        """First the scripts that are known to fare well in falls of the kind, then whatever is better."""
        history: list[tuple[int, float]] = []
        stopped, leaders = False, list[Judged]()
        try:
            judged = self._judge([*dict.fromkeys((*known, tuple(self._style.tolist())))], allowance, progress)
            leaders = _first(judged)
            history.append((self.rollouts, leaders[0].cost))
            search = CMA(np.array(leaders[0].numbers), _SPREAD, seed=seed, population_size=_CROWD, n_max_resampling=1)
            while not allowance.is_spent and not search.should_stop():
                asked = [tuple(search.ask().tolist()) for _ in range(_CROWD)]
                judged = self._judge(asked, allowance, progress)
                search.tell([(np.array(one.numbers), one.cost) for one in judged])
                leaders = _first([*leaders, *judged])
                history.append((self.rollouts, leaders[0].cost))
        except Stopped:
            stopped = True
            if not leaders:
                raise
        return FallFound(tuple(leaders), self.rollouts, tuple(history), stopped)

    def _judge(self, scripts: Sequence[Numbers], allowance: Allowance, progress: Progress) -> list[Judged]:
        until = self._start.step + round(LOOK_S * self._rate)
        trials = [Trial(self._start, (Window(until, Variation(fall=numbers), 0.0),)) for numbers in scripts]
        attempts = self._crew.perform(trials, progress)
        self.rollouts += len(trials)
        allowance.spend(len(trials) * LOOK_S)
        return [
            self._judged(numbers, attempt.legs[-1].stretch) for numbers, attempt in zip(scripts, attempts, strict=True)
        ]

    def _judged(self, numbers: Numbers, stretch: Stretch) -> Judged:
        body, scene = self._crew.setup.body, self._crew.setup.scene
        peaks = peak_impulses(stretch.contacts, len(stretch), body, self._rate)
        if stretch.broken or not len(stretch):
            return Judged(_BROKEN, numbers, peaks)
        last = max(1, round(_AT_END_S * self._rate))
        where = pose(body, stretch.q[-1])
        above = float(where.com[2]) - float(scene.surface(stretch.end.step / self._rate).height(where.com[None])[0])
        carried = body.mass * scene.gravity * len(stretch) / self._rate
        given = float(np.linalg.norm(stretch.contacts.forces, axis=1).sum()) / self._rate
        cost = (
            float(peaks @ self._weights)
            + _UPRIGHT * max(above - _LIES * body.height, 0.0)
            + _RAISED * self._raised(stretch, where.com[2] - above)
            + _DEEP * max(self._depth(stretch, where) - _FLESH_M, 0.0)
            + _RESTLESS * float(np.abs(stretch.v[-last:, 3:]).max())
            + _EFFORT * float(stretch.torque_ratio.mean())
            + _GROUND * max(given - carried, 0.0)
            + _STRANGE * float(np.mean((np.asarray(numbers) - self._style) ** 2))
        )
        if self._land_at is not None:
            cost += _UPRIGHT * float(np.linalg.norm(where.com[:2] - self._land_at[:2]))
        return Judged(cost, numbers, peaks)

    def _raised(self, stretch: Stretch, ground_m: float) -> float:
        """[m] how high limbs are above one that lies, on average, all of them together."""
        body = self._crew.setup.body
        rows = np.arange(round(_LANDED_S * self._rate), len(stretch), max(1, round(_SEEN_EVERY_S * self._rate)))
        if not len(rows):
            return 0.0
        heights = pose(body, stretch.q[rows]).link_coms[..., 2] - ground_m
        return float(np.maximum(heights - _LIMB * body.height, 0.0).sum(axis=1).mean())

    def _depth(self, stretch: Stretch, where: Pose) -> float:
        """[m] of what is deepest in the ground in the end."""
        setup = self._crew.setup
        surface = surface_points(setup.body)
        ground = setup.scene.surface(stretch.end.step / self._rate)
        return float((surface.radii - ground.distance(where.points(surface.links, surface.local))).max())


def _first(judged: Sequence[Judged]) -> list[Judged]:
    return sorted(judged, key=lambda one: one.cost)[:_LEADERS]
