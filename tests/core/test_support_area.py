"""The outline of contact points on a ground of any slope."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.reporting.support_area import outline
from sim_core.scene import Ground

SLOPE = Ground(point=np.array([1.0, 2.0, 0.5]), normal=np.array([0.2, -0.1, 1.0]))


@pytest.mark.parametrize("ground", [Ground(), SLOPE], ids=["floor", "slope"])
def test_the_corners_of_a_square_go_round_it_and_lie_on_the_ground(ground):
    turn = rotations.between_vectors(np.array([0.0, 0.0, 1.0]), ground.normal)
    square = np.array([[0, 0, 0.003], [1, 0, 0], [1, 1, -0.002], [0, 1, 0], [0.5, 0.5, 0], [0.5, 0, 0], [0, 0, 0]])
    corners = outline(ground.point + rotations.rotate(turn, square), ground)
    assert len(corners) == 4
    np.testing.assert_allclose(ground.distance(corners), 0.0, atol=1e-12)
    sides = np.roll(corners, -1, axis=0) - corners
    np.testing.assert_allclose(np.linalg.norm(sides, axis=1), 1.0, atol=1e-9)
    assert np.all(rotations.cross(sides, np.roll(sides, -1, axis=0)) @ ground.normal > 0.9)  # counter-clockwise


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_points_are_their_own_outline(count):
    points = np.array([[0.3, 0.0, 0.0], [0.1, 0.2, 0.0]])[:count]
    np.testing.assert_allclose(sorted(map(tuple, outline(points, Ground()))), sorted(map(tuple, points)), atol=1e-12)


def test_points_on_a_line_have_two_ends():
    line = np.linspace(0.0, 1.0, 11)[:, None] * np.array([1.0, 1.0, 0.0])
    assert len(outline(line, Ground())) == 2
