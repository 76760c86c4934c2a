"""Bakes with virtual actuators what their paper shows and more, and writes the page about it with its pictures.

make actuators CLIPS=FOLDER, or from the repository's root:
python -m bench.virtual_actuators FOLDER docs/virtual_actuators.md [--part experiments dial] [--engine bullet]
                                  [--only 35_01] [--resume] [--page-only]

Finished bakes are lines of build/actuators/rows.jsonl: with --resume they are not baked again, with --page-only none
is; those that are not asked for stay as they are.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from bench.va_experiments import PARTS, experiments, trials
from bench.va_page import page, verdict
from bench.va_plot import draw_dial
from bench.va_rows import Row, bake_all, jobs_for, read_rows
from bench.world_sheets import write_sheets
from sim_core.engines.engine import available_engines

_BUILD = Path("build/actuators")
_PICTURES = Path("pictures/actuators")
_CURVE = Path("pictures/dial_curve.png")
_WORKERS = 2
_PAGE_EVERY = 20  # bakes


def main() -> None:
    engines = available_engines()
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--part", nargs="*", choices=PARTS, default=PARTS)
    parser.add_argument("--engine", choices=engines, action="append")
    parser.add_argument("--only", nargs="*", default=[], help="how names of bakes begin")
    parser.add_argument("--build", type=Path, default=_BUILD, help="where rows, scenes and strips are kept")
    parser.add_argument("--workers", type=int, default=_WORKERS)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--page-only", action="store_true")
    options = parser.parse_args()
    path = options.build / "rows.jsonl"

    def write(rows: Sequence[Row]) -> None:
        shown = [trial.world for trial in experiments()]
        sheets = write_sheets(shown, engines, options.build, options.output.parent, _PICTURES)
        curve = _CURVE if draw_dial(options.output.parent / _CURVE, rows) else None
        options.output.write_text(page(rows, engines, sheets, curve), encoding="utf-8")

    if options.page_only:
        write(read_rows(path))
        return
    jobs = [
        job
        for part in options.part
        for job in jobs_for(trials(part, options.folder), engines, options.folder, options.build)
        if job.engine in (options.engine or engines)
        and (not options.only or job.trial.world.name.startswith(tuple(options.only)))
    ]
    for count, rows in enumerate(bake_all(jobs, path, workers=options.workers, resume=options.resume), start=1):
        row = rows[-1]
        print(f"{count:4} of {len(jobs)}  {row.part}: {row.name}, {row.engine}: {verdict(row)}", flush=True)
        if count % _PAGE_EVERY == 0:
            write(rows)
    write(read_rows(path))


if __name__ == "__main__":
    main()
