"""Keys of who lands hard: in free fall until the ground is there."""

from types import SimpleNamespace

import numpy as np

from sim_core.posing.cleanup import frames_from_steps
from sim_core.simulation.crispness import crispness
from tests.makers import figure_body

BODY = figure_body()
RATE, FPS = 500.0, 100.0
WEIGHT = 600.0
LEAVES_S, LANDS_S = 0.6, 1.2


def _recording(blow: float) -> SimpleNamespace:
    """Stands, flies, and is stopped by a blow of so many body weights."""
    times = np.arange(1001) / RATE
    load = np.where((times < LEAVES_S) | (times >= LANDS_S), 1.0, 0.0)
    load[(times >= LANDS_S) & (times < LANDS_S + 0.02)] = blow
    force = np.zeros((len(times), 3))
    force[:, 0] = WEIGHT * load
    return SimpleNamespace(rate=RATE, ground_force=force)


def test_a_soft_landing_is_filtered_as_ever():
    assert not crispness(_recording(3.0), WEIGHT).any()


def test_a_hard_blow_is_kept_and_so_is_the_take_off_before_it():
    crisp = crispness(_recording(20.0), WEIGHT)
    at = (np.array([0.02, LEAVES_S, LANDS_S, 1.9]) * RATE).astype(int)
    np.testing.assert_allclose(crisp[at], [0.0, 1.0, 1.0, 0.0], atol=1e-9)
    assert np.abs(np.diff(crisp)).max() < 0.05  # comes and goes by and by


def test_keys_fall_freely_until_they_land():
    times = np.arange(1001) / RATE
    q = np.tile(BODY.zero_q, (len(times), 1))
    q[:, 2] = np.where(times < LANDS_S, 0.5 * 9.81 * (LANDS_S - times.clip(0.6)) * (times.clip(0.6) - 0.3), 0.0)
    crisp = crispness(_recording(20.0), WEIGHT)

    def off(given) -> float:
        frames = frames_from_steps(BODY, q, RATE, frames=200, fps=FPS, cutoff_hz=8.0, crisp=given)
        return float(np.abs(frames[80:140, 2] - q[400:700:5, 2]).max())

    assert off(crisp) < 0.5 * off(None)
