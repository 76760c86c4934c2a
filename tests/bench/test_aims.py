"""Aims of all clips together: who meets them, who misses, and who counts."""

from dataclasses import replace

from bench.aims import AIMS, helped_after_the_clip, tally, unassisted
from bench.bake_rows import Row
from tests.bench.figures import FIGURES

KEPT, UNHELPED, REST = AIMS
HELPED = replace(FIGURES, assist_mean_bw=0.03, assist_peak_bw=0.2, frames_helped=12)
HELPED_MUCH = replace(HELPED, assist_mean_bw=0.06)
LOST = replace(FIGURES, completed=False, why="tipped over", fell_at_s=1.0)


def _row(name, figures):
    return Row(clip=name, engine="mujoco", code="abc", budget="good", figures=figures, message="" if figures else "no")


ROWS = [_row("a", FIGURES), _row("b", HELPED), _row("c", HELPED_MUCH), _row("d", LOST), _row("e", None)]


def _missed(aim):
    return [row.clip for row in tally(aim, ROWS).missed]


def test_lost_and_unbaked_clips_are_not_kept():
    assert _missed(KEPT) == ["d", "e"]
    assert tally(KEPT, ROWS)[:2] == (3, 5)


def test_a_breath_of_help_is_help():
    assert unassisted(FIGURES)
    assert not unassisted(replace(FIGURES, assist_mean_bw=1e-6))  # too little for any frame to be counted
    assert not unassisted(replace(FIGURES, frames_helped=1))
    assert not unassisted(LOST)
    assert _missed(UNHELPED) == ["b", "c", "d", "e"]


def test_the_rest_are_all_that_were_not_kept_by_physics_alone():
    assert _missed(REST) == ["c", "d", "e"]
    assert tally(REST, ROWS)[:2] == (1, 4)
    assert tally(REST, ROWS[:1]).in_words(REST) == "none"


def test_help_after_the_last_frame_is_none_in_the_clip_but_is_known():
    after = replace(FIGURES, assist_hold_bw=0.02)
    assert unassisted(after)
    assert helped_after_the_clip(after)
    assert not helped_after_the_clip(FIGURES)
    assert not helped_after_the_clip(replace(HELPED, assist_hold_bw=0.02))


def test_too_few_are_bold():
    assert tally(KEPT, ROWS).in_words(KEPT) == "**3 of 5 (60.0 %)**"
    assert tally(UNHELPED, [ROWS[0]] * 3 + [ROWS[1]]).in_words(UNHELPED) == "3 of 4 (75.0 %)"
    assert tally(UNHELPED, [ROWS[0]] * 2 + [ROWS[1]]).in_words(UNHELPED) == "**2 of 3 (66.7 %)**"
