"""Smoothing without delay, and derivatives that do not depend on the frame rate."""

import numpy as np
import pytest

from sim_core.filters import derivative, low_pass


def _wave(rate: float, hz: float, seconds: float = 4.0) -> np.ndarray:
    return np.sin(2.0 * np.pi * hz * np.arange(int(seconds * rate)) / rate)[:, None]


def test_constants_and_lines_pass_a_low_pass_unchanged():
    times = np.arange(200) / 60.0
    values = np.stack([np.full(200, 3.0), 2.0 * times - 1.0], axis=1)
    np.testing.assert_allclose(low_pass(values, 60.0, 6.0), values, atol=1e-3)


@pytest.mark.parametrize("rate", [60.0, 120.0, 500.0])
def test_slow_waves_pass_without_delay_and_fast_ones_do_not(rate):
    inside = slice(int(rate), int(3 * rate))
    slow, fast = _wave(rate, 1.0), _wave(rate, 20.0)
    np.testing.assert_allclose(low_pass(slow, rate, 6.0)[inside], slow[inside], atol=0.005)
    assert np.abs(low_pass(fast, rate, 6.0)[inside]).max() < 0.03


def test_a_symmetric_pulse_stays_symmetric():
    pulse = np.zeros((101, 1))
    pulse[50] = 1.0
    smooth = low_pass(pulse, 100.0, 8.0)
    np.testing.assert_allclose(smooth, smooth[::-1], atol=1e-6)
    assert smooth.argmax() == 50


@pytest.mark.parametrize("count", [1, 2, 3])
def test_too_few_frames_are_copied(count):
    values = np.arange(float(count))[:, None]
    smooth = low_pass(values, 60.0, 6.0)
    np.testing.assert_array_equal(smooth, values)
    assert not np.shares_memory(smooth, values)


@pytest.mark.parametrize("count", range(4, 40))
def test_any_longer_clip_can_be_filtered(count):
    assert np.isfinite(low_pass(np.ones((count, 2)), 120.0, 2.0)).all()


def test_a_rate_that_holds_nothing_above_the_cutoff_is_left_alone():
    noise = np.random.default_rng(0).normal(size=(50, 3))
    np.testing.assert_array_equal(low_pass(noise, 24.0, 11.0), noise)


@pytest.mark.parametrize("rate", [24.0, 30.0, 120.0, 500.0])
def test_derivatives_of_a_parabola_are_exact_to_the_ends(rate):
    times = np.arange(int(rate)) / rate
    fall = (1.0 + 2.0 * times - 0.5 * 9.81 * times**2)[:, None]
    np.testing.assert_allclose(derivative(fall, rate, 1, 0.07)[:, 0], 2.0 - 9.81 * times, atol=1e-7)
    np.testing.assert_allclose(derivative(fall, rate, 2, 0.07)[:, 0], -9.81, atol=1e-5)


def test_rates_agree_on_the_derivative_of_a_wave():
    slow = derivative(_wave(60.0, 1.0), 60.0, 2, 0.1)[60:120:1, 0]
    fast = derivative(_wave(240.0, 1.0), 240.0, 2, 0.1)[240:480:4, 0]
    np.testing.assert_allclose(slow, fast, atol=0.02 * np.abs(fast).max())


def test_three_frames_are_enough():
    np.testing.assert_allclose(derivative(np.array([[0.0], [1.0], [4.0]]), 1.0, 2, 1.0), 2.0)
