"""The things of a scene as a picture has them: where they are at that moment, and only once they are there."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core.reporting.things_drawing import outlines_of
from sim_core.reporting.viewpoint import Viewpoint
from sim_core.scene import Scene
from sim_core.world.solids import Ball, Cuboid, HeightField
from sim_core.world.thing import Loose, Thing
from sim_core.world.track import Track
from tests.bearing import bearing
from tests.clips import crouching

FROM_THE_SIDE = Viewpoint(right=np.array([1.0, 0, 0]), up=np.array([0, 0, 1.0]), toward=np.array([0, -1.0, 0]))
BLOCK = Cuboid(half_extents=np.array([0.5, 1.0, 0.1]))
ROOT = np.array([0.0, 0.0, 1.0])


def _outlines(*things, time_s=0.0, states=None):
    body = crouching(frames=2, fps=60.0, depth=0.05).body
    recording = bearing(body, 61, None)
    if states is not None:
        recording = replace(recording, things=states)
    return outlines_of(Scene(things=things), recording, time_s, FROM_THE_SIDE, ROOT)


def _box(outline):
    return [*outline.min(axis=0), *outline.max(axis=0)]


def test_a_block_is_seen_from_the_side():
    (seen,) = _outlines(Thing(name="block", solids=(BLOCK,), position=np.array([2.0, 0.0, 0.1])))
    assert _box(seen.outline) == pytest.approx([1.5, 0.0, 2.5, 0.2])


def test_what_moves_is_where_it_is_then():
    track = Track(
        times=np.array([0.0, 1.0]),
        positions=np.array([[0.0, 0, 0], [1.0, 0, 0]]),
        turns=np.tile([1.0, 0, 0, 0], (2, 1)),
    )
    (seen,) = _outlines(Thing(name="raft", solids=(BLOCK,), moves=track), time_s=1.0)
    assert seen.outline[:, 0].mean() == pytest.approx(1.0)


def test_a_ball_is_where_the_recording_has_it_once_it_appears():
    ball = Thing(name="ball", solids=(Ball(radius=0.1),), loose=Loose(mass=1.0, appears_s=0.5))
    states = np.zeros((481, 1, 13))
    states[:, 0, 0], states[:, 0, 3] = np.linspace(0.0, 2.0, 481), 1.0
    assert _outlines(ball, time_s=0.4, states=states) == []
    (seen,) = _outlines(ball, time_s=0.5, states=states)
    assert seen.loose
    assert _box(seen.outline) == pytest.approx([0.9, -0.1, 1.1, 0.1], abs=0.01)


def test_a_height_field_is_cut_where_the_figure_is():
    heights = np.tile(np.array([0.0, 0.3, 0.0]), (11, 1))  # a ridge along X, at the figure
    field = HeightField(corner=np.array([-1.0, -0.2]), cell=0.2, heights=heights)
    seen = _outlines(Thing(name="ridge", solids=(field,)))
    assert max(each.outline[:, 1].max() for each in seen) == pytest.approx(0.3)
    assert min(each.outline[:, 0].min() for each in seen) == pytest.approx(-1.0, abs=0.06)


def test_the_farthest_is_laid_down_first():
    near, far = (
        Thing(name=name, solids=(BLOCK,), position=np.array([0.0, y, 0.0])) for name, y in (("a", -2.0), ("b", 2.0))
    )
    assert [each.depth for each in _outlines(near, far)] == [-2.0, 2.0]
