"""Which links may touch, and the distance of two segments against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim_core.body.collision_pairs import segment_distance
from tests.clips import body_of, person, turned

_POINT = st.tuples(*[st.floats(-1, 1, width=16)] * 3).map(np.array)


def _brute_force(a0, a1, b0, b1) -> float:
    share = np.linspace(0.0, 1.0, 201)[:, None]
    a, b = a0 + share * (a1 - a0), b0 + share * (b1 - b0)
    return float(np.linalg.norm(a[:, None] - b[None], axis=-1).min())


@settings(max_examples=200, deadline=None)
@given(_POINT, _POINT, _POINT, _POINT)
def test_the_distance_of_segments_is_the_least_of_all_their_points(a0, a1, b0, b1):
    found = float(segment_distance(a0, a1, b0, b1))
    brute = _brute_force(a0, a1, b0, b1)
    assert found <= brute + 1e-6
    assert found >= brute - 0.02  # the grid of brute force is this coarse


def test_awkward_segments():
    x, y, zero = np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), np.zeros(3)
    assert segment_distance(zero, x, y, x + y) == pytest.approx(1.0)  # parallel
    assert segment_distance(zero, x, 2 * x, 3 * x) == pytest.approx(1.0)  # in line
    assert segment_distance(zero, zero, y, y) == pytest.approx(1.0)  # two points
    assert segment_distance(zero, x, zero - y, y) == pytest.approx(0.0)  # crossing


def _named(body) -> set[frozenset[str]]:
    return {frozenset((body.names[a], body.names[b])) for a, b in body.collision_pairs}


def test_limbs_may_touch_what_they_reach_but_never_their_neighbours():
    pairs = _named(person().body)
    assert frozenset(("hand_l", "hand_r")) in pairs
    assert frozenset(("hand_l", "thigh_l")) in pairs
    assert frozenset(("shin_l", "shin_r")) in pairs
    assert frozenset(("foot_l", "foot_r")) in pairs
    assert frozenset(("forearm_l", "hand_l")) not in pairs
    assert frozenset(("shin_l", "foot_l")) not in pairs
    assert frozenset(("shin_l", "toes_l")) not in pairs


def test_the_pairs_of_a_symmetric_rig_are_symmetric():
    pairs = _named(person().body)
    swap = {"_l": "_r", "_r": "_l"}
    assert pairs == {frozenset(n[:-2] + swap.get(n[-2:], n[-2:]) for n in pair) for pair in pairs}


def test_a_pair_that_overlaps_in_the_performance_is_left_out():
    clip = person().clip
    into_the_leg = np.tile([0.0, np.radians(102.0), 0.0], (30, 1))
    assert frozenset(("hand_l", "thigh_l")) in _named(body_of(clip))
    assert frozenset(("hand_l", "thigh_l")) not in _named(body_of(turned(clip, "LeftArm", into_the_leg)))
