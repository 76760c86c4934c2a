"""The search, on a crew that falls and stands by rule: what it tries, what it keeps, and when it ends."""

from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest

from sim_core.controllers.variation import AS_IT_IS, Variation
from sim_core.engines.engine import State, no_contacts
from sim_core.errors import Cancelled, Stopped
from sim_core.scene import Scene
from sim_core.settings import OfBodyWeight
from sim_core.simulation.allowance import Allowance
from sim_core.simulation.health import Health
from sim_core.simulation.one_pass import Voice, window_ends
from sim_core.simulation.path import given_up, reached
from sim_core.simulation.search import LADDER_BW, Search, limits_of
from sim_core.simulation.stretch import Moment, Stretch
from sim_core.simulation.trial import Attempt, Leg, Trial, Window
from tests.makers import no_ground_contacts

WEIGHT = 700.0
RATE = 500.0
STEPS = 1501
WINDOW = 150


@dataclass
class Rules:
    """Windows of the clip that fall unless help or a variation carries the body over them."""

    needs: dict[int, float] = field(default_factory=dict)  # [N] help, by window
    saves: dict[int, callable] = field(default_factory=dict)  # variations that need none
    trials: list[Trial] = field(default_factory=list)
    resumable: bool = True
    stop_after: int = 10**9  # trials

    @property
    def setup(self):
        reference = _Reference()
        return SimpleNamespace(reference=reference, readings=(reference,), scene=Scene())

    def perform(self, trials, progress):
        self.trials += trials
        if len(self.trials) > self.stop_after:
            raise Stopped("enough")
        return [self._run(trial) for trial in trials]

    def _run(self, trial: Trial) -> Attempt:
        legs, step = [], trial.start.step
        for window in trial.windows:
            number = (window.until - 1) // WINDOW
            needed = self.needs.get(number, 0.0)
            saves = self.saves.get(number)
            held = window.assist_limit >= needed or (saves is not None and saves(window.variation))
            legs.append(_leg(window, step, None if held else "tipped over"))
            if not held and trial.stop_at_failure:
                break
            step = window.until
        return Attempt(tuple(legs))


class _Reference:
    rate, clip_steps = RATE, STEPS - 250
    q, v = np.zeros((STEPS, 7)), np.zeros((STEPS, 6))
    rolls = ()
    fall = None
    ends_rolling = False

    def rolls_at(self, row):
        return False

    def __len__(self):
        return STEPS


def _leg(window: Window, first: int, failure: str | None) -> Leg:
    rows = (window.until - first) if failure is None else 10
    stretch = Stretch(
        first=first,
        q=np.zeros((rows, 7)),
        v=np.zeros((rows, 6)),
        things=np.zeros((rows, 0, 13)),
        assist=np.zeros((rows, 6)),
        foot_torque=np.zeros((rows, 2, 3)),
        torque_ratio=np.zeros(rows),
        rows=first + np.arange(rows),
        displaced=np.zeros((rows, 3)),
        contacts=no_ground_contacts(),
        end=Moment(first + rows, first + rows, State(np.zeros(7), np.zeros(6)), no_contacts(), None, np.zeros(3)),
        failure=failure,
        failed_step=None if failure is None else first + rows,
        broken=False,
        solve_count=None,
        cpu_s=0.0,
    )
    health = Health(np.zeros(3), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, window.assist_limit, window.assist_limit)
    return Leg(window, stretch, health)


def _silent(*_):
    return lambda fraction: None


def _search(rules: Rules, budget="good", assist="least", seed=0, known=lambda step: ()):
    voice = Voice(_silent, _silent, _silent)
    limits = limits_of(assist, WEIGHT)
    return Search(rules, limits, Allowance(budget, 2.5), seed, voice, known, lambda: None).run()


def test_a_clip_that_stands_by_itself_is_simulated_once():
    rules = Rules()
    found = _search(rules)
    assert found.simulated_s == pytest.approx((STEPS - 1) / RATE)
    assert found.rollouts == len(window_ends(STEPS - 1, RATE, resumable=True))
    assert reached(found.path) == STEPS - 1
    assert given_up(found.path) == []


