"""The ground as a plane."""

import numpy as np
import pytest

from sim_core.errors import SettingsError
from sim_core.scene import Ground, Scene

SLOPE = Ground(point=np.array([1.0, 0.0, 2.0]), normal=np.array([-1.0, 0.0, 1.0]))  # up 45 degrees along x


def test_distance_is_along_the_unit_normal() -> None:
    points = np.array([[1.0, 5.0, 2.0], [0.0, 0.0, 2.0], [2.0, 0.0, 2.0]])
    np.testing.assert_allclose(SLOPE.distance(points), [0.0, np.sqrt(0.5), -np.sqrt(0.5)], atol=1e-15)


def test_height_is_where_a_plumb_line_meets_the_plane() -> None:
    points = np.array([[1.0, 5.0, 9.0], [3.0, -1.0, 0.0]])
    np.testing.assert_allclose(SLOPE.height(points), [2.0, 4.0])
    on_it = np.array([3.0, -1.0, 4.0])
    assert SLOPE.distance(on_it) == pytest.approx(0.0)


def test_the_default_ground_is_flat_at_zero() -> None:
    assert Scene().ground.distance(np.array([3.0, 4.0, 0.5])) == 0.5


@pytest.mark.parametrize("normal", [[0.0, 0.0, 0.0], [np.nan, 0.0, 1.0]])
def test_a_ground_without_direction_is_refused(normal: list[float]) -> None:
    with pytest.raises(SettingsError, match="finite point and normal"):
        Ground(normal=np.array(normal))
