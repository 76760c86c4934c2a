"""Rotations as Euler angles that an animator can edit: without jumps, and near those they came from."""

from collections.abc import Sequence

import numpy as np

from .. import rotations
from ..arrays import Floats

_TURN = 2.0 * np.pi
_POLE = 1e-6  # [rad] of the middle angle; nearer to its pole only the sum of the outer angles is defined


def nearest_angles(q: Floats, axes: Sequence[int], start: Floats) -> Floats:
    """Angles (T, G, n) [rad] of rotations (T, G, 4) about one to three different axes.

    Each frame is the solution nearest to the frame before, the first the one nearest to `start` (G, n).
    With fewer than three axes not every rotation can be had; the nearest one is taken.
    """
    if len(axes) == 1:
        return _unwrapped(_nearest_turn(q, axes[0]), start)
    if len(axes) == 2:
        return _unwrapped(_nearest_two_turns(q, axes[0], axes[1]), start)
    return _follow(rotations.to_euler(q, axes), axes, start)


def _unwrapped(angles: Floats, start: Floats) -> Floats:
    result: Floats = np.unwrap(np.concatenate([start[None], angles]), axis=0)[1:]
    return result


def _nearest_turn(q: Floats, axis: int) -> Floats:
    angle: Floats = 2.0 * np.arctan2(q[..., 1 + axis], q[..., 0])
    return angle[..., None]


def _nearest_two_turns(q: Floats, i: int, j: int) -> Floats:
    """The two turns whose product is nearest to q.

    The product of two turns has w = ca cb, i = sa cb, j = ca sb, k = +-sa sb (half angles): its dot product
    with q is the bilinear form (ca, sa) M (cb, sb), largest at the first pair of singular vectors of M.
    """
    k = 3 - i - j
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    m = np.empty((*q.shape[:-1], 2, 2))
    m[..., 0, 0], m[..., 0, 1] = q[..., 0], q[..., 1 + j]
    m[..., 1, 0], m[..., 1, 1] = q[..., 1 + i], sign * q[..., 1 + k]
    left, _, right = np.linalg.svd(m)
    first = np.arctan2(left[..., 1, 0], left[..., 0, 0])
    second = np.arctan2(right[..., 0, 1], right[..., 0, 0])
    angles: Floats = 2.0 * np.stack([first, second], axis=-1)
    return angles


def _follow(angles: Floats, axes: Sequence[int], start: Floats) -> Floats:
    """Of the two ways to write each rotation, with whole turns added, the one nearest to the frame before."""
    other = angles * np.array([1.0, -1.0, 1.0]) + np.pi  # the same rotation, by way of the other side of the pole
    candidates = np.stack([angles, other], axis=-2)  # (T, G, 2, 3)
    at_pole = np.abs(np.abs(angles[..., 1]) - 0.5 * np.pi) < _POLE
    any_pole = np.any(at_pole, axis=1)
    sign = 1.0 if (axes[1] - axes[0]) % 3 == 1 else -1.0
    result = np.empty_like(angles)
    previous = start
    for frame, pair in enumerate(candidates):
        near = pair + _TURN * np.round((previous[:, None] - pair) / _TURN)
        distance = np.sum((near - previous[:, None]) ** 2, axis=-1)
        chosen = np.where((distance[:, 0] <= distance[:, 1])[:, None], near[:, 0], near[:, 1])
        if any_pole[frame]:
            shared = _at_pole(angles[frame], sign, previous)
            chosen = np.where(at_pole[frame][:, None], shared, chosen)
        result[frame] = previous = chosen
    return result


def _at_pole(angles: Floats, sign: float, previous: Floats) -> Floats:
    """At the pole first + s * last is all that counts: share the change of that sum between the two."""
    s = sign * np.sign(angles[:, 1])
    change = angles[:, 0] + s * angles[:, 2] - previous[:, 0] - s * previous[:, 2]
    half = 0.5 * (change - _TURN * np.round(change / _TURN))
    middle = angles[:, 1] + _TURN * np.round((previous[:, 1] - angles[:, 1]) / _TURN)
    return np.stack([previous[:, 0] + half, middle, previous[:, 2] + s * half], axis=-1)
