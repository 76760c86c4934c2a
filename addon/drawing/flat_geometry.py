"""Convex patches on the screen as triangles with soft edges [pixels]; no bpy here.

A patch is the convex hull of a few points, described by its support points: the farthest in each of a fixed set of
directions. Growing a patch is then only a step along those directions, with rounded corners for free.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.floating]
Ints: TypeAlias = NDArray[np.int64]

_TURNS = np.arange(32) * (2.0 * np.pi / 32)
DIRECTIONS = np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=-1)  # (M, 2)
FEATHER = 0.6  # half the width of a soft edge [pixels]
_MOST_DASHES = 60  # a line seen from close by can be very long


class Triangles(NamedTuple):
    """Drawn in their order, later ones over earlier ones."""

    points: Floats  # (N, 3, D) corners
    colours: Floats  # (N, 3, 4)


def joined(parts: list[Triangles]) -> Triangles:
    return Triangles(np.concatenate([part.points for part in parts]), np.concatenate([part.colours for part in parts]))


def convex_outlines(points: Floats) -> Floats:
    """(N, M, 2) the hulls of N sets of points (N, P, 2), one support point a direction."""
    farthest = np.argmax(points @ DIRECTIONS.T, axis=1)  # (N, M)
    return np.take_along_axis(points, farthest[..., None], axis=1)


def fills(outlines: Floats, colours: ArrayLike, grow: float = 0.0) -> Triangles:
    """The inside of each outline (N, M, 2), as a fan; one colour (4,) for all or one each (N, 4)."""
    edge = outlines + grow * DIRECTIONS
    first = np.broadcast_to(edge[:, :1], edge[:, 2:].shape)
    points = np.stack([first, edge[:, 1:-1], edge[:, 2:]], axis=2)  # (N, M - 2, 3, 2)
    return _soup(points, np.broadcast_to(_per_patch(colours, 2), (*points.shape[:-1], 4)))


def bands(
    outlines: Floats, inner: float, outer: float, inner_colours: ArrayLike, outer_colours: ArrayLike
) -> Triangles:
    """What lies between two distances from each outline (negative: within it), shaded from one colour to the other."""
    a, b = outlines + inner * DIRECTIONS, outlines + outer * DIRECTIONS
    a_next, b_next = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    points = np.stack([a, b, b_next, a, b_next, a_next], axis=2)  # (N, M, 6, 2)
    at_outer = np.array([False, True, True, False, True, False])[:, None]
    colours = np.where(at_outer, _per_patch(outer_colours, 2), _per_patch(inner_colours, 2))
    colours = np.broadcast_to(colours, (*points.shape[:-1], 4))
    n, m = points.shape[:2]
    return _soup(points.reshape(n, 2 * m, 3, 2), colours.reshape(n, 2 * m, 3, 4))


def patches(points: Floats, colours: ArrayLike, grow: float = 0.0) -> Triangles:
    """Hulls of sets of points (N, P, 2), grown by some pixels, with soft edges."""
    outlines = convex_outlines(points)
    colours = np.asarray(colours, dtype=float)
    return joined(
        [
            fills(outlines, colours, grow - FEATHER),
            bands(outlines, grow - FEATHER, grow + FEATHER, colours, clear(colours)),
        ]
    )


def clear(colours: ArrayLike) -> Floats:
    """The same colours, invisible: where a soft edge ends."""
    return np.asarray(colours, dtype=float) * np.array([1.0, 1.0, 1.0, 0.0])


def arrows(tails: Floats, tips: Floats, width: float) -> Floats:
    """(2N, 4, 2) shafts and heads of N arrows; a short arrow has a smaller head, so that its length stays true."""
    along = tips - tails
    length = np.linalg.norm(along, axis=-1, keepdims=True)
    along = along / np.maximum(length, 1e-9)
    across = np.stack([-along[..., 1], along[..., 0]], axis=-1)
    head = np.minimum(4.5 * width, 0.7 * length)
    neck = tips - along * head
    half, flare = 0.5 * np.minimum(width, 0.5 * length) * across, 0.42 * head * across
    shafts = np.stack([tails - half, tails + half, neck + half, neck - half], axis=-2)
    heads = np.stack([neck + flare, neck - flare, tips, tips], axis=-2)
    return np.concatenate([shafts, heads])


def dashes(start: Floats, end: Floats, dash: float) -> Floats:
    """(N, 2, 2) pieces of the line between two points (2,), as long as the gaps between them; longer, not ever more."""
    length = float(np.linalg.norm(end - start))
    count = min(max(1, round((length / dash + 1.0) / 2.0)), _MOST_DASHES)
    share = np.arange(count)[:, None] * 2.0 / max(2 * count - 1, 1) + np.array([0.0, 1.0 / (2 * count - 1)])
    return start + share[..., None] * (end - start)


def disc(centre: Floats, radius: float) -> Floats:
    """(1, M, 2)"""
    return (centre + radius * DIRECTIONS)[None]


def quarters(centre: Floats, radius: float) -> Floats:
    """(4, K, 2) the quarters of a disc, anticlockwise from the right upper one."""
    quarter = len(DIRECTIONS) // 4
    rim = radius * DIRECTIONS[(np.arange(4)[:, None] * quarter + np.arange(quarter + 1)) % len(DIRECTIONS)]
    return centre + np.concatenate([np.zeros((4, 1, 2)), rim], axis=1)


def rectangles(left: Floats, right: Floats, bottom: float, top: float, colours: Floats) -> Triangles:
    """Upright boxes (N,) side by side, one colour each (N, 4), with hard edges."""
    low, high = np.full_like(left, bottom), np.full_like(left, top)
    a, b = np.stack([left, low], -1), np.stack([right, low], -1)
    c, d = np.stack([right, high], -1), np.stack([left, high], -1)
    points = np.stack([a, b, c, a, c, d], axis=1)  # (N, 6, 2)
    return _soup(points.reshape(-1, 2, 3, 2), np.broadcast_to(colours[:, None, None, :], (len(left), 2, 3, 4)))


def _per_patch(colours: ArrayLike, inner_axes: int) -> Floats:
    """(N or 1, 1, 1, 4), to go with points that have so many axes inside a patch."""
    flat = np.atleast_2d(np.asarray(colours, dtype=float))
    return flat.reshape(len(flat), *(1,) * inner_axes, 4)


def _soup(points: Floats, colours: Floats) -> Triangles:
    return Triangles(points.reshape(-1, 3, points.shape[-1]), colours.reshape(-1, 3, 4))
