"""The ladder of assist, with rollouts that hold from a known limit on."""

import numpy as np
import pytest

from sim_core.settings import OfBodyWeight
from sim_core.simulation.recording import Recording
from sim_core.simulation.search import LADDER_BW, find_assist, most_rollouts_left
from tests.makers import no_ground_contacts

WEIGHT = 700.0


class Rollouts:
    """Holds from a limit on; remembers every call."""

    def __init__(self, holds_from: float) -> None:
        self.holds_from = holds_from
        self.calls: list[tuple[float, bool]] = []

    def __call__(self, limit: float, stop_at_failure: bool) -> Recording:
        self.calls.append((limit, stop_at_failure))
        held = limit >= self.holds_from
        return Recording(
            rate=500.0,
            q=np.zeros((1, 7)),
            assist_force=np.full((1, 3), limit),
            assist_torque=np.zeros((1, 3)),
            torque_ratio=np.zeros(1),
            ground_force=np.zeros((1, 3)),
            ground_contacts=no_ground_contacts(),
            failure=None if held else "tipped over",
            failed_at_s=None if held else 0.0,
            solve_count=None,
            cpu_s=0.0,
        )


def _always() -> bool:
    return True


@pytest.mark.parametrize(
    ("assist", "limit"), [("none", 0.0), (123.0, 123.0), (0.0, 0.0), (OfBodyWeight(share=0.25), 0.25 * WEIGHT)]
)
def test_a_limit_that_is_asked_for_is_run_once_and_whole(assist, limit):
    rollouts = Rollouts(holds_from=1e9)
    found = find_assist(assist, WEIGHT, rollouts, _always)
    assert rollouts.calls == [(limit, False)]
    assert (found.limit, found.rollouts, found.out_of_time) == (limit, 1, False)


@pytest.mark.parametrize("needed", np.linspace(0.0, 1.6, 33))
def test_the_least_limit_is_found_between_the_rungs(needed):
    rollouts = Rollouts(holds_from=needed * WEIGHT)
    found = find_assist("least", WEIGHT, rollouts, _always)
    assert found.recording.completed
    assert found.limit >= needed * WEIGHT
    assert found.recording.assist_force[0, 0] == found.limit  # the recording is that of the limit
    rungs = [0.0, *LADDER_BW]
    first = next(i for i, rung in enumerate(rungs) if i and rung >= needed)
    assert found.limit - needed * WEIGHT <= (rungs[first] - rungs[first - 1]) / 4.0 * WEIGHT + 1e-9
    assert found.rollouts == len(rollouts.calls)
    assert all(stop for _, stop in rollouts.calls)


def test_when_nothing_holds_the_strongest_run_is_given_whole():
    rollouts = Rollouts(holds_from=1e9)
    found = find_assist("least", WEIGHT, rollouts, _always)
    assert not found.recording.completed
    assert found.limit == LADDER_BW[-1] * WEIGHT
    assert rollouts.calls[-1] == (found.limit, False)
    assert found.rollouts == len(rollouts.calls) == len(LADDER_BW) + 1
    assert not found.out_of_time


@pytest.mark.parametrize("ticks", range(10))
def test_the_budget_ends_the_search_with_what_there_is(ticks):
    rollouts = Rollouts(holds_from=0.3 * WEIGHT)  # the fifth rung, then two refinements
    left = [ticks]

    def time_left() -> bool:
        left[0] -= 1
        return left[0] >= 0

    found = find_assist("least", WEIGHT, rollouts, time_left)
    assert found.rollouts == len(rollouts.calls)
    assert found.out_of_time == (ticks < 6)
    if found.recording.completed:
        assert found.limit >= rollouts.holds_from
    else:
        assert rollouts.calls[-1] == (found.limit, False)  # given whole


@pytest.mark.parametrize("needed", [0.0, 0.04, 0.07, 0.3, 1.5, 99.0])
def test_the_work_that_may_follow_is_never_too_little(needed):
    rollouts = Rollouts(holds_from=needed * WEIGHT)
    total = find_assist("least", WEIGHT, rollouts, _always).rollouts
    kept = [limit >= rollouts.holds_from for limit, _ in rollouts.calls]
    for done in range(total + 1):
        assert most_rollouts_left("least", kept[:done]) >= total - done
