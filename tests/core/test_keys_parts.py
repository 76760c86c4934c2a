"""The parts of the key reduction: Hermite fits, and channels as Blender reads them."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.keys import hermite
from sim_core.keys.channels import channel_rotations, turn_per_channel


@pytest.mark.parametrize("count", [2, 3, 4, 7, 12])
def test_a_fit_finds_the_curve_that_was_sampled(count):
    rng = np.random.default_rng(count)
    knots = np.cumsum(rng.integers(3, 9, count))
    nodes = rng.normal(size=(count, 2, 3))
    frames = np.arange(knots[0], knots[-1] + 1)
    samples = hermite.sample(knots, nodes, frames)
    half = rng.normal(size=(len(frames), 3, 3))
    metric = half @ half.transpose(0, 2, 1) + 0.1 * np.eye(3)
    pull = (metric @ samples[..., None])[..., 0]
    loose = np.ones((count, 2), dtype=bool)
    found = hermite.fit(knots, metric, pull, np.zeros_like(nodes), loose, 0.0)
    np.testing.assert_allclose(found, nodes, atol=1e-8)
    loose[0] = loose[-1, 0] = False
    found = hermite.fit(knots, metric, pull, np.where(loose[..., None], 0.0, nodes), loose, 0.0)
    np.testing.assert_allclose(found, nodes, atol=1e-8)


def test_a_fit_with_held_ends_is_the_least_of_its_neighbours():
    rng = np.random.default_rng(3)
    knots, wanted = np.array([2, 6, 11, 13]), rng.normal(size=(12, 2))
    metric = np.tile(np.eye(2), (12, 1, 1))
    guess = rng.normal(size=(4, 2, 2))
    loose = np.array([[False, True], [True, True], [True, True], [False, False]])
    found = hermite.fit(knots, metric, wanted, guess, loose, 0.0)
    assert np.array_equal(found[~loose], guess[~loose])

    def cost(nodes):
        return np.sum((hermite.sample(knots, nodes, np.arange(2, 14)) - wanted) ** 2)

    for _ in range(20):
        step = 1e-3 * rng.normal(size=guess.shape) * loose[..., None]
        assert cost(found + step) > cost(found)


def test_the_slope_of_a_curve_is_per_frame():
    knots, nodes = np.array([0, 10]), np.array([[[1.0], [0.5]], [[6.0], [0.5]]])
    np.testing.assert_allclose(hermite.sample(knots, nodes, np.arange(11))[:, 0], 1.0 + 0.5 * np.arange(11))


def test_euler_angles_of_kind_xyz_turn_about_x_first():
    x, y, z = 0.3, -0.7, 1.1
    rx, ry, rz = (
        rotations.to_matrix(rotations.about_axis(axis, np.array(angle))) for axis, angle in enumerate((x, y, z))
    )
    for kind, expected in (("XYZ", rz @ ry @ rx), ("ZYX", rx @ ry @ rz), ("YZX", rx @ rz @ ry), ("YXZ", rz @ rx @ ry)):
        np.testing.assert_allclose(
            rotations.to_matrix(channel_rotations(kind, np.array([x, y, z]))), expected, atol=1e-12
        )


def test_quaternions_and_axes_need_no_unit_length():
    turn = np.array([0.2, -0.4, 0.1])
    angle = np.linalg.norm(turn)
    expected = rotations.exp(turn)
    np.testing.assert_allclose(channel_rotations("QUATERNION", 3.0 * expected), expected, atol=1e-12)
    np.testing.assert_allclose(channel_rotations("AXIS_ANGLE", np.array([angle, *(5.0 * turn)])), expected, atol=1e-12)
    for kind in ("QUATERNION", "AXIS_ANGLE"):
        np.testing.assert_allclose(channel_rotations(kind, np.zeros(4)), rotations.IDENTITY)


@pytest.mark.parametrize("kind", ["QUATERNION", "AXIS_ANGLE", "XYZ", "ZXY"])
def test_the_turn_of_each_channel_is_the_derivative(kind):
    rng = np.random.default_rng(4)
    channels = rng.normal(size=(5, 4 if kind in ("QUATERNION", "AXIS_ANGLE") else 3)) + 1.0
    step = 1e-4 * rng.normal(size=channels.shape)
    back, ahead = channel_rotations(kind, channels - step), channel_rotations(kind, channels + step)
    turned = rotations.log(rotations.multiply(rotations.inverse(back), ahead))
    np.testing.assert_allclose(
        (turn_per_channel(kind, channels) @ (2.0 * step)[..., None])[..., 0], turned, rtol=1e-3, atol=1e-8
    )
