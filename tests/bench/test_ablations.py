"""Ablations change what there is, and are measured until the performance is lost."""

from dataclasses import fields, replace

import pytest

from bench.ablations import ABLATIONS, CLIPS, Ablation, Outcome, outcome, page
from bench.clips import BenchClip
from sim_core.controllers.tracking.heft_gains import Gains
from sim_core.settings import ReferenceSettings


@pytest.mark.parametrize("name", [name for name, ablation in ABLATIONS.items() if ablation != Ablation()])
def test_every_ablation_changes_a_default(name):
    changes = [(Gains(), ABLATIONS[name].gains), (ReferenceSettings(), ABLATIONS[name].reference)]
    for default, change in changes:
        assert set(change) <= {field.name for field in fields(default)}
    assert any(replace(default, **change) != default for default, change in changes)


def test_the_clips_are_three_steady_and_three_lively_of_the_tuning_half():
    clips = [BenchClip(name, None) for name in CLIPS]
    assert [clip.group for clip in clips] == ["steady"] * 3 + ["lively"] * 3
    assert {clip.half for clip in clips} == {"tuning"}


def test_a_row_has_the_share_that_was_kept():
    row = [Outcome(4.0, 4.0, 2.0), Outcome(6.0, 1.0, 4.0)]
    assert "| the default | 50 | 3.0 | all, 2.0 | 1.00, 4.0 |" in page({"the default": row}, ["a", "b"])


def test_a_body_that_nothing_holds_is_lost_soon():
    """The made stand; without joints, balance and feet there is nothing left."""
    nothing = {name: 0.0 for name in ("w_joints", "w_com", "w_root", "w_no_slip", "w_put_down", "w_swing")}
    stand = BenchClip("stand", None, 1.5)
    kept, lost = outcome(stand, Ablation()), outcome(stand, Ablation({**nothing, "w_joints": 1e-6}))
    assert kept.kept_s == kept.seconds
    assert lost.kept_s < kept.kept_s