@pytest.mark.parametrize("needed", [1.0, 20.0, 100.0, 1500.0])
def test_a_draft_is_held_where_it_falls_with_the_least_rung_that_carries_it(needed):
    found = _search(Rules(needs={4: needed}), budget="draft")
    assert reached(found.path) == STEPS - 1
    (region,) = given_up(found.path)
    assert region.first <= 4 <= region.last
    limits = {leg.window.assist_limit for leg in found.path[region.first : region.last + 1]}
    assert limits == {min(share * WEIGHT for share in LADDER_BW if share * WEIGHT >= needed)}
    assert all(
        leg.window.assist_limit == 0.0 for k, leg in enumerate(found.path) if not region.first <= k <= region.last
    )
    assert found.tried == {}


def test_a_variation_that_carries_it_takes_the_help_out_again():
    rules = Rules(needs={4: 100.0, 8: 50.0}, saves={4: lambda by: by.balance > 1.2, 8: lambda by: by.ahead_m > 0.01})
    found = _search(rules)
    assert reached(found.path) == STEPS - 1
    assert given_up(found.path) == []
    assert found.path[4].window.variation.balance > 1.2
    assert found.path[0].window.variation == AS_IT_IS
    assert sum(found.tried.values()) > 0


def test_where_no_variation_helps_less_help_is_looked_for():
    rules = Rules(needs={4: 300.0}, saves={4: lambda by: False})
    found = _search(rules)
    (region,) = given_up(found.path)
    held = found.path[region.first].window.assist_limit
    assert 300.0 <= held <= 0.8 * WEIGHT
    assert found.tried


def test_what_nothing_holds_is_lost_and_still_whole():
    found = _search(Rules(needs={4: np.inf}), budget="draft")
    assert reached(found.path) < STEPS - 1
    assert found.path[-1].window.until == STEPS - 1
    assert found.path[4].stretch.failure == "tipped over"


def test_without_assist_nothing_is_held():
    found = _search(Rules(needs={4: 1.0}), assist="none")
    assert all(leg.window.assist_limit == 0.0 for leg in found.path)


def test_the_same_seed_tries_the_same_and_another_something_else():
    def tried(seed):
        rules = Rules(needs={4: 100.0}, saves={4: lambda by: by.trunk > 3.0})
        _search(rules, seed=seed)
        return [window.variation for trial in rules.trials for window in trial.windows]

    assert tried(1) == tried(1)
    assert tried(1) != tried(2)


def test_a_good_budget_ends_and_says_so():
    rules = Rules(needs={k: 20.0 for k in range(9)}, saves={k: lambda by: False for k in range(9)})
    found = _search(rules)
    assert found.out_of_time or found.simulated_s < 200.0
    assert found.simulated_s < 200.0


def test_who_is_not_resumable_runs_the_clip_as_a_whole():
    rules = Rules(resumable=False)
    _search(rules)
    assert [len(trial.windows) for trial in rules.trials] == [1]
    assert window_ends(STEPS - 1, RATE, resumable=False) == [STEPS - 1]


def test_a_stop_keeps_what_there_is():
    rules = Rules(needs={4: 100.0}, saves={4: lambda by: False}, stop_after=40)
    found = _search(rules)
    assert found.stopped
    assert reached(found.path) == STEPS - 1
    early = _search(Rules(needs={4: 100.0}, stop_after=3))
    assert early.stopped
    assert reached(early.path) == 3 * WINDOW
    with pytest.raises(Cancelled):
        _search(Rules(stop_after=0))


def test_windows_end_where_the_clip_does_and_none_is_short():
    for steps in range(700, 1300, 7):
        ends = window_ends(steps, RATE, resumable=True)
        assert ends[-1] == steps
        assert np.diff([0, *ends]).min() >= WINDOW // 2


def test_limits_are_those_that_a_person_allows():
    assert limits_of("none", WEIGHT) == ()
    assert limits_of("least", WEIGHT) == tuple(share * WEIGHT for share in LADDER_BW)
    assert limits_of(100.0, WEIGHT) == (14.0, 35.0, 70.0, 100.0)
    assert limits_of(OfBodyWeight(share=0.05), WEIGHT) == (14.0, 35.0)
    assert limits_of(0.0, WEIGHT) == ()


def test_what_is_remembered_is_tried_first():
    rare = AS_IT_IS._replace(balance=5.5, arms=0.2)
    rules = Rules(needs={4: 100.0}, saves={4: lambda by: by == rare})
    found = _search(rules, known=lambda step: (rare,))
    assert given_up(found.path) == []
    assert found.tried == {4 * WINDOW: 16}


def test_the_usual_way_is_the_default_variation():
    assert Variation() == AS_IT_IS
