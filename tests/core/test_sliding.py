"""Feet that slide are told from those that stand and those that swing."""

import numpy as np
import pytest

from sim_core.bake import read_performance
from sim_core.reference.contacts import ContactLabels
from sim_core.reference.reference import build_reference
from sim_core.reference.sliding import sliding
from sim_core.scene import Scene
from sim_core.settings import BakeSettings, ReferenceSettings
from tests.clips import Person, crouching, drawing_a_foot, walking
from tests.mocap import MOCAP, needs_mocap

RATE = 500.0


def _contacts(someone: Person) -> ContactLabels:
    return build_reference(someone.clip, someone.body, Scene(), ReferenceSettings(), rate=RATE, hold_s=0.4).contacts


def _slides(heights: float, speeds: float, seconds: float) -> np.ndarray:
    """Of a left foot that is so low and fast for a while, and stands otherwise."""
    rows, lasts = 500, round(seconds * RATE)
    height, speed, down = np.zeros((rows, 2)), np.zeros((rows, 2)), np.ones((rows, 2), dtype=bool)
    low = slice(200, 200 + lasts)
    height[low, 0], speed[low, 0], down[low, 0] = heights, speeds, False
    found = sliding(height, speed, down, RATE, ReferenceSettings())
    assert not found[:, 1].any()
    assert not found[down[:, 0], 0].any()
    return found[low, 0]


def test_what_is_low_and_neither_stands_nor_swings_slides():
    assert _slides(0.01, 1.4, 0.2).all()
    assert _slides(-0.01, 1.0, 0.4).all()


@pytest.mark.parametrize(
    ("height", "speed", "seconds"),
    [
        (0.06, 1.4, 0.2),  # above the ground
        (0.01, 3.0, 0.2),  # as captured swings pass over it
        (0.01, 1.4, 0.08),  # as feet leave it
        (0.01, 0.3, 0.2),  # creeps
    ],
)
def test_what_stands_or_swings_does_not(height, speed, seconds):
    assert not _slides(height, speed, seconds).any()


def test_a_gap_too_short_to_be_one_is_slid_over():
    height, speed = np.full((200, 2), 0.01), np.full((200, 2), 1.4)
    height[100:110] = 0.05
    assert sliding(height, speed, np.zeros((200, 2), dtype=bool), RATE, ReferenceSettings()).all()


def test_a_foot_that_is_drawn_along_the_ground_slides():
    contacts = _contacts(drawing_a_foot(height=0.005))
    moves = slice(round(0.45 * RATE), round(0.55 * RATE))
    assert contacts.slides[moves, 0].all()
    assert not contacts.slides[:, 1].any()
    assert 0.1 < contacts.slides[:, 0].sum() / RATE < 0.3
    assert not (contacts.slides & contacts.feet).any()
    assert contacts.slides.shape == contacts.feet.shape  # the end that is held is in both


def test_a_foot_that_is_lifted_does_not_slide():
    assert not _contacts(drawing_a_foot(height=0.08)).slides.any()


@pytest.mark.parametrize("make", [walking, lambda: crouching(frames=60, fps=60.0)])
def test_who_walks_or_stands_does_not_slide(make):
    assert not _contacts(make()).slides.any()


def _captured(name: str) -> np.ndarray:
    performance = read_performance(MOCAP / f"cmu_{name}.bvh", BakeSettings())
    reference = build_reference(
        performance.motion, performance.body, performance.scene, ReferenceSettings(), rate=RATE, hold_s=0.4
    )
    return reference.contacts.slides


@needs_mocap
@pytest.mark.parametrize("name", ["35_01", "16_15", "07_05"])
def test_captured_walks_do_not_slide(name):
    assert not _captured(name).any()


@needs_mocap
def test_who_limps_drags_the_wounded_leg():
    left, right = _captured("139_19").sum(axis=0) / RATE
    assert right > 1.0 > left
