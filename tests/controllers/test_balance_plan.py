"""Balance over a clip's landings: an inverted pendulum that is off its path comes back, by ankles and by steps."""

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from sim_core.controllers.tracking.balance_plan import BalanceCosts, BalancePlan, plan_balance
from sim_core.controllers.tracking.tracked_motion import TrackedMotion

RATE, EVERY = 500.0, 5
TICK_S = EVERY / RATE
PENDULUM = 11.0  # [1/s^2] of a person
STEP_S = 0.5


def _walk(steps: int, *, flight_s: float = 0.0) -> TrackedMotion:
    """Left and right in turn, each for half a second, with flights between where asked."""
    rows = round(steps * STEP_S * RATE)
    times = np.arange(rows) / RATE
    left = (times // STEP_S).astype(int) % 2 == 0
    air = times % STEP_S > STEP_S - flight_s
    feet = np.stack([left & ~air, ~left & ~air], axis=1)
    motion = SimpleNamespace(
        pendulum=np.where(air, 0.0, PENDULUM),
        load_shares=feet.astype(float),
        reference=SimpleNamespace(contacts=SimpleNamespace(feet=feet), rate=RATE),
    )
    return cast(TrackedMotion, motion)


def _stand(seconds: float) -> TrackedMotion:
    rows = round(seconds * RATE)
    motion = SimpleNamespace(
        pendulum=np.full(rows, PENDULUM),
        load_shares=np.full((rows, 2), 0.5),
        reference=SimpleNamespace(contacts=SimpleNamespace(feet=np.ones((rows, 2), dtype=bool)), rate=RATE),
    )
    return cast(TrackedMotion, motion)


def _moved(plan: BalancePlan, tick: int, state: np.ndarray) -> np.ndarray:
    """The state of the pendulum one tick on, feet where they are."""
    acceleration = plan.acceleration(tick, state)
    following = state.copy()
    following[0] += TICK_S * state[1] + 0.5 * TICK_S**2 * acceleration
    following[1] += TICK_S * acceleration
    return following


def _follow(motion: TrackedMotion, costs: BalanceCosts, state: np.ndarray) -> np.ndarray:
    """(T, 4, 3) the states of a pendulum that does as the plan says; feet land where it tells them."""
    plan = plan_balance(motion, costs, EVERY)
    feet = motion.reference.contacts.feet[::EVERY]
    states = []
    for tick in range(len(feet)):
        states.append(state.copy())
        following = _moved(plan, tick, state)
        for side in (0, 1):
            if tick + 1 < len(feet) and feet[tick + 1, side] and not feet[tick, side]:
                following[2 + side] = plan.landing(tick, side, state)
        state = following
    return np.array(states)


def _off(metres: float, speed: float = 0.0) -> np.ndarray:
    state = np.zeros((4, 3))
    state[0, 0], state[1, 1] = metres, speed
    return state


def test_on_the_path_nothing_is_asked():
    plan = plan_balance(_walk(6), BalanceCosts(), EVERY)
    for tick in range(0, 300, 7):
        assert not plan.acceleration(tick, np.zeros((4, 3))).any()
        assert not plan.landing(tick, 0, np.zeros((4, 3))).any()


@pytest.mark.parametrize("motion", [_stand(4.0), _walk(8), _walk(8, flight_s=0.15)], ids=["stand", "walk", "run"])
def test_a_body_off_its_path_comes_back_to_it(motion):
    states = _follow(motion, BalanceCosts(), _off(0.04, 0.15))
    assert np.abs(states[-1, 0]).max() < 0.004
    assert np.abs(states[-1, 1]).max() < 0.02


def test_feet_come_back_to_their_marks():
    beside = np.zeros((4, 3))
    beside[:, 0] = [0.1, 0.0, 0.1, 0.1]  # all of it stands beside its path, in balance
    states = _follow(_walk(14), BalanceCosts(), beside)
    assert np.abs(states[-1]).max() < 0.01
    assert np.abs(np.diff(states[:, 0, 0])).max() < 0.01  # and is not tugged


def test_with_weak_ankles_steps_keep_the_balance():
    costs = BalanceCosts(pressure=1e4)
    states = _follow(_walk(10), costs, _off(0.03))
    assert np.abs(states[-1, 0]).max() < 0.02
    assert np.abs(states[:, 2:]).max() > 0.03  # by steps as long as the capture point asks


def test_a_body_that_falls_forward_steps_forward():
    plan = plan_balance(_walk(8), BalanceCosts(), EVERY)
    falling = _off(0.1)
    falling[1, 0] = 0.3
    swinging = round(0.3 / TICK_S)  # the right foot swings
    landing = plan.landing(swinging, 1, falling)
    assert landing[0] > 0.05
    assert abs(landing[1]) < 1e-12


def test_in_the_air_the_ground_does_not_push():
    motion = _walk(6, flight_s=0.2)
    plan = plan_balance(motion, BalanceCosts(), EVERY)
    assert not plan.acceleration(round(0.4 / TICK_S), _off(0.1, 0.2)).any()


def test_the_cost_of_what_it_does_is_the_least():
    """Any other landing costs more, by the costs themselves."""
    costs, motion, start = BalanceCosts(weak_at=1e9), _walk(5), _off(0.05)

    def cost(nudge: float) -> float:
        plan = plan_balance(motion, costs, EVERY)
        feet, state, total = motion.reference.contacts.feet[::EVERY], start.copy(), 0.0
        landings = 0
        for tick in range(len(feet)):
            added = plan.pressure[tick] @ state
            total += TICK_S * float(
                costs.error * np.sum(state[0] ** 2)
                + costs.speed * np.sum(state[1] ** 2)
                + costs.pressure * np.sum(added**2)
                + costs.foothold * plan.shares[tick] @ np.sum(state[2:] ** 2, axis=1)
            )
            following = _moved(plan, tick, state)
            for side in (0, 1):
                if tick + 1 < len(feet) and feet[tick + 1, side] and not feet[tick, side]:
                    landings += 1
                    following[2 + side] = plan.landing(tick, side, state)
                    following[2 + side, 0] += nudge if landings == 1 else 0.0
                    total += costs.change * float(np.sum((following[2 + side] - state[2 + side]) ** 2))
            state = following
        return total

    best = cost(0.0)
    assert best < cost(0.02)
    assert best < cost(-0.02)
