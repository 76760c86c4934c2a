"""The bench of rolls: what it asks can be asked, a row is kept by its rule, and the page tells what came of it."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench import world_scenes as scenes
from bench.roll_cases import IDEAS, TUNED_ON, ablations, cases, half_of
from bench.roll_page import page, verdict
from bench.roll_poses import turned_poses
from bench.roll_rows import Found, Row, bake_all, read_rows, speed_spread
from bench.roll_rows import Job as RollJob
from bench.world_rows import Job, command
from sim_core.body.round_flesh import with_round_flesh
from sim_core.controllers.rolling.roll_gains import RollGains
from sim_core.option_values import settings_from
from sim_core.options import make_parser
from sim_core.reporting.roll_summary import RollSummary
from sim_core.rolling.given_poses import phases_of
from sim_core.rolling.key_poses import KINDS
from sim_core.samples.figure import make_figure
from tests.bench.figures import FIGURES
from tests.clips import body_of, standing_clip

ROLL = RollSummary(
    kind="forward",
    asked=3,
    rolls=2.9,
    distance_m=4.0,
    direction_off_deg=5.0,
    speeds_m_s=(1.0, 1.2, 0.8),
    head_peak_n=120.0,
    head_limp_n=900.0,
)
FOUND = Found(figures=FIGURES, roll=ROLL, kept_joint_deg=2.0)


def row(**changes: object) -> Row:
    content: dict[str, object] = {
        "part": "cases",
        "name": "forward x 3, stand",
        "case": "forward x 3",
        "group": "From poses",
        "idea": "",
        "number": 0,
        "character": "stand",
        "half": "tuning",
        "published": "yes",
        "even_speed": False,
        "engine": "mujoco",
        "budget": "good",
        "code": "",
        "found": FOUND,
    }
    return Row(**(content | changes))  # type: ignore[arg-type]


def rolled(**changes: object) -> Found:
    return replace(FOUND, roll=replace(ROLL, **changes))  # type: ignore[arg-type]


def test_names_and_pictures_are_told_apart():
    assert set(Counter(case.world.name for case in cases()).values()) == {1}
    assert set(Counter(case.world.name for case in ablations()).values()) == {1}
    assert set(Counter(case.picture("mujoco") for case in cases()).values()) == {1}


def test_what_is_asked_is_understood(tmp_path):
    for case in [*cases(), *ablations()]:
        arguments = command(Job(case.world, "mujoco", "draft", Path("clips"), tmp_path))
        settings = settings_from(make_parser().parse_args(arguments))
        assert settings.motion == "roll"
        assert settings.assist == "none"


def test_every_idea_is_one_of_the_gains():
    for gains in IDEAS.values():
        assert RollGains(**gains) is not None
    assert {case.idea for case in ablations()} == set(IDEAS)


def test_ideas_are_switched_off_on_what_was_tuned_on():
    assert {half_of(case.character) for case in ablations()} == {"tuning"}
    assert {case.half for case in cases()} == {"tuning", "check"}
    assert half_of("16_35") == half_of("111_21") == "check"
    assert {half_of(name) for name in TUNED_ON} == {"tuning"}


def test_a_roll_that_meets_all_is_kept():
    assert row().missed == ()
    assert verdict(row()) == "yes"


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (replace(FOUND, figures=replace(FIGURES, completed=False)), "lost after 2.9 rolls"),
        (rolled(rolls=2.8), "only 2.8 of 3 rolls"),
        (rolled(direction_off_deg=31.0), "astray by 31°"),
        (replace(FOUND, figures=replace(FIGURES, assist_peak_bw=0.1)), "with assist"),
        (None, "not baked"),
    ],
)
def test_what_is_missed_is_told(found, told):
    assert row(found=found).missed == (told,)


def test_speed_counts_where_it_is_to_be_held():
    uneven = rolled(speeds_m_s=(1.0, 1.5, 0.5))
    assert speed_spread(uneven.roll) == pytest.approx(0.5)
    assert row(found=uneven).missed == ()
    assert row(found=uneven, even_speed=True).missed == ("speed not held",)
    assert row(even_speed=True).missed == ()
    assert row(found=rolled(speeds_m_s=(1.0,)), even_speed=True).missed == ("speed not held",)


def test_rows_come_back_as_they_were(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(row().line() + row(engine="bullet", found=None, message="no").line() + '{"half a', encoding="utf-8")
    assert read_rows(path) == [row(), row(engine="bullet", found=None, message="no")]


def test_no_row_is_baked_twice(tmp_path):
    path = tmp_path / "rows.jsonl"
    case = cases()[0]
    path.write_text(row(name=case.world.name).line(), encoding="utf-8")
    job = RollJob(case, 0, "mujoco", "good", tmp_path, tmp_path, None)
    assert list(bake_all([job], path)) == []


def test_the_page_shows_what_was_missed():
    lost = row(engine="bullet", found=replace(FOUND, figures=replace(FIGURES, completed=False)))
    text = page([row(), lost], ["mujoco", "bullet"])
    assert "| From poses | 1 of 1 | 0 of 1 |" in text
    assert "| bullet | lost after 2.9 rolls | 2.9 of 3 |" in text
    assert "| 120 / 900 | 20 | 0.30 | 1 |" in text
    assert "Each idea" not in text


def test_of_two_budgets_the_larger_is_shown():
    lost = row(budget="draft", found=None, message="no such clip")
    assert "no such clip" in page([lost], ["mujoco"])
    assert "no such clip" not in page([row(), lost], ["mujoco"])


def test_the_page_compares_ideas():
    ablated = row(part="ablations", idea="all contacts, none chosen", budget="draft", found=rolled(rolls=1.4))
    assert "| all contacts, none chosen | 1.4, 2.0 |" in page([ablated], ["mujoco"])


@pytest.mark.parametrize("kind", ["forward", "backward"])
def test_poses_are_turned_as_the_roll_has_turned(kind):
    body = with_round_flesh(body_of(standing_clip(make_figure())))
    phases = phases_of(body, kind, turned_poses(body, kind))
    keys = KINDS[kind].keys
    assert np.degrees(phases) == pytest.approx([keys[k].phase for k in KINDS[kind].two], abs=20.0)


def test_balls_rise_as_far_as_asked():
    (balls,) = scenes.spheres(radius=0.3, apart=0.15, highest=0.1)["objects"]
    heights = [height for line in balls["heights"]["rows"] for height in line]
    assert min(heights) >= 0.0
    assert 0.08 < max(heights) <= 0.1


def test_a_beam_is_as_high_as_the_floor_of_the_clip():
    scene = scenes.beam(width=0.1, height=0.3, length=8.0)
    *things, floor = scene["objects"]
    assert scene["ground"] is None
    for thing in things:
        assert thing["on_path"]["up"] + thing["box"]["size"][2] == pytest.approx(0.0)
    assert floor["on_path"]["up"] + floor["box"]["size"][2] == pytest.approx(-0.3)
