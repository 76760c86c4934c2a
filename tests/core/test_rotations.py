"""Rotations by their laws, and against scipy's, for rotations of every size and around the awkward ones."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from sim_core import rotations

_COORDINATE = st.floats(-1.0, 1.0, allow_nan=False, width=32)
_DIRECTION = (
    st.tuples(_COORDINATE, _COORDINATE, _COORDINATE)
    .map(np.array)
    .filter(lambda v: np.linalg.norm(v) > 0.1)
    .map(lambda v: v / np.linalg.norm(v))
)
_ANGLE = st.one_of(st.floats(0.0, np.pi), st.sampled_from([0.0, 1e-12, 1e-7, np.pi / 2, np.pi - 1e-7, np.pi]))
_TURN = st.builds(lambda axis, angle: rotations.exp(axis * angle), _DIRECTION, _ANGLE)
_VECTOR = st.tuples(*[st.floats(-10, 10)] * 3).map(np.array)
ORDERS = list(permutations(range(3)))
quick = settings(max_examples=60, deadline=None)


def _scipy(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(np.roll(q, -1, axis=-1))


def _same(a: np.ndarray, b: np.ndarray, atol: float = 1e-9) -> None:
    """The same rotations, whatever the signs of their quaternions."""
    np.testing.assert_allclose(rotations.to_matrix(a), rotations.to_matrix(b), rtol=0, atol=atol)


@quick
@given(_TURN, _TURN, _VECTOR)
def test_a_product_turns_by_the_second_and_then_by_the_first(a, b, vector):
    product = rotations.multiply(a, b)
    one_by_one = rotations.rotate(a, rotations.rotate(b, vector))
    np.testing.assert_allclose(rotations.rotate(product, vector), one_by_one, atol=1e-9)
    np.testing.assert_allclose(rotations.to_matrix(product) @ vector, one_by_one, atol=1e-9)
    np.testing.assert_allclose(_scipy(product).apply(vector), one_by_one, atol=1e-9)


@quick
@given(_TURN)
def test_the_inverse_takes_everything_back(q):
    np.testing.assert_allclose(rotations.multiply(q, rotations.inverse(q)), rotations.IDENTITY, atol=1e-12)


@quick
@given(_TURN)
def test_matrices_give_the_quaternion_back(q):
    matrix = rotations.to_matrix(q)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(matrix) == pytest.approx(1.0)
    _same(rotations.from_matrix(matrix), q)


@quick
@given(_TURN)
def test_the_logarithm_is_undone_by_the_exponential(q):
    vector = rotations.log(q)
    assert np.linalg.norm(vector) <= np.pi + 1e-9
    _same(rotations.exp(vector), q)
    if abs(q[0]) > 1e-6:  # at a half turn both ways round are as short
        np.testing.assert_allclose(rotations.log(-q), vector, atol=1e-12)


@quick
@given(_DIRECTION, st.floats(0.0, np.pi - 1e-6))
def test_the_exponential_is_undone_by_the_logarithm(axis, angle):
    vector = axis * angle
    np.testing.assert_allclose(rotations.log(rotations.exp(vector)), vector, atol=1e-9)
    _same(rotations.exp(vector), np.roll(Rotation.from_rotvec(vector).as_quat(), 1))


def test_tiny_turns_are_not_lost():
    vector = np.array([1e-13, -2e-11, 3e-10])
    np.testing.assert_allclose(rotations.log(rotations.exp(vector)), vector, rtol=1e-6)


@quick
@given(_TURN, _TURN, st.floats(0.0, 1.0))
def test_slerp_goes_the_short_way_at_constant_speed(a, b, fraction):
    between = rotations.slerp(a, b, np.array(fraction))
    whole = rotations.angle_between(a, b)
    assert rotations.angle_between(a, between) == pytest.approx(fraction * whole, abs=1e-7)
    assert rotations.angle_between(between, b) == pytest.approx((1.0 - fraction) * whole, abs=1e-7)
    if whole < np.pi - 1e-3:
        _same(rotations.slerp(a, -b, np.array(fraction)), between, atol=1e-7)


@quick
@given(_DIRECTION, _DIRECTION)
def test_between_vectors_turns_one_into_the_other_by_the_smallest_angle(a, b):
    turn = rotations.between_vectors(3.0 * a, 0.5 * b)
    np.testing.assert_allclose(rotations.rotate(turn, a), b, atol=1e-7)
    apart = np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)
    assert np.linalg.norm(rotations.log(turn)) == pytest.approx(apart, abs=1e-7)


@pytest.mark.parametrize("nudge", [0.0, 1e-12, 1e-10, 1e-8, 1e-4])
@pytest.mark.parametrize("axis", np.eye(3))
def test_opposite_vectors_are_a_half_turn(axis, nudge):
    against = -axis + nudge * np.roll(axis, 1)
    turn = rotations.between_vectors(axis, against)
    assert np.linalg.norm(turn) == pytest.approx(1.0)
    np.testing.assert_allclose(rotations.rotate(turn, axis), against, atol=1e-6)


def test_continuous_keeps_every_rotation_and_never_flips():
    rng = np.random.default_rng(3)
    smooth = rotations.exp(np.cumsum(rng.normal(0.0, 0.15, (200, 5, 3)), axis=0))
    flipped = smooth * rng.choice([-1.0, 1.0], (200, 5, 1))
    steady = rotations.continuous(flipped)
    assert np.all(np.sum(steady[1:] * steady[:-1], axis=-1) > 0.0)
    np.testing.assert_array_equal(steady[0], flipped[0])
    np.testing.assert_array_equal(np.abs(steady), np.abs(flipped))


@pytest.mark.parametrize("axes", ORDERS)
def test_euler_angles_of_every_order_are_scipys(axes):
    angles = np.random.default_rng(4).uniform(-np.pi, np.pi, (50, 3))
    letters = "".join("XYZ"[axis] for axis in axes)  # capitals: about the axes as they turn
    _same(rotations.from_euler(angles, axes), np.roll(Rotation.from_euler(letters, angles).as_quat(), 1, axis=-1))


@pytest.mark.parametrize("axes", ORDERS)
@pytest.mark.parametrize("middle", [0.0, 1.2, np.pi / 2 - 1e-4, np.pi / 2 - 1e-7, np.pi / 2, -np.pi / 2])
def test_euler_angles_give_the_rotation_back_even_at_the_poles(axes, middle):
    angles = np.random.default_rng(5).uniform(-np.pi, np.pi, (50, 3))
    angles[:, 1] = middle
    q = rotations.from_euler(angles, axes)
    _same(rotations.from_euler(rotations.to_euler(q, axes), axes), q, atol=3e-6)
    if abs(middle) < 1.5:
        np.testing.assert_allclose(rotations.to_euler(q, axes), angles, atol=1e-9)


def test_from_euler_takes_any_number_of_axes():
    one = rotations.from_euler(np.array([0.3]), (2,))
    np.testing.assert_allclose(one, rotations.about_axis(2, np.array(0.3)))
    np.testing.assert_array_equal(rotations.from_euler(np.zeros(0), ()), rotations.IDENTITY)


def test_cross_and_skew_are_the_cross_product():
    a, b = np.random.default_rng(6).normal(size=(2, 7, 3))
    np.testing.assert_allclose(rotations.cross(a, b), np.cross(a, b), atol=1e-15)
    np.testing.assert_allclose((rotations.skew(a) @ b[..., None])[..., 0], np.cross(a, b), atol=1e-15)


def test_everything_broadcasts_over_leading_dimensions():
    q = rotations.exp(np.random.default_rng(8).normal(size=(4, 1, 3)))
    vectors = np.random.default_rng(9).normal(size=(5, 3))
    turned = rotations.rotate(q, vectors)
    assert turned.shape == (4, 5, 3)
    np.testing.assert_allclose(turned[2, 3], rotations.rotate(q[2, 0], vectors[3]))
