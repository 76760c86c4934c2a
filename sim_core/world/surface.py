"""What a character walks on: the highest of ground and things below every point, at given times.

A surface answers what the ground alone answers, so that nobody needs to ask which of both it is.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from .. import rotations
from ..arrays import Bools, Floats, Ints
from .ground import GROUND, Ground
from .solids import Ball, HeightField, Solid
from .thing import Thing
from .track import Poses

_HANGS_M = 0.1  # what begins this much above a point, or more, hangs over it
_UPRIGHT = 1e-6  # upward part of a normal: with less it is a wall
_NEVER = 1e30
_FEW, _REMEMBERED = 600, 16  # numbers in an array of points, and arrays of which the answer is remembered
_UP = np.array([0.0, 0.0, 1.0])


class Surface(Protocol):
    """Points are (..., 3); where things move, their first axis is time."""

    @property
    def point(self) -> Floats: ...

    @property
    def normal(self) -> Floats:
        """(3,) of the ground as a whole."""

    def distance(self, points: Floats) -> Floats:
        """(...,) from the surface below, along its normal; negative inside [m]."""

    def height(self, points: Floats) -> Floats:
        """(...,) of the surface straight below [m]."""

    def normals(self, points: Floats) -> Floats:
        """(..., 3) of the surface straight below."""

    def things(self, points: Floats) -> Ints:
        """(...,) the number of the thing below each point, or GROUND."""

    def velocities(self, points: Floats) -> Floats:
        """(..., 3) with which the thing below each point carries along what stands on it [m/s]."""

    def accelerations(self, points: Floats) -> Floats:
        """(..., 3) likewise [m/s^2]."""


class _Convexes(NamedTuple):
    """All convex solids of all things, side by side."""

    things: Ints  # (C,) whose each is
    normals: Floats  # (C, H, 3) of half-spaces in the thing's frame; those that are not there are zero
    offsets: Floats  # (C, H)
    centres: Floats  # (C, 3)
    radii: Floats  # (C,) around the centre


class _Hits(NamedTuple):
    points: Ints  # (M,) which
    things: Ints  # (M,)
    heights: Floats  # (M,)
    normals: Floats  # (M, 3)


class _Below(NamedTuple):
    heights: Floats  # (N,)
    normals: Floats  # (N, 3)
    things: Ints  # (N,)


class Terrain:
    """The surface of ground and things, at one time or, for points whose first axis is time, at as many times."""

    def __init__(self, ground: Ground, things: Sequence[Thing], times: Floats) -> None:
        self.ground = ground
        self._things, self._times = things, times
        self._poses = [thing.poses(times) for thing in things]
        self._over_time = np.ndim(times) > 0 and any(thing.moves is not None for thing in things)
        self._convexes = _convexes(tuple(things))
        self._known: dict[tuple[tuple[int, ...], bytes], _Below] = {}
        self._balls = [(k, solid) for k, solid in _firm(things) if isinstance(solid, Ball)]
        self._fields = [(k, solid) for k, solid in _firm(things) if isinstance(solid, HeightField)]

    @property
    def point(self) -> Floats:
        return self.ground.point

    @property
    def normal(self) -> Floats:
        return self.ground.normal

    def distance(self, points: Floats) -> Floats:
        below = self._below(points)
        result: Floats = (points[..., 2] - below.heights.reshape(points.shape[:-1])) * below.normals[:, 2].reshape(
            points.shape[:-1]
        )
        return result

    def height(self, points: Floats) -> Floats:
        return self._below(points).heights.reshape(points.shape[:-1])

    def normals(self, points: Floats) -> Floats:
        return self._below(points).normals.reshape(points.shape)

    def things(self, points: Floats) -> Ints:
        return self._below(points).things.reshape(points.shape[:-1])

    def velocities(self, points: Floats) -> Floats:
        return self._carried(points, lambda thing, times, who: thing.surface_velocities(times, who))

    def accelerations(self, points: Floats) -> Floats:
        return self._carried(points, lambda thing, times, who: thing.surface_accelerations(times, who))

    def _carried(self, points: Floats, by: Callable[[Thing, Floats, Floats], Floats]) -> Floats:
        carried = np.zeros_like(points)
        if not any(thing.moves is not None or thing.belt.any() for thing in self._things):
            return carried
        below = self.things(points)
        for thing in np.setdiff1d(below, [GROUND]):
            mine = below == thing
            times = self._times
            if np.ndim(times):
                times = np.broadcast_to(times.reshape(-1, *[1] * (below.ndim - 1)), below.shape)[mine]
            carried[mine] = by(self._things[int(thing)], times, points[mine])
        return carried

    def _below(self, points: Floats) -> _Below:
        """A controller asks for heights, normals and things of the same few points, one after another."""
        if points.size > _FEW:
            return self._found_below(points)
        key = (points.shape, points.tobytes())
        if key not in self._known:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            self._known[key] = self._found_below(points)
        return self._known[key]

    def _found_below(self, points: Floats) -> _Below:
        flat = points.reshape(-1, 3)
        rows = np.repeat(np.arange(len(points)), len(flat) // max(len(points), 1)) if self._over_time else None
        below = _Below(
            self.ground.height(flat), np.tile(self.ground.normal, (len(flat), 1)), np.full(len(flat), GROUND)
        )
        for hits in (self._on_convexes(flat, rows), *self._on_balls(flat, rows), *self._on_fields(flat)):
            _keep_highest(below, hits)
        return below

    def _pose_of(self, thing: int, rows: Ints | None) -> Poses:
        """At the times of some rows of time, or for all times where nothing moves over time."""
        poses = self._poses[thing]
        if poses.positions.ndim == 1:
            return poses
        return (
            Poses(poses.positions[0], poses.turns[0])
            if rows is None
            else Poses(poses.positions[rows], poses.turns[rows])
        )

    def _on_convexes(self, points: Floats, rows: Ints | None) -> _Hits:
        found = []
        for thing in np.unique(self._convexes.things):
            mine = np.flatnonzero(self._convexes.things == thing)
            poses = self._pose_of(int(thing), rows)
            own = poses.to_own(points)
            up = np.broadcast_to(rotations.rotate(rotations.inverse(poses.turns), _UP), own.shape)
            found.append(self._along_lines(mine, own, up, points))
        return _joined(found)

    def _along_lines(self, solids: Ints, own: Floats, up: Floats, points: Floats) -> _Hits:
        """Where upright lines through points enter and leave the solids of one thing, in its frame."""
        convexes = self._convexes
        beside = own[:, None] - convexes.centres[solids]
        across = beside - np.sum(beside * up[:, None], axis=-1, keepdims=True) * up[:, None]
        who, which = np.nonzero(np.sum(across**2, axis=-1) <= convexes.radii[solids] ** 2)
        normals, offsets = convexes.normals[solids[which]], convexes.offsets[solids[which]]
        rises = np.einsum("mhi,mi->mh", normals, up[who])
        left = offsets - np.einsum("mhi,mi->mh", normals, own[who])
        with np.errstate(divide="ignore", invalid="ignore"):
            ways = left / rises
        out = np.where(rises > _UPRIGHT, ways, _NEVER)
        last = np.argmin(out, axis=1)
        leaves = np.take_along_axis(out, last[:, None], axis=1)[:, 0]
        enters = np.where(rises < -_UPRIGHT, ways, -_NEVER).max(axis=1)
        beside_wall = ((np.abs(rises) <= _UPRIGHT) & (left < 0.0)).any(axis=1)
        hit: Bools = (enters <= leaves) & (enters <= _HANGS_M) & ~beside_wall
        who, which, last, leaves = who[hit], which[hit], last[hit], leaves[hit]
        face = convexes.normals[solids[which], last]
        # Back to the world: the turn that brings the thing's own up direction to up, for each point.
        thing = int(convexes.things[solids[0]])
        poses = self._poses[thing]
        turns = poses.turns if poses.turns.ndim == 1 else poses.turns[self._time_rows(who, len(points))]
        return _Hits(who, np.full(len(who), thing), points[who, 2] + leaves, rotations.rotate(turns, face))

    def _time_rows(self, who: Ints, count: int) -> Ints:
        times = len(self._poses[0].positions)
        rows: Ints = who // (count // times) if self._over_time else np.zeros_like(who)
        return rows

    def _on_balls(self, points: Floats, rows: Ints | None) -> list[_Hits]:
        found = []
        for thing, ball in self._balls:
            centre = self._pose_of(thing, rows).to_world(ball.centre)
            across = points[:, :2] - centre[..., :2]
            room = ball.radius**2 - np.sum(across**2, axis=1)
            centre_z = np.broadcast_to(centre[..., 2], room.shape)
            half = np.sqrt(np.maximum(room, 0.0))
            who = np.flatnonzero((room > 0.0) & (centre_z - half <= points[:, 2] + _HANGS_M))
            normals = np.concatenate([across[who], half[who, None]], axis=1) / ball.radius
            found.append(_Hits(who, np.full(len(who), thing), centre_z[who] + half[who], normals))
        return found

    def _on_fields(self, points: Floats) -> list[_Hits]:
        found = []
        for thing, field in self._fields:
            place = self._things[thing].position
            spots = (points[:, :2] - place[:2] - field.corner) / field.cell
            most = np.array(field.heights.shape) - 1
            who = np.flatnonzero(((spots >= 0.0) & (spots <= most)).all(axis=1))
            cells = np.minimum(spots[who].astype(np.int64), most - 1)
            u, v = (spots[who] - cells).T
            i, j = cells.T
            h = field.heights
            low, high = h[i, j] * (1 - u) + h[i + 1, j] * u, h[i, j + 1] * (1 - u) + h[i + 1, j + 1] * u
            slope_x = ((h[i + 1, j] - h[i, j]) * (1 - v) + (h[i + 1, j + 1] - h[i, j + 1]) * v) / field.cell
            normals = np.stack([-slope_x, -(high - low) / field.cell, np.ones(len(who))], axis=1)
            found.append(
                _Hits(
                    who,
                    np.full(len(who), thing),
                    place[2] + low * (1 - v) + high * v,
                    normals / np.linalg.norm(normals, axis=1, keepdims=True),
                )
            )
        return found


def _firm(things: Sequence[Thing]) -> list[tuple[int, Solid]]:
    """The solids of all things that can be stood on, each with its thing's number."""
    return [(k, solid) for k, thing in enumerate(things) if thing.loose is None for solid in thing.solids]


