"""The picture's camera: along the travel from left to right, the ground always a line."""

import numpy as np
import pytest

from sim_core.dynamics.kinematics import pose
from sim_core.reporting.viewpoint import choose_viewpoint
from sim_core.scene import Ground
from tests.makers import figure_body

BODY = figure_body()  # faces +Y, left is -X


def path(direction, length: float) -> np.ndarray:
    """A figure that slides without moving a joint."""
    q = np.tile(BODY.zero_q, (20, 1))
    q[:, :3] = np.linspace(0.0, length, 20)[:, None] * np.asarray(direction)
    return q


@pytest.mark.parametrize("direction", [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0.6, -0.8, 0)])
def test_travel_goes_from_left_to_right(direction):
    view = choose_viewpoint(BODY, pose(BODY, path(direction, 3.0)), Ground())
    np.testing.assert_allclose(view.right, direction, atol=1e-9)
    np.testing.assert_allclose(view.up, [0, 0, 1], atol=1e-9)


def test_who_walks_forward_is_seen_from_the_right():
    view = choose_viewpoint(BODY, pose(BODY, path((0, 1, 0), 3.0)), Ground())
    np.testing.assert_allclose(view.toward, [1, 0, 0], atol=1e-9)


@pytest.mark.parametrize("length", [0.0, 0.3])
def test_who_stays_is_seen_from_the_front_aside(length):
    view = choose_viewpoint(BODY, pose(BODY, path((1, 0, 0), length)), Ground())
    assert 0.5 < view.toward @ [0, 1, 0] < 0.9


@pytest.mark.parametrize("normal", [(0, 0, 1), (0.3, 0, 1), (0, -0.4, 1), (0.2, 0.3, 1)])
@pytest.mark.parametrize("length", [0.0, 3.0])
def test_the_ground_is_a_line_whichever_way_it_slopes(normal, length):
    ground = Ground(normal=np.array(normal, dtype=float))
    view = choose_viewpoint(BODY, pose(BODY, path((0, 1, 0), length)), ground)
    axes = np.stack(view)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)
    assert view.toward @ ground.normal == pytest.approx(0.0, abs=1e-12)
    assert np.linalg.norm(view.flat(ground.normal)) == pytest.approx(1.0)
