"""The page of results: aims, every bake with both budgets side by side, and what is not there yet."""

import sys
from dataclasses import replace

import pytest

from bench import results
from bench.bake_rows import Row, code_digest
from bench.clips import BenchClip
from bench.results_page import page
from sim_core.motion.source_clip import write_new
from sim_core.samples.catalogue import make_sample
from tests.bench.figures import FIGURES

CLIPS = [BenchClip(name, None) for name in ("07_05", "walk", "74_16")]
ENGINES = ("bullet", "mujoco")
HELPED = replace(
    FIGURES, assist_mean_bw=0.0312, frames_helped=9, joint_deg=5.0, rollouts_s=9.0, cpu_s=6.0, given_up=("It fell.",)
)
LOST = replace(FIGURES, completed=False, why="tipped over", fell_at_s=1.0, joint_deg=50.0)
WITH = {"code": code_digest(), "day": "2026-01-02", "versions": "Python 3.11.0, numpy 1.26.4"}


def _rows(figures_of):
    return [
        Row(clip=clip.name, engine=engine, budget=budget, figures=figures_of(clip.name, engine, budget), **WITH)
        for clip in CLIPS
        for engine in ENGINES
        for budget in ("good", "draft")
    ]


def _page(figures_of=lambda *_: FIGURES):
    return page(_rows(figures_of), CLIPS, ENGINES)


def test_aims_stand_beside_what_was_found_and_who_misses_is_named():
    figures = {("walk", "bullet", "good"): LOST, ("07_05", "mujoco", "good"): HELPED}
    text = _page(lambda *key: figures.get(key, FIGURES))
    assert "| kept to the end | at least 95 % | **2 of 3 (66.7 %)** | 3 of 3 (100.0 %) | **5 of 6 (83.3 %)** |" in text
    assert "| no assist at all | at least 75 % | **2 of 3 (66.7 %)** | **2 of 3 (66.7 %)** |" in text
    assert "| **0 of 1 (0.0 %)** | 1 of 1 (100.0 %) | **1 of 2 (50.0 %)** |" in text
    assert "\nLost:\n- bullet: walk (tipped over at 1.0 s)\n- mujoco: none\n" in text
    assert "- mujoco: 07_05 (3.12 %)\n" in text
    assert "- 07_05, mujoco: It fell.\n" in text


def test_good_and_draft_are_side_by_side():
    text = _page(lambda name, engine, budget: HELPED if budget == "draft" else FIGURES)
    cells = "| yes / yes | 0.00 / **3.12** | 3.0 / 5.0 | 0.050 / 0.050 | 1.0 / 1.0 | 4 / 9 | 0.5 / 1.5 |"
    assert f"| 07_05 | tuning | all | 4.0 | mujoco {cells}" in text
    assert f"| 74_16 | check | frames 1 to 150 | 4.0 | bullet {cells}" in text
    assert "It fell." not in text  # only what is left to be done of the better result


def test_means_are_of_what_both_kept_and_time_is_of_all():
    figures = {("walk", "mujoco", "draft"): LOST, ("07_05", "mujoco", "draft"): HELPED}
    text = _page(lambda *key: figures.get(key, FIGURES))
    assert "| kept (% of clips) | 100.0 / 100.0 | 100.0 / 66.7 | 100.0 / 83.3 |" in text
    assert "| no assist at all (% of clips) | 100.0 / 100.0 | 100.0 / 33.3 | 100.0 / 66.7 |" in text
    assert "| joint error (deg) | 3.0 / 3.0 | 3.0 / 4.0 | 3.0 / 3.4 |" in text
    assert "| CPU s per s | 0.5 / 0.5 | 0.5 / 0.8 | 0.5 / 0.7 |" in text


def test_help_after_the_last_frame_is_counted_by_itself():
    text = _page(lambda name, *_: replace(FIGURES, assist_hold_bw=0.1) if name == "walk" else FIGURES)
    assert "| of those without assist: helped after the last frame | | 1 | 1 | 2 |" in text
    assert "\nHelped only after the last frame:\n- bullet: walk\n- mujoco: walk\n" in text


def test_a_page_says_what_it_is_of_and_what_it_lacks():
    text = _page()
    assert "Baked 2026-01-02 with Python 3.11.0, numpy 1.26.4." in text
    assert "So far" not in text
    rows = _rows(lambda *_: FIGURES)[:-1]
    rows[0] = replace(rows[0], figures=None, message="SettingsError: no", day="2026-01-04")
    text = page(rows, CLIPS, ENGINES)
    assert "So far 11 of 12 bakes are done" in text
    assert "| **error: SettingsError: no** / yes | - / 0.00 |" in text
    assert "| 74_16 | check | frames 1 to 150 | 4.0 | mujoco | yes / - |" in text
    assert "Baked 2026-01-02 to 2026-01-04 with" in text
    assert page([], CLIPS, ENGINES).count("| none | none | none |") == 3


def test_short_clips_come_first_and_unreadable_ones_last(tmp_path):
    clips = [BenchClip(name, tmp_path / f"{name}.bvh") for name in ("broken", "long", "short")]
    clips[0].path.write_text("nothing", encoding="utf-8")
    write_new(clips[1].path, make_sample("stand", 1.0))
    write_new(clips[2].path, make_sample("stand", 0.5))
    assert [clip.name for clip in results.shortest_first(clips)] == ["short", "long", "broken"]


@pytest.fixture
def calls(monkeypatch, tmp_path):
    """Runs the program with bakes that are only listed."""
    asked = []

    def listed(jobs, path, *, workers, resume):
        asked.extend(job.key for job in jobs)
        yield [Row(clip=jobs[0].clip.name, engine="mujoco", budget="good", figures=FIGURES, **WITH)]

    def call(*arguments):
        output = tmp_path / "out.md"
        rows = ["--rows", str(tmp_path / "rows.jsonl")]
        monkeypatch.setattr(sys, "argv", ["results", str(tmp_path), str(output), *rows, *arguments])
        results.main()
        return asked, output.read_text(encoding="utf-8")

    monkeypatch.setattr(results, "bake_all", listed)
    write_new(tmp_path / "own.bvh", make_sample("stand", 0.5))
    return call


def test_a_run_can_be_limited(calls):
    asked, text = calls("--only", "own", "--engine", "mujoco", "--budget", "draft")
    assert asked == [("own", "mujoco", "draft")]
    assert "| own | check | all | 4.0 | mujoco | yes / - |" in text


def test_both_budgets_of_a_clip_come_before_the_next_clip(calls):
    asked, _ = calls("--only", "own", "--engine", "mujoco")
    assert asked == [("own", "mujoco", "draft"), ("own", "mujoco", "good")]


def test_a_page_can_be_written_without_baking(calls, tmp_path):
    row = Row(clip="own", engine="mujoco", budget="draft", figures=FIGURES, **WITH)
    (tmp_path / "rows.jsonl").write_text(row.line(), encoding="utf-8")
    asked, text = calls("--page-only")
    assert asked == []
    assert "| own | check | all | 4.0 | mujoco | - / yes |" in text
