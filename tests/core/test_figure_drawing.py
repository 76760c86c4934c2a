"""Outlines of the body's own shapes, and what of them lies on one side of a line."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim_core.body.body import Box, Capsule
from sim_core.dynamics.kinematics import pose
from sim_core.reporting.figure_drawing import parts_of, side_of, within
from sim_core.reporting.viewpoint import Viewpoint
from tests.makers import figure_body, random_state

BODY = figure_body()
FROM_THE_RIGHT = Viewpoint(
    right=np.array([0.0, 1.0, 0.0]), up=np.array([0.0, 0.0, 1.0]), toward=np.array([1.0, 0.0, 0.0])
)
SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def area(outline: np.ndarray) -> float:
    x, y = outline.T
    return 0.5 * abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) if len(outline) else 0.0


@pytest.mark.parametrize("seed", range(5))
def test_outlines_are_those_of_the_shapes(seed):
    q, _ = random_state(BODY, seed)
    here = pose(BODY, q)
    parts = parts_of(BODY, here, FROM_THE_RIGHT)
    assert sorted(part.link for part in parts) == list(range(len(BODY)))
    for part in parts:
        shape = BODY.links[part.link].shape
        local = shape.corners if isinstance(shape, Box) else np.stack([shape.start, shape.end])
        flat = FROM_THE_RIGHT.flat(here.points(np.full(len(local), part.link), local))
        margin = shape.radius if isinstance(shape, Capsule) else 0.0
        np.testing.assert_allclose(part.outline.min(axis=0), flat.min(axis=0) - margin, atol=2e-3)
        np.testing.assert_allclose(part.outline.max(axis=0), flat.max(axis=0) + margin, atol=2e-3)


def test_the_far_side_is_painted_first():
    names = [BODY.names[part.link] for part in parts_of(BODY, pose(BODY, BODY.zero_q), FROM_THE_RIGHT)]
    assert names.index("thigh_l") < names.index("pelvis") < names.index("thigh_r")


@given(st.floats(-0.5, 1.5), st.floats(0.0, 2.0 * np.pi))
def test_a_line_parts_an_outline_into_two(offset, angle):
    normal = np.array([np.cos(angle), np.sin(angle)])
    point = np.array([0.5, 0.5]) + (offset - 0.5) * normal
    one, other = side_of(SQUARE, point, normal), side_of(SQUARE, point, -normal)
    assert area(one) + area(other) == pytest.approx(1.0)
    for half, inward in ((one, normal), (other, -normal)):
        assert np.all((half - point) @ inward >= -1e-12)


def test_a_window_shows_what_lies_in_it():
    assert area(within(SQUARE, np.array([0.5, 0.25]), np.array([2.0, 0.5]))) == pytest.approx(0.125)
    assert len(within(SQUARE, np.array([2.0, 2.0]), np.array([3.0, 3.0]))) == 0
