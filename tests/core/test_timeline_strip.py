"""The strip over the timeline: levels of frames, and where they come to lie."""

import numpy as np
import pytest

from sim_core.reporting import take as take_module
from tests.addon_modules import addon_module
from tests.takes import made_take

colours = addon_module("drawing.colours")
quality = addon_module("drawing.frame_quality")
strip = addon_module("drawing.strip_geometry")


def test_a_frame_is_as_bad_as_its_worst_measure():
    fine, bad = quality.ERROR.level
    error = np.array([fine, 0.5 * (fine + bad), 9.0, np.nan])
    unknown_last = np.array([0.0, 0.0, 0.0, np.nan])
    take = made_take(take_module, frames=4, error_before=error, skate_before=unknown_last, height_before=unknown_last)
    worst = quality.before(take).worst
    assert worst[:3] == pytest.approx([0.0, 1.0, 2.0])
    assert np.isnan(worst[3])


def test_a_body_in_the_ground_shows_and_one_in_the_air_does_not():
    take = made_take(take_module, frames=2, height_before=np.array([-0.141, 0.3]))
    assert [quality.before(take).in_words(row) for row in (0, 1)] == ["penetration 141 mm", "good"]


def test_a_light_hand_is_green_in_the_strip_as_in_the_panel():
    take = made_take(take_module, frames=1, assist_bw=np.array([quality.ASSIST.level.fine]))
    assert quality.after(take).worst == pytest.approx([0.0])


def test_what_one_measure_does_not_know_another_may():
    take = made_take(take_module, frames=2, skate_before=np.array([np.nan, np.nan]), error_before=np.array([9.0, 0.0]))
    assert quality.before(take).worst == pytest.approx([2.0, 0.0])


def test_only_the_result_is_helped():
    take = made_take(take_module, frames=2, assist_bw=np.array([0.0, 0.5]))
    assert quality.before(take).worst == pytest.approx([0.0, 0.0])
    assert quality.after(take).worst == pytest.approx([0.0, 2.0])
    assert [quality.after(take).in_words(row) for row in (0, 1)] == ["good", "assist 50 %"]


def test_levels_have_the_colours_of_the_panel():
    shades = quality.level_colours(np.array([0.0, 1.0, 2.0, np.nan]))
    assert shades == pytest.approx(np.array([colours.GOOD, colours.WARNING, colours.BAD, colours.UNKNOWN]))


def test_frames_lie_around_their_numbers():
    seen = strip.columns(np.arange(5.0), first=100.0, pitch=10.0, width=1000)
    assert seen.left[0] == 95.0
    assert (seen.right - seen.left == 10.0).all()
    assert (seen.levels == np.arange(5.0)).all()


def test_frames_out_of_sight_are_left_out():
    seen = strip.columns(np.arange(100.0), first=-50.0, pitch=10.0, width=200)
    assert seen.left.min() > -10.0
    assert seen.left.max() < 200.0


def test_a_single_bad_frame_shows_among_thousands():
    levels = np.zeros(10_000)
    levels[4321] = 2.0
    seen = strip.columns(levels, first=0.0, pitch=0.05, width=1000)
    assert len(seen.levels) == 500
    assert seen.levels.max() == 2.0
    assert seen.left[seen.levels.argmax()] == np.floor(4321 * 0.05)


def test_crowded_frames_that_are_all_out_of_sight():
    assert len(strip.columns(np.zeros(100), first=-500.0, pitch=0.5, width=200).levels) == 0


@pytest.mark.parametrize("pixel", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("has_markers", [True, False])
@pytest.mark.parametrize("height", [20, 33, 45, 60, 80, 200])
def test_rows_stay_within_the_editor_and_one_above_the_other(height, has_markers, pixel):
    height = round(height * pixel)
    place = strip.layout(height, pixel, has_markers)
    (low_before, high_before), (low_after, high_after) = place.rows()
    assert 0.0 <= low_after < high_after <= low_before < high_before <= height
    assert high_before == place.top


def test_frame_numbers_stay_free():
    tall, low = strip.layout(200, 1.0, False), strip.layout(33, 1.0, False)
    assert tall.top < 200 - 22
    assert tall.has_labels
    assert tall.has_caption
    assert low.bottom > 33 - 6, "two thin lines over the numbers"
    assert not low.has_labels


def test_markers_stay_free():
    assert strip.layout(200, 1.0, True).bottom - strip.layout(200, 1.0, False).bottom >= 20
