"""Bakes falls of many kinds, and writes the page about them.

make falls CLIPS=FOLDER, or from the repository's root:
python -m bench.falls FOLDER --output docs/falling.md [--pictures DIR] [--only walk run] [--part head] [--engine bullet]
                      [--rows FILE] [--page-only]

Finished bakes are lines of build/falls/rows.jsonl and are not baked again; delete the file to begin anew.
"""

import argparse
from pathlib import Path

from bench.fall_cases import cases
from bench.fall_page import page, verdict
from bench.fall_rows import Job, bake_all, read_rows
from sim_core.engines.engine import available_engines

_BUILD = Path("build/falls")


def main() -> None:
    engines = available_engines()
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, default=Path("docs/falling.md"))
    parser.add_argument("--pictures", type=Path, default=_BUILD / "pictures")
    parser.add_argument("--only", nargs="*", default=[], help="how names of falls begin")
    parser.add_argument("--part", action="append")
    parser.add_argument("--engine", choices=engines, action="append")
    parser.add_argument("--rows", type=Path, default=_BUILD / "rows.jsonl")
    parser.add_argument("--page-only", action="store_true")
    options = parser.parse_args()

    def write() -> None:
        options.output.write_text(page(read_rows(options.rows), engines), encoding="utf-8")

    jobs = [
        Job(case, number, engine, options.folder, options.rows.parent / engine, options.pictures)
        for number, case in enumerate(cases())
        for engine in options.engine or engines
        if not options.only or case.world.name.startswith(tuple(options.only))
        if not options.part or case.part in options.part
    ]
    for row in bake_all([] if options.page_only else jobs, options.rows):
        print(f"{row.name}, {row.engine}: {verdict(row)}", flush=True)
        write()
    write()


if __name__ == "__main__":
    main()
