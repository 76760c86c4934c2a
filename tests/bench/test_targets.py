"""Targets beside figures: which are met, what a share counts, and what a cell says."""

from dataclasses import replace

import pytest

from bench.targets import SHARE_KEPT, Target, share_of, targets_of
from tests.bench.figures import FIGURES


def _target(name: str, group="steady", engine="mujoco") -> Target:
    return next(target for target in targets_of(group, engine) if target.name == name)


def test_the_steady_are_kept_without_help_and_the_lively_with_little():
    helped = replace(FIGURES, assist_mean_bw=0.04)
    assert _target("assist").met(FIGURES)
    assert not _target("assist").met(helped)
    assert _target("assist", "lively").met(helped)
    assert not _target("assist", "lively").met(replace(helped, assist_mean_bw=0.06))


def test_a_lost_performance_meets_nothing_but_the_target_of_time():
    lost = replace(FIGURES, completed=False, why="tipped over", fell_at_s=1.0)
    met = [target.name for target in targets_of("steady", "mujoco") if target.met(lost)]
    assert met == ["CPU"]
    assert all(target.met(FIGURES) for target in targets_of("steady", "mujoco"))


@pytest.mark.parametrize(("before", "limit"), [(0.3, 0.1), (0.06, 0.03)])
def test_skate_may_be_a_third_of_the_sources_or_the_least(before, limit):
    figures = replace(FIGURES, before=replace(FIGURES.before, foot_skate_m_s=before))
    assert _target("skate").limit(figures) == pytest.approx(limit)


@pytest.mark.parametrize(("before", "limit"), [(0.3, 6.0), (0.05, 2.0)])
def test_the_physics_error_may_be_a_fifth_of_the_sources_or_the_least(before, limit):
    figures = replace(FIGURES, before=replace(FIGURES.before, physics_error_bw=before))
    assert _target("physics error").limit(figures) == pytest.approx(limit)


@pytest.mark.parametrize(("seconds", "limit"), [(2.0, 0.3), (10.0, 0.3), (20.0, 0.6)])
def test_drift_has_its_limit_over_ten_seconds(seconds, limit):
    assert _target("drift").limit(replace(FIGURES, seconds=seconds)) == pytest.approx(limit)


def test_engines_have_their_own_time():
    assert _target("CPU", engine="mujoco").limit(FIGURES) == 0.5
    assert _target("CPU", engine="bullet").limit(FIGURES) == 0.8


def test_beyond_the_targets_there_are_none():
    assert all(target.limit is None for target in targets_of("beyond", "mujoco"))
    assert [target.name for target in targets_of("beyond", "mujoco")] == [
        target.name for target in targets_of("steady", "mujoco")
    ]


def test_a_cell_has_the_limit_and_is_bold_where_it_is_missed():
    assert _target("joint error").cell(FIGURES) == "3.0 / 4.0"
    assert _target("joint error").cell(replace(FIGURES, joint_deg=5.0)) == "**5.0 / 4.0**"
    assert _target("joint error", "beyond").cell(FIGURES) == "3.0"


def test_a_share_counts_lost_and_failed_clips_but_no_error_of_theirs():
    lost = replace(FIGURES, completed=False, why="tipped over", fell_at_s=1.0, joint_deg=90.0)
    share = share_of(_target("joint error"), [FIGURES, replace(FIGURES, joint_deg=5.0), lost, None])
    assert (share.met, share.of) == (1, 4)
    assert share.mean == pytest.approx(4.0)
    assert share.in_words(_target("joint error")) == "1 of 4 (25 %), mean 4.0"


def test_too_small_a_share_is_bold():
    target = _target("assist")
    enough = share_of(target, [FIGURES] * 4 + [None])
    assert enough.in_words(target, SHARE_KEPT) == "4 of 5 (80 %), mean 0.0"
    assert share_of(target, [FIGURES, None]).in_words(target, SHARE_KEPT).startswith("**1 of 2 (50 %)**")
    assert share_of(target, []).in_words(target, SHARE_KEPT) == "none baked"
