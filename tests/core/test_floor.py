"""The floor is where the body's lowest points keep coming back to."""

import numpy as np
import pytest

from sim_core.reference.floor import guess_floor
from tests.clips import moved, person


@pytest.mark.parametrize("height", [-0.7, 0.0, 0.013, 2.0])
def test_someone_who_stands_stands_on_the_floor(height):
    clip, body = person()
    guess = guess_floor(moved(clip, [1.0, 2.0, height]), body)
    assert guess.name == "floor"
    assert guess.value == pytest.approx(height, abs=1e-6)


def test_a_jump_and_a_few_frames_of_noise_do_not_move_the_floor():
    clip, body = person(frames=100)
    path = np.zeros((100, 3))
    path[20:50, 2] = 0.4 * np.sin(np.linspace(0.0, np.pi, 30))
    path[70:75, 2] = -0.1
    assert guess_floor(moved(clip, path), body).value == pytest.approx(0.0, abs=1e-6)


def test_the_guess_is_said_in_words():
    clip, body = person()
    assert "300 mm above zero" in guess_floor(moved(clip, [0, 0, 0.3]), body).reason
    assert "300 mm below zero" in guess_floor(moved(clip, [0, 0, -0.3]), body).reason
