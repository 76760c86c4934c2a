"""The tables of the human body: complete, and true to what every body obeys."""

import pytest

from sim_core.body.anthropometry import RANGES, SEGMENTS
from sim_core.rig.segments import SEGMENTS as NAMES
from sim_core.rig.segments import kind


def test_every_segment_is_in_the_tables():
    assert set(SEGMENTS) == {kind(name) for name in NAMES}
    assert set(RANGES) == set(SEGMENTS) - {"pelvis"}


def test_the_masses_make_one_body():
    assert sum(SEGMENTS[kind(name)].mass for name in NAMES) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("name", SEGMENTS)
def test_a_segment_is_a_solid_thing(name):
    segment = SEGMENTS[name]
    assert 0.0 < segment.mass < 0.2
    assert 0.0 < segment.com < 1.0
    # A thin rod has 0.289 across; moments of a solid body obey the triangle inequality: along^2 <= 2 across^2.
    assert 0.0 < segment.gyration_along**2 <= 2.0 * segment.gyration_across**2
    assert 0.01 < segment.radius < 0.1
    assert (segment.torque > 0.0) == (name != "pelvis")


@pytest.mark.parametrize("name", RANGES)
def test_ranges_hold_the_anatomical_zero(name):
    for lower, upper in RANGES[name]:
        assert -180.0 <= lower < 0.0 < upper <= 180.0


def test_knees_and_elbows_bend_one_way_only():
    assert abs(RANGES["shin"].pitch[0]) > 10.0 * RANGES["shin"].pitch[1]  # back
    assert RANGES["forearm"].pitch[1] > 10.0 * abs(RANGES["forearm"].pitch[0])  # forward
