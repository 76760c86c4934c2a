"""The page about worlds, its rows, and that every world can be asked for."""

from dataclasses import replace
from pathlib import Path

import pytest

from bench import world_rows
from bench.bake_rows import code_digest
from bench.real_slopes import Gait, Likeness
from bench.world_list import worlds
from bench.world_rows import Found, Job, Row, bake_all, command, read_rows
from bench.worlds import chosen
from bench.worlds_page import page, verdict
from sim_core.errors import SettingsError
from sim_core.option_values import settings_from
from sim_core.options import make_parser
from sim_core.reporting.happened import LevelSummary
from sim_core.reporting.stance import Stance
from tests.bench.figures import FIGURES

ENGINES = ("bullet", "mujoco")
FOUND = Found(figures=FIGURES, stance=Stance(deepest_m=0.004, highest_m=0.002, skate_m_s=0.02))
LEVEL = LevelSummary(bone="hand_r", mean_deg=1.0, worst_deg=3.0, before_mean_deg=8.0, before_worst_deg=20.0)
HELPED = replace(FIGURES, assist_mean_bw=0.031, assist_peak_bw=0.2)
LOST = replace(FIGURES, completed=False, why="tipped over", fell_at_s=1.0)
WORLDS = {world.name: world for world in worlds()}


def _row(world: str, found: Found | None = FOUND, **fields) -> Row:
    return Row(world=world, engine="mujoco", budget="good", code=code_digest(), found=found, **fields)


def _gait(pitch: float) -> Gait:
    return Gait(pelvis_pitch_deg=pitch, step_of_height=0.4)


def test_worlds_have_names_of_their_own_and_no_clip_of_the_tuning_half():
    assert len(WORLDS) == len(worlds())
    assert {world.part.clip for world in worlds()} <= {"35_01", "07_12", "90_17", "stand"}


@pytest.mark.parametrize("name", WORLDS)
def test_the_command_line_understands_every_world(name, tmp_path):
    job = Job(WORLDS[name], "mujoco", "draft", Path("clips"), tmp_path)
    settings = settings_from(make_parser().parse_args(command(job)))
    assert (settings.budget, settings.workers) == ("draft", 1)
    assert bool(settings.ground.objects) == (WORLDS[name].scene is not None)


@pytest.mark.parametrize(
    ("name", "figures", "said"),
    [
        ("+5 degrees", FIGURES, "✔"),
        ("+5 degrees", HELPED, "needs 3.1 % (at most 20 %) assist"),
        ("+20 degrees", HELPED, "✔ with 3.1 % (at most 20 %) assist"),
        ("+20 degrees", LOST, "✘ tipped over at 1.0 s"),
    ],
)
def test_the_mark_is_honest(name, figures, said):
    assert verdict(_row(name, replace(FOUND, figures=figures)), WORLDS[name]) == said


@pytest.mark.parametrize(("adapted", "mark"), [(4.0, "✔"), (1.0, "✘")])
def test_a_flat_walk_must_come_nearer_to_the_captured_one(adapted, mark):
    world = next(world for world in worlds() if world.like is not None)
    alike = Likeness(captured=_gait(5.0), flat=_gait(2.0), adapted=_gait(adapted))
    assert verdict(_row(world.name, replace(FOUND, likeness=alike)), world).startswith(mark)


def test_the_page_tells_what_was_found_and_what_is_missing():
    rows = [
        _row("+5 degrees", replace(FOUND, stance=replace(FOUND.stance, deepest_m=0.008))),
        _row("carried on a walk", replace(FOUND, levels=(LEVEL,))),
        _row("loose boxes of 20 cm, 1 to 3 kg, marched through", replace(FOUND, moved_m=(0.5, 0.0, 0.3))),
        _row("five up", None, message="SettingsError: no"),
    ]
    text = page(rows, worlds(), ENGINES, {"Slopes": (Path("pictures/worlds/slopes.png"), "mujoco")})
    assert f"So far 4 of {2 * len(WORLDS)} bakes are done." in text
    assert "**8.0**, 2.0, 0.020" in text
    assert "level within 1.0° on average, 3.0° at worst (source: 8.0°, 20.0°)" in text
    assert "2 of 3 moved, by up to 0.50 m" in text
    assert "✘ SettingsError: no" in text
    assert "![Slopes, baked on mujoco](pictures/worlds/slopes.png)" in text


def test_rows_are_kept_and_a_run_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    path = tmp_path / "rows.jsonl"
    alike = Likeness(captured=_gait(5.0), flat=_gait(2.0), adapted=_gait(4.0))
    kept = _row("five up", replace(FOUND, levels=(LEVEL,), moved_m=(0.1,), likeness=alike))
    path.write_text(kept.line() + _row("five down", None, message="no").line() + '{"world": "cut o', encoding="utf-8")
    assert read_rows(path)[0] == kept

    def fail(job: Job) -> Found:
        raise SettingsError(f"no {job.world.name}")

    monkeypatch.setattr(world_rows, "_bake", fail)
    jobs = [Job(WORLDS[name], "mujoco", "good", tmp_path, tmp_path) for name in ("five up", "five down")]
    *_, rows = bake_all(jobs, path, resume=True)
    assert [(row.world, row.message) for row in rows] == [("five up", ""), ("five down", "SettingsError: no five down")]
    assert [row.key for row in read_rows(path)] == [row.key for row in rows]


def test_worlds_are_chosen_by_name_or_group():
    assert [world.name for world in chosen(["five up"], [])] == ["five up"]
    assert {world.group for world in chosen([], ["Ice"])} == {"Ice"}
    with pytest.raises(SystemExit, match="No world is called nowhere"):
        chosen(["nowhere"], [])
