"""Bakes every clip on every engine with the budgets Good and Draft, and writes the page of results; hours.

make results CLIPS=FOLDER, or from the repository's root:
python -m bench.results FOLDER OUT.md [--only kick] [--engine bullet] [--budget draft] [--workers 2]
                                      [--resume] [--page-only]

Finished bakes are lines of build/results.jsonl: with --resume they are not baked again, with --page-only nothing is.
"""

import argparse
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from bench.bake_rows import Job, Key, Row, bake_all, read_rows
from bench.clips import BenchClip, find_clips, read_clip
from bench.results_page import page
from sim_core.engines.engine import available_engines
from sim_core.errors import HeftError
from sim_core.settings import BakeSettings, EngineName

_ROWS = Path("build/results.jsonl")
_BUDGETS: tuple[Literal["draft", "good"], ...] = ("draft", "good")


def shortest_first(clips: Sequence[BenchClip]) -> list[BenchClip]:
    """So that a run which is stopped has most of the clips."""
    return sorted(clips, key=_seconds)


def _seconds(clip: BenchClip) -> float:
    try:
        motion = read_clip(clip, BakeSettings()).motion
    except (HeftError, ArithmeticError, ValueError):
        return float("inf")  # its row will say what is wrong
    return len(motion) / motion.fps


def add_settled(path: Path, wanted: Collection[Key]) -> bool:
    """Rows of drafts that needed no help stand for Good as well: it begins with the same pass and then has nothing to
    look for. Whether the file now has any."""
    rows = read_rows(path)
    known = {row.key for row in rows}
    settled = [replace(row, budget="good") for row in rows if row.budget == "draft" and needed_nothing(row)]
    new = [row for row in settled if row.key in wanted and row.key not in known]
    with path.open("a", encoding="utf-8") as file:
        file.writelines(row.line() for row in new)
    return bool(rows)


def needed_nothing(row: Row) -> bool:
    figures = row.figures
    return figures is not None and figures.completed and figures.assist_limit_bw == 0.0


def _in_words(row: Row) -> str:
    words = f"{row.clip}, {row.engine}, {row.budget}"
    if row.figures is None:
        return f"{words}: {row.message}"
    assist = f"assist {100.0 * row.figures.assist_mean_bw:.2f} %, CPU {row.figures.cpu_s:.0f} s"
    return f"{words}: kept {row.figures.kept()}, {assist}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="names of clips")
    parser.add_argument("--engine", choices=available_engines(), action="append")
    parser.add_argument("--budget", choices=_BUDGETS, action="append")
    parser.add_argument("--workers", type=int, default=2, help="bakes at a time")
    parser.add_argument("--rows", type=Path, default=_ROWS, help="the lines of finished bakes")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--page-only", action="store_true")
    options = parser.parse_args()
    clips, engines = find_clips(options.folder), available_engines()

    def write(rows: Sequence[Row]) -> None:
        options.output.write_text(page(rows, clips, engines), encoding="utf-8")

    if options.page_only:
        write(read_rows(options.rows))
        return
    asked: Sequence[EngineName] = options.engine or engines
    baked = shortest_first(find_clips(options.folder, options.only))
    resume = options.resume
    for budget in options.budget or _BUDGETS:
        jobs = [Job(clip, engine, budget) for clip in baked for engine in asked]
        if budget == "good":
            resume = add_settled(options.rows, {job.key for job in jobs}) or resume
        for rows in bake_all(jobs, options.rows, workers=options.workers, resume=resume):
            write(rows)
            print(f"{len(rows):4}  {_in_words(rows[-1])}", flush=True)
        resume = True


if __name__ == "__main__":
    main()
