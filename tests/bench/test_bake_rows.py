"""Rows of bakes: kept line by line, taken up again, and no clip that fails ends the run."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from bench import bake_rows
from bench.bake_rows import Job, Row, bake_all, bake_row, read_rows, row_of
from bench.clips import BenchClip
from tests.bench.figures import FIGURES

ROW = Row(clip="walk", engine="mujoco", code="abc", budget=60.0, figures=replace(FIGURES, given_up=("It fell.",)))
FAILED = Row(clip="run", engine="mujoco", code="abc", budget=60.0, figures=None, message="SettingsError: no")


@pytest.mark.parametrize("row", [ROW, FAILED])
def test_a_row_comes_back_from_its_line_as_it_was(row):
    assert row_of(row.line()) == row


def test_of_what_was_left_the_last_whole_line_of_a_bake_counts(tmp_path):
    path = tmp_path / "rows.jsonl"
    other = replace(ROW, budget="draft")
    newer = replace(ROW, code="def")
    path.write_text("".join(row.line() for row in (ROW, FAILED, other, newer)) + ROW.line()[:40], encoding="utf-8")
    assert read_rows(path) == [newer, FAILED, other]
    assert read_rows(tmp_path / "none.jsonl") == []


def _run(path, names, resume, budget=60.0):
    jobs = [Job(BenchClip(name, None), "mujoco", budget) for name in names]
    return list(bake_all(jobs, path, workers=1, resume=resume))


@pytest.fixture
def quick_bakes(monkeypatch, tmp_path):
    """Bakes that only leave their name, in threads, since a process could not be given them."""
    log = tmp_path / "log"
    log.touch()

    def quick(job: Job, code: str) -> Row:
        with log.open("a", encoding="utf-8") as file:
            file.write(job.clip.name + " ")
        return Row(clip=job.clip.name, engine=job.engine, code=code, budget=job.budget, figures=FIGURES)

    monkeypatch.setattr(bake_rows, "ProcessPoolExecutor", ThreadPoolExecutor)
    monkeypatch.setattr(bake_rows, "bake_row", quick)
    return log


def test_a_run_that_was_stopped_goes_on_where_it_ended(tmp_path, quick_bakes):
    path = tmp_path / "build" / "rows.jsonl"
    assert [len(rows) for rows in _run(path, ["walk"], resume=False)] == [1]
    with path.open("a", encoding="utf-8") as file:
        file.write(ROW.line()[:40])  # it was stopped here
    assert [len(rows) for rows in _run(path, ["walk", "run"], resume=True)] == [1, 2]
    assert quick_bakes.read_text() == "walk run "
    assert [row.clip for row in read_rows(path)] == ["walk", "run"]


def test_what_could_not_be_baked_is_tried_again(tmp_path, quick_bakes):
    path = tmp_path / "rows.jsonl"
    path.write_text(FAILED.line(), encoding="utf-8")
    assert [len(rows) for rows in _run(path, ["run"], resume=True)] == [1]
    assert [row.figures for row in read_rows(path)] == [FIGURES]


def test_another_budget_is_another_bake(tmp_path, quick_bakes):
    path = tmp_path / "rows.jsonl"
    _run(path, ["walk"], resume=False)
    _run(path, ["walk"], resume=True, budget="draft")
    assert [row.key for row in read_rows(path)] == [("walk", "mujoco", 60.0), ("walk", "mujoco", "draft")]


def test_a_run_that_is_not_resumed_begins_anew(tmp_path, quick_bakes):
    path = tmp_path / "rows.jsonl"
    _run(path, ["walk"], resume=False)
    _run(path, ["run"], resume=False)
    assert [row.clip for row in read_rows(path)] == ["run"]


def test_a_clip_that_cannot_be_read_is_a_row_with_a_sentence(tmp_path):
    broken = tmp_path / "cmu_00_01.bvh"
    broken.write_text("nothing", encoding="utf-8")
    row = bake_row(Job(BenchClip("00_01", broken), "mujoco", 60.0), "abc")
    assert row.figures is None
    assert row.message
    assert row.day
    assert "numpy" in row.versions
