"""How far a swinging foot is lifted: enough, only in the air, and without a jolt."""

import numpy as np

from sim_core.reference.clear_swings import swing_lift

RATE = 500.0
CLEARANCE_M, RISE_S = 0.03, 0.06


def _down(swing_s: float, steps: int = 500) -> np.ndarray:
    """A foot that is down but for one swing in the middle."""
    away = np.abs(np.arange(steps) - steps / 2) / RATE
    return away > swing_s / 2


def _lift(down: np.ndarray, *, height: float = 0.005, speed: float = 2.0) -> np.ndarray:
    lowest, speeds = np.where(down, 0.0, height), np.where(down, 0.0, speed)
    return swing_lift(lowest, speeds, down, RATE, clearance_m=CLEARANCE_M, rise_s=np.full(len(down), RISE_S))


def test_a_low_swing_comes_to_its_clearance_and_a_stance_stays():
    down = _down(0.4)
    lift = _lift(down)
    np.testing.assert_array_equal(lift[down], 0.0)
    middle = slice(200, 300)
    np.testing.assert_allclose(0.005 + lift[middle], CLEARANCE_M, atol=1e-3)


def test_a_swing_that_is_high_enough_is_left_alone():
    np.testing.assert_allclose(_lift(_down(0.4), height=0.05)[200:300], 0.0, atol=1e-6)


def test_a_foot_that_goes_nowhere_needs_no_clearance():
    assert _lift(_down(0.4), height=0.0, speed=0.1).max() < 0.15 * CLEARANCE_M


def test_a_short_hop_rises_less_than_a_step():
    assert 0.0 < _lift(_down(0.06)).max() < 0.3 * _lift(_down(0.4)).max()


def test_lift_begins_and_ends_without_a_jolt():
    jumps = np.abs(np.diff(_lift(_down(0.4)), n=2)) * RATE**2
    assert jumps.max() < 8.0 * CLEARANCE_M / RISE_S**2  # a smooth rise needs 5.8 of these


def test_a_foot_rises_and_sinks_in_the_times_given_for_each():
    down = _down(0.4)
    steps = np.arange(len(down))
    rise_s = np.where(steps < len(down) / 2, 0.04, 0.1)
    lift = swing_lift(np.zeros(500), np.full(500, 2.0), down, RATE, clearance_m=CLEARANCE_M, rise_s=rise_s)
    up = steps[lift > 0.99 * CLEARANCE_M]
    swing = steps[~down]
    assert (up[0] - swing[0]) / RATE < 0.04
    assert 0.07 < (swing[-1] - up[-1]) / RATE < 0.1


def test_a_foot_that_never_stands_is_lifted_throughout():
    np.testing.assert_allclose(_lift(np.zeros(100, dtype=bool), height=0.0), CLEARANCE_M, atol=1e-6)


def test_a_swing_that_the_clip_cuts_off_is_not_led_to_the_ground():
    lift = _lift(np.arange(200) < 100, height=0.0)
    np.testing.assert_allclose(lift[-30:], CLEARANCE_M, atol=1e-3)