@lru_cache(maxsize=64)
def _convexes(things: tuple[Thing, ...]) -> _Convexes:
    parts = [(k, solid) for k, solid in _firm(things) if not isinstance(solid, Ball | HeightField)]
    most = max((len(solid.half_spaces.offsets) for _, solid in parts), default=1)
    normals, offsets = np.zeros((len(parts), most, 3)), np.full((len(parts), most), _NEVER)
    centres, radii = np.zeros((len(parts), 3)), np.zeros(len(parts))
    for row, (_, solid) in enumerate(parts):
        faces = solid.half_spaces
        normals[row, : len(faces.offsets)], offsets[row, : len(faces.offsets)] = faces
        centres[row] = 0.5 * (solid.vertices.min(axis=0) + solid.vertices.max(axis=0))
        radii[row] = np.linalg.norm(solid.vertices - centres[row], axis=1).max()
    return _Convexes(np.array([k for k, _ in parts], dtype=np.int64), normals, offsets, centres, radii)


def _joined(found: Sequence[_Hits]) -> _Hits:
    if not found:
        none = np.zeros(0, dtype=np.int64)
        return _Hits(none, none, np.zeros(0), np.zeros((0, 3)))
    return _Hits(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _keep_highest(below: _Below, hits: _Hits) -> None:
    """Changes what is below in place."""
    order = np.argsort(hits.heights, kind="stable")  # where several are below one point, the last one stays
    order = order[hits.heights[order] > below.heights[hits.points[order]]]
    who = hits.points[order]
    below.heights[who] = hits.heights[order]
    below.normals[who] = hits.normals[order]
    below.things[who] = hits.things[order]
