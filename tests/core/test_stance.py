"""Standing feet in keyframes: how deep, how high, how fast over what they stand on."""

import numpy as np
import pytest

from sim_core.reporting.stance import measure_stance
from sim_core.scene import Ground, Scene
from sim_core.world.beside_edges import clearance
from sim_core.world.solids import Cuboid
from sim_core.world.thing import Thing
from sim_core.world.track import Track
from tests.bearing import FPS, SCENE, bearing
from tests.clips import crouching, moved

FRAMES = 31


def _stance(offset, bears=None, scene=SCENE):
    """Of someone whose soles are on the ground, moved by an offset (FRAMES, 3)."""
    clip, body = crouching(frames=FRAMES, fps=FPS, depth=0.05)
    recording = bearing(body, FRAMES, np.ones(FRAMES, bool) if bears is None else bears)
    return measure_stance(moved(clip, offset), body, scene, recording)


def _rising(height: float) -> np.ndarray:
    return np.linspace(0.0, height, FRAMES)[:, None] * [0.0, 0.0, 1.0]


def test_feet_that_stand_well_have_no_figures():
    found = _stance(np.zeros((FRAMES, 3)))
    assert max(found.deepest_m, found.highest_m, found.skate_m_s) < 1e-3


def test_the_deepest_point_and_the_highest_foot_count():
    assert _stance(_rising(-0.02)).deepest_m == pytest.approx(0.02, abs=1e-3)
    assert _stance(_rising(0.02)).highest_m == pytest.approx(0.02, abs=1e-3)


def test_feet_slide_as_fast_as_their_soles():
    assert _stance(np.linspace(0.0, 0.1, FRAMES)[:, None] * [1.0, 0.0, 0.0]).skate_m_s == pytest.approx(0.2, rel=0.05)


def test_feet_that_do_not_bear_are_not_looked_at():
    bears = np.arange(FRAMES) < 10
    found = _stance(_rising(-0.03), bears)
    assert found.deepest_m == pytest.approx(0.03 * 8 / (FRAMES - 1), abs=1.2e-3)  # the last that bears has one beside
    assert _stance(_rising(-0.03), np.zeros(FRAMES, bool)).deepest_m == 0.0


def test_who_stands_on_a_platform_that_moves_does_not_slide():
    way = np.linspace(0.0, 0.1, FRAMES)[:, None] * [1.0, 0.0, 0.0]
    times = np.arange(FRAMES) / FPS
    track = Track(times=times, positions=way - [0.0, 0.0, 0.1], turns=np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1)))
    raft = Thing(name="raft", solids=(Cuboid(half_extents=np.array([2.0, 2.0, 0.1])),), moves=track)
    assert _stance(way, scene=Scene(ground=Ground(point=np.array([0.0, 0.0, -1.0])), things=(raft,))).skate_m_s < 0.02


@pytest.mark.parametrize(
    ("x", "z", "expected"),
    [
        (-0.02, 0.05, 0.05),  # beside the riser
        (0.02, 0.05, 0.05),  # in it, and so near to its face that it is beside
        (0.10, 0.05, -0.12),  # in it
        (0.02, 0.165, -0.005),  # stands on the edge
        (0.10, 0.19, 0.02),
    ],
)
def test_points_near_a_riser_are_beside_it(x, z, expected):
    step = Thing(
        name="step", solids=(Cuboid(half_extents=np.array([0.5, 0.5, 0.085])),), position=np.array([0.5, 0, 0.085])
    )
    found = clearance(Scene(things=(step,)).surface(0.0), np.array([[x, 0.0, z]]))
    assert found[0] == pytest.approx(expected, abs=1e-9)
