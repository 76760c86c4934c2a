"""From steps to frames: the right moments, without delay, without chatter."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.posing.cleanup import frames_from_steps
from tests.makers import figure_body

BODY = figure_body()
RATE = 500.0


def _steps(seconds: float, path) -> np.ndarray:
    """The figure's root along path(t), a joint turning steadily."""
    times = np.arange(round(seconds * RATE) + 1) / RATE
    q = np.tile(BODY.zero_q, (len(times), 1))
    q[:, 0] = path(times)
    q[:, BODY.q_slice["head"]] = rotations.about_axis(2, 0.8 * times)
    return q


@pytest.mark.parametrize("fps", [24.0, 29.97, 30.0, 120.0])
def test_frames_are_read_at_their_own_times(fps):
    frames = int(2.0 * fps)
    q = frames_from_steps(BODY, _steps(2.2, lambda t: 0.7 * t), RATE, frames=frames, fps=fps, cutoff_hz=8.0)
    times = np.arange(frames) / fps
    assert q.shape == (frames, BODY.nq)
    np.testing.assert_allclose(q[:, 0], 0.7 * times, atol=2e-3)
    np.testing.assert_allclose(q[5:-5, 0], 0.7 * times[5:-5], atol=1e-4)
    turn = rotations.log(q[:, BODY.q_slice["head"]])
    np.testing.assert_allclose(turn[5:-5, 2], 0.8 * times[5:-5], atol=1e-3)


def test_chatter_goes_and_motion_stays():
    steps = _steps(2.0, lambda t: 0.1 * np.sin(2 * np.pi * t) + 0.005 * np.sin(2 * np.pi * 60.0 * t))
    q = frames_from_steps(BODY, steps, RATE, frames=120, fps=60.0, cutoff_hz=8.0)
    wanted = 0.1 * np.sin(2 * np.pi * np.arange(120) / 60.0)
    np.testing.assert_allclose(q[10:-10, 0], wanted[10:-10], atol=1e-3)


def test_quaternions_come_out_with_unit_length():
    q = frames_from_steps(BODY, _steps(1.0, np.zeros_like), RATE, frames=30, fps=30.0, cutoff_hz=4.0)
    np.testing.assert_allclose(np.linalg.norm(q[:, BODY.q_slice["head"]], axis=1), 1.0)
    np.testing.assert_allclose(np.linalg.norm(q[:, 3:7], axis=1), 1.0)


def test_a_simulation_that_stopped_early_holds_its_last_pose():
    q = frames_from_steps(BODY, _steps(0.5, lambda t: t), RATE, frames=60, fps=30.0, cutoff_hz=8.0)
    np.testing.assert_allclose(q[16:], np.tile(q[-1], (44, 1)))
    assert q[-1, 0] == pytest.approx(0.5, abs=0.01)
