"""Quaternions (wxyz, unit) and rotation matrices; every function broadcasts over leading dimensions."""

from collections.abc import Sequence

import numpy as np

from .arrays import Floats

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
_CONJUGATE = np.array([1.0, -1.0, -1.0, -1.0])
_TINY = 1e-12


def multiply(a: Floats, b: Floats) -> Floats:
    """The rotation that applies b, then a: R(a) R(b)."""
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def inverse(q: Floats) -> Floats:
    conjugate: Floats = q * _CONJUGATE
    return conjugate


def normalise(q: Floats) -> Floats:
    result: Floats = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return result


def rotate(q: Floats, vector: Floats) -> Floats:
    """The vector turned by q."""
    w, u = q[..., :1], q[..., 1:]
    t = 2.0 * cross(u, vector)
    turned: Floats = vector + w * t + cross(u, t)
    return turned


def cross(a: Floats, b: Floats) -> Floats:
    """np.cross for (..., 3), several times faster on small arrays."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def skew(a: Floats) -> Floats:
    """The matrix of the cross product: skew(a) @ b == cross(a, b)."""
    m = np.zeros((*a.shape, 3))
    m[..., 0, 1], m[..., 0, 2] = -a[..., 2], a[..., 1]
    m[..., 1, 0], m[..., 1, 2] = a[..., 2], -a[..., 0]
    m[..., 2, 0], m[..., 2, 1] = -a[..., 1], a[..., 0]
    return m


def to_matrix(q: Floats) -> Floats:
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    m = np.empty((*q.shape[:-1], 3, 3))
    m[..., 0, 0] = 1 - 2 * (y * y + z * z)
    m[..., 0, 1] = 2 * (x * y - w * z)
    m[..., 0, 2] = 2 * (x * z + w * y)
    m[..., 1, 0] = 2 * (x * y + w * z)
    m[..., 1, 1] = 1 - 2 * (x * x + z * z)
    m[..., 1, 2] = 2 * (y * z - w * x)
    m[..., 2, 0] = 2 * (x * z - w * y)
    m[..., 2, 1] = 2 * (y * z + w * x)
    m[..., 2, 2] = 1 - 2 * (x * x + y * y)
    return m


def from_matrix(m: Floats) -> Floats:
    """The quaternion of a rotation matrix, by its largest component (Shepperd 1978)."""
    m00, m11, m22 = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    squares = np.stack([1 + m00 + m11 + m22, 1 + m00 - m11 - m22, 1 - m00 + m11 - m22, 1 - m00 - m11 + m22], -1)
    largest = np.argmax(squares, axis=-1)
    xy, xz, yz = m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]
    wx, wy, wz = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    rows = np.stack(
        [
            np.stack([squares[..., 0], wx, wy, wz], -1),
            np.stack([wx, squares[..., 1], xy, xz], -1),
            np.stack([wy, xy, squares[..., 2], yz], -1),
            np.stack([wz, xz, yz, squares[..., 3]], -1),
        ],
        axis=-2,
    )
    return normalise(np.take_along_axis(rows, largest[..., None, None], axis=-2)[..., 0, :])


def log(q: Floats) -> Floats:
    """The rotation vector of q, the short way round [rad]."""
    q = np.where(q[..., :1] < 0, -q, q)
    u = q[..., 1:]
    sine = np.linalg.norm(u, axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    result: Floats = u * np.where(sine > 1e-9, angle / np.maximum(sine, _TINY), 2.0)
    return result


def exp(vector: Floats) -> Floats:
    """The quaternion of a rotation vector [rad]."""
    angle = np.linalg.norm(vector, axis=-1, keepdims=True)
    scale = np.where(angle > 1e-9, np.sin(0.5 * angle) / np.maximum(angle, _TINY), 0.5)
    return np.concatenate([np.cos(0.5 * angle), vector * scale], axis=-1)


def angle_between(a: Floats, b: Floats) -> Floats:
    """The angle of the rotation from a to b [rad], in [0, pi]."""
    result: Floats = np.linalg.norm(log(multiply(inverse(a), b)), axis=-1)
    return result


def slerp(a: Floats, b: Floats, fraction: Floats) -> Floats:
    """From a (fraction 0) to b (fraction 1) at constant speed, the short way."""
    return multiply(a, exp(fraction[..., None] * log(multiply(inverse(a), b))))


def between_vectors(a: Floats, b: Floats) -> Floats:
    """The smallest rotation that turns direction a to direction b."""
    a = a / np.linalg.norm(a, axis=-1, keepdims=True)
    b = b / np.linalg.norm(b, axis=-1, keepdims=True)
    half = a + b
    opposite = np.linalg.norm(half, axis=-1, keepdims=True) < 1e-9
    helper = np.where(np.abs(a[..., :1]) < 0.9, np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    half = np.where(opposite, cross(a, helper), half)
    half = half / np.linalg.norm(half, axis=-1, keepdims=True)
    w = np.sum(a * half, axis=-1, keepdims=True)
    return np.concatenate([w, cross(a, half)], axis=-1)


def continuous(q: Floats) -> Floats:
    """The same rotations over time (axis 0) with signs chosen so that neighbours never flip."""
    dots = np.sum(q[1:] * q[:-1], axis=-1)
    signs = np.cumprod(np.concatenate([np.ones((1, *dots.shape[1:])), np.where(dots < 0, -1.0, 1.0)]), axis=0)
    steady: Floats = q * signs[..., None]
    return steady


def about_axis(axis: int, angle: Floats) -> Floats:
    """A turn about coordinate axis 0, 1 or 2 [rad]."""
    q = np.zeros((*np.shape(angle), 4))
    q[..., 0] = np.cos(0.5 * angle)
    q[..., 1 + axis] = np.sin(0.5 * angle)
    return q


def from_euler(angles: Floats, axes: Sequence[int]) -> Floats:
    """The product R(axes[0], angles[..., 0]) R(axes[1], angles[..., 1]) ... [rad], for any number of axes."""
    q = np.broadcast_to(IDENTITY, (*angles.shape[:-1], 4))
    for k, axis in enumerate(axes):
        q = multiply(q, about_axis(axis, angles[..., k]))
    return q


def to_euler(q: Floats, axes: Sequence[int]) -> Floats:
    """Angles [rad] with from_euler(to_euler(q, axes), axes) == q, for three different axes.

    Where the middle angle is at its pole the last angle is taken to be zero.
    """
    i, j, k = axes
    m = to_matrix(q)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0  # cyclic orders turn the same way as xyz
    middle = np.arcsin(np.clip(sign * m[..., i, k], -1.0, 1.0))
    pole = np.abs(m[..., i, k]) > 1.0 - 1e-12
    first = np.where(
        pole,
        np.arctan2(sign * m[..., k, j], m[..., j, j]),
        np.arctan2(-sign * m[..., j, k], m[..., k, k]),
    )
    last = np.where(pole, 0.0, np.arctan2(-sign * m[..., i, j], m[..., i, i]))
    return np.stack([first, middle, last], axis=-1)
