"""How far hips sink for feet to reach: as far as legs lack, and not at all for legs that lie."""

import numpy as np
import pytest

from sim_core.reference.sinking import steepness, too_high

UP = np.array([0.0, 0.0, 1.0])
LONGEST = 0.8


def _leg(angle_deg: float, length: float) -> tuple[np.ndarray, np.ndarray]:
    """Hip and ankle of a leg that rises from the ground at an angle."""
    angle = np.radians(angle_deg)
    return length * np.array([[np.cos(angle), 0.0, np.sin(angle)]]), np.zeros((1, 3))


@pytest.mark.parametrize("angle_deg", [35.0, 60.0, 90.0])
def test_a_leg_that_stands_reaches_once_its_hip_has_sunk(angle_deg):
    hip, ankle = _leg(angle_deg, 0.82)
    sunk = hip - too_high(hip, ankle, LONGEST, UP)[:, None] * UP
    assert np.linalg.norm(sunk - ankle) == pytest.approx(LONGEST)
    assert steepness(hip, ankle, UP) == pytest.approx(1.0)


@pytest.mark.parametrize("angle_deg", [-20.0, 0.0, 10.0])
def test_a_leg_that_lies_does_not_draw_its_hip_into_the_ground(angle_deg):
    hip, ankle = _leg(angle_deg, 0.82)
    assert too_high(hip, ankle, LONGEST, UP)[0] <= 0.0
    assert steepness(hip, ankle, UP) == pytest.approx(0.0)


def test_a_leg_that_reaches_has_room():
    assert too_high(*_leg(70.0, 0.7), LONGEST, UP)[0] < 0.0
