"""The measures of a clip on hand-made motions, where every number is known beforehand."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core.reporting.measure import Measures, measure_frames, summarise
from sim_core.scene import Ground, Scene
from tests.clips import Person, body_of, moved, person, turned

RATES = [24.0, 30.0, 60.0, 120.0]
each_rate = pytest.mark.parametrize("fps", RATES)
G = 9.81


def _measured(someone: Person, path: np.ndarray | list[float], scene: Scene | None = None) -> Measures:
    return summarise(measure_frames(moved(someone.clip, path), someone.body, scene or Scene()))


def _times(someone: Person) -> np.ndarray:
    return (np.arange(len(someone.clip)) / someone.clip.fps)[:, None]


def _person(fps: float, seconds: float = 1.0) -> Person:
    return person(frames=int(seconds * fps) + 1, fps=fps)


@each_rate
def test_standing_still_is_physical(fps):
    found = _measured(_person(fps), [0.0, 0.0, 0.0])
    assert found.foot_skate_m_s == pytest.approx(0.0, abs=1e-9)
    assert found.penetration_m == pytest.approx(0.0, abs=1e-9)
    assert found.float_m == pytest.approx(0.0, abs=1e-9)
    assert found.physics_error_bw == pytest.approx(0.0, abs=1e-6)
    assert found.jerk_m_s3 == pytest.approx(0.0, abs=1e-6)


@each_rate
def test_sliding_at_half_a_metre_a_second_is_a_skate_of_that_speed(fps):
    someone = _person(fps)
    found = _measured(someone, 0.5 * _times(someone) * [0.6, 0.8, 0.0])
    assert found.foot_skate_m_s == pytest.approx(0.5)
    assert found.physics_error_bw == pytest.approx(0.0, abs=1e-6)  # steady motion needs no more than standing


@each_rate
def test_hovering_floats_and_is_held_by_nothing(fps):
    found = _measured(_person(fps), [0.0, 0.0, 0.03])
    assert found.float_m == pytest.approx(0.03)
    assert found.penetration_m == 0.0
    assert found.foot_skate_m_s == 0.0
    assert found.physics_error_bw == pytest.approx(1.0)  # one body weight comes out of the air


@each_rate
def test_sinking_penetrates(fps):
    found = _measured(_person(fps), [0.0, 0.0, -0.01])
    assert found.penetration_m == pytest.approx(0.01)
    assert found.float_m == 0.0
    assert found.physics_error_bw == pytest.approx(0.0, abs=1e-6)


@each_rate
def test_free_fall_is_physical(fps):
    someone = _person(fps, 0.5)
    t = _times(someone)
    path = t * [1.0, 0.0, 2.0] - 0.5 * G * t**2 * [0.0, 0.0, 1.0] + [0.0, 0.0, 0.5]
    frames = measure_frames(moved(someone.clip, path), someone.body, Scene())
    assert frames.flight.all()
    found = summarise(frames)
    assert found.physics_error_bw == pytest.approx(0.0, abs=1e-4)
    assert found.float_m == found.penetration_m == found.foot_skate_m_s == 0.0


@each_rate
def test_falling_too_fast_is_not(fps):
    """At 2 g, one body weight more than gravity pulls down."""
    someone = _person(fps, 0.4)
    path = -G * _times(someone) ** 2 * [0.0, 0.0, 1.0] + [0.0, 0.0, 3.0]
    assert _measured(someone, path).physics_error_bw == pytest.approx(1.0, rel=1e-3)


@each_rate
def test_the_jerk_of_a_cubic_motion_is_its_constant(fps):
    someone = _person(fps, 0.5)
    found = _measured(someone, _times(someone) ** 3 * [3.0, 0.0, 4.0])
    assert found.jerk_m_s3 == pytest.approx(6.0 * 5.0, rel=1e-6)


def test_a_pop_in_one_frame_shows_in_its_jerk():
    someone = _person(60.0)
    path = np.zeros((len(someone.clip), 3))
    path[30, 0] = 0.01
    jerk = measure_frames(moved(someone.clip, path), someone.body, Scene()).jerk
    assert np.nanargmax(jerk) in (30, 31)
    assert np.nanmax(jerk) == pytest.approx(3 * 0.01 * 60.0**3)


def test_rates_agree_on_a_smooth_motion():
    """Swaying over sliding feet: nothing is zero, and 30 and 120 fps see the same."""
    found = []
    for fps in (30.0, 120.0):
        someone = _person(fps, 2.0)
        t = _times(someone)
        path = 0.15 * np.sin(2.0 * np.pi * t) * [1.0, 0.0, 0.0] + 0.01 * np.sin(3.0 * np.pi * t) * [0.0, 0.0, 1.0]
        found.append(_measured(someone, path))
    slow, fast = found
    assert slow.foot_skate_m_s == pytest.approx(fast.foot_skate_m_s, rel=0.05)
    assert slow.penetration_m == pytest.approx(fast.penetration_m, rel=0.05)
    assert slow.float_m == pytest.approx(fast.float_m, rel=0.05)
    assert slow.physics_error_bw == pytest.approx(fast.physics_error_bw, rel=0.1)
    assert slow.jerk_m_s3 == pytest.approx(fast.jerk_m_s3, rel=0.05)


def test_the_floor_is_where_the_scene_says():
    someone = _person(30.0)
    scene = Scene(ground=Ground(point=np.array([0.0, 0.0, 1.5])))
    found = _measured(someone, [5.0, 0.0, 1.5], scene)
    assert found.physics_error_bw == pytest.approx(0.0, abs=1e-6)
    assert found.penetration_m == pytest.approx(0.0, abs=1e-9)


def test_leaning_on_ice_needs_more_than_friction_gives():
    someone = _person(60.0)
    push = 0.5 * 3.0 * _times(someone) ** 2 * [1.0, 0.0, 0.0]  # 3 m/s^2 along the ground
    icy = _measured(someone, push, Scene(friction=0.01)).physics_error_bw
    assert icy > 0.2
    assert icy > 1.5 * _measured(someone, push, Scene(friction=0.8)).physics_error_bw


def test_the_fastest_joint_is_named():
    someone = _person(60.0)
    spin = _times(someone) * [0.0, 0.0, 7.0]
    clip = turned(someone.clip, "Head", spin)
    frames = measure_frames(clip, body_of(someone.clip), Scene())
    np.testing.assert_allclose(frames.fastest_joint, 7.0, rtol=1e-6)
    assert {someone.body.names[link] for link in frames.fastest_link} == {"head"}


def test_frames_that_cannot_tell_are_nan_and_do_not_count():
    someone = person(frames=3, fps=30.0)
    frames = measure_frames(someone.clip, someone.body, Scene())
    assert np.isnan(frames.skate[0])
    assert np.isnan(frames.jerk).all()
    assert summarise(frames).jerk_m_s3 == 0.0
    assert np.isfinite(list(vars(summarise(frames)).values())).all()


def test_progress_ends_at_one_and_the_source_is_not_touched():
    someone = _person(30.0)
    before = replace(someone.clip, positions=someone.clip.positions.copy())
    told: list[float] = []
    measure_frames(someone.clip, someone.body, Scene(), told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    np.testing.assert_array_equal(someone.clip.positions, before.positions)
