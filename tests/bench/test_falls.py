"""The bench of falls: what it asks can be asked, a row is good by its rule, and the page tells what came of it."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.fall_cases import IDEAS, TUNED_ON, cases
from bench.fall_page import page, verdict
from bench.fall_rows import Found, Row, bake_all, farthest_apart, read_rows, usable_after_s
from bench.fall_rows import Job as FallJob
from bench.world_names import file_name
from bench.world_rows import Job, command
from sim_core.controllers.falling.fall_gains import FallGains
from sim_core.falling.fall_script import SPLINES
from sim_core.option_values import settings_from
from sim_core.options import make_parser
from sim_core.reporting.fall_summary import FallSummary
from tests.bench.figures import FIGURES

FALL = FallSummary(
    style="brace",
    at_s=0.3,
    rests_at_s=2.8,
    head_ns=1.0,
    blows_ns=100.0,
    limp_head_ns=60.0,
    limp_blows_ns=700.0,
    hardest=(("left forearm", 20.0),),
    tries=61,
    first_blows_ns=150.0,
)
FOUND = Found(
    figures=FIGURES,
    fall=FALL,
    frozen_head_ns=40.0,
    frozen_blows_ns=500.0,
    jerk_after_rest=0.0,
    tries_s=((4, 3.0, 210.0), (16, 15.0, 190.0), (61, 60.0, 100.0)),
)


def row(**changes: object) -> Row:
    content: dict[str, object] = {
        "part": "head",
        "name": "400 N, back",
        "group": "400 N",
        "idea": "",
        "number": 0,
        "clip": "stand",
        "half": "tuning",
        "engine": "mujoco",
        "budget": "good",
        "code": "",
        "found": FOUND,
    }
    return Row(**(content | changes))  # type: ignore[arg-type]


def fallen(**changes: object) -> Found:
    return replace(FOUND, fall=replace(FALL, **changes))  # type: ignore[arg-type]


def test_names_and_pictures_are_told_apart():
    assert set(Counter(case.world.name for case in cases()).values()) == {1}
    assert set(Counter(file_name(case.world.name) for case in cases()).values()) == {1}


def test_what_is_asked_is_understood(tmp_path):
    for case in cases():
        arguments = command(Job(case.world, "mujoco", "draft", Path("clips"), tmp_path))
        settings = settings_from(make_parser().parse_args(arguments))
        is_captured = case.part == "clips" or case.world.name.startswith("getup")
        assert settings.motion == ("track" if is_captured else "fall")


def test_every_idea_is_one_of_the_gains_or_splines():
    for gains, units in IDEAS.values():
        assert FallGains(**gains) is not None
        assert set(units) <= set(SPLINES)
    assert {case.idea for case in cases() if case.part == "ideas"} == set(IDEAS)


def test_ideas_are_switched_off_on_what_was_tuned_on():
    assert {case.half for case in cases() if case.part == "ideas"} == {"tuning"}
    assert {case.half for case in cases()} == {"tuning", "check"}
    assert {case.half for case in cases() if case.world.part.clip in TUNED_ON} == {"tuning"}


def test_a_fall_that_meets_all_is_good():
    assert row().missed == ()
    assert verdict(row()) == "yes"


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (fallen(head_ns=4.1), "head"),
        (fallen(blows_ns=251.0), "blows"),
        (fallen(limp_blows_ns=190.0), "blows"),
        (fallen(rests_at_s=3.4), "rests late"),
        (fallen(rests_at_s=None), "no rest"),
        (replace(FOUND, jerk_after_rest=0.2), "moves on"),
        (replace(FOUND, figures=replace(FIGURES, after=replace(FIGURES.after, penetration_m=0.02))), "deep"),
        (Found(figures=replace(FIGURES, completed=False)), "lost"),
        (Found(figures=replace(FIGURES, after=FIGURES.before)), "physics error"),
        (None, "not baked"),
    ],
)
def test_what_is_missed_is_told(found, told):
    assert row(found=found).missed == (told,)


@pytest.mark.parametrize(
    ("changes", "told"),
    [({}, ()), ({"assist_mean_bw": 0.06}, ("much help",)), ({"completed": False, "assist_mean_bw": 0.0}, ("lost",))],
)
def test_who_gets_up_stands_with_hardly_any_help(changes, told):
    assert row(part="up", found=replace(FOUND, figures=replace(FIGURES, **changes))).missed == told


def test_who_falls_by_surprise_is_hit_no_harder_than_who_does_nothing():
    assert row(part="surprises", found=fallen(head_ns=39.0, blows_ns=490.0)).missed == ()
    assert row(part="surprises", found=fallen(head_ns=41.0, blows_ns=510.0)).missed == ("head", "blows")


def test_a_head_that_is_hardly_touched_is_spared():
    assert row(found=fallen(head_ns=0.9, limp_head_ns=2.0)).missed == ()


def test_a_fall_is_usable_once_it_costs_at_most_twice_the_best():
    assert usable_after_s(FOUND) == 15.0
    assert usable_after_s(replace(FOUND, tries_s=())) is None


def test_takes_are_as_far_apart_as_their_joints_at_most():
    one, other = np.zeros((4, 2, 3)), np.zeros((4, 2, 3))
    other[2, :, 1] = 0.1, 0.3
    takes = [replace(FOUND, joints=tuple(map(tuple, way.reshape(4, -1).tolist()))) for way in (one, other)]
    assert farthest_apart(*takes) == pytest.approx(0.2)


def test_rows_come_back_as_they_were(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(row().line() + row(engine="bullet", found=None, message="no").line() + '{"half a', encoding="utf-8")
    assert read_rows(path) == [row(), row(engine="bullet", found=None, message="no")]


def test_no_row_is_baked_twice(tmp_path):
    path = tmp_path / "rows.jsonl"
    case = cases()[0]
    path.write_text(row(name=case.world.name).line(), encoding="utf-8")
    assert list(bake_all([FallJob(case, 0, "mujoco", tmp_path, tmp_path, tmp_path)], path)) == []


def test_the_page_shows_what_was_missed():
    hit = row(engine="bullet", found=fallen(head_ns=20.0))
    text = page([row(), hit], ["mujoco", "bullet"])
    assert "| 400 N | 1 of 1 | 0 of 1 |" in text
    assert "| back | tuning | bullet | head | 20.0 | 60 / 40 |" in text
    assert "| 61 | 15, 60 |" in text
    assert "Each idea" not in text


def test_the_page_compares_ideas():
    without = row(part="ideas", group="Ideas", name="back, no reflex", idea="no reflex", found=fallen(blows_ns=130.0))
    assert "| no reflex | 130 (1.0) |" in page([without], ["mujoco"])
