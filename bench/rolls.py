"""Bakes rolls of all kinds on all kinds of ground, and writes the page about them.

make rolls CLIPS=FOLDER, or from the repository's root:
python -m bench.rolls FOLDER --output docs/rolling.md [--pictures DIR] [--only forward beam] [--engine bullet]
                      [--budget good] [--rows FILE] [--ablations] [--page-only]

Finished bakes are lines of build/rolls/rows.jsonl and are not baked again; delete the file to begin anew. With
--ablations the controller's ideas are switched off one by one instead, always with the budget draft.
"""

import argparse
from pathlib import Path

from bench.roll_cases import ablations, cases
from bench.roll_page import page, verdict
from bench.roll_rows import Job, bake_all, read_rows
from sim_core.engines.engine import available_engines

_BUILD = Path("build/rolls")


def main() -> None:
    engines = available_engines()
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, default=Path("docs/rolling.md"))
    parser.add_argument("--pictures", type=Path, default=_BUILD / "pictures")
    parser.add_argument("--only", nargs="*", default=[], help="how names of cases begin")
    parser.add_argument("--engine", choices=engines, action="append")
    parser.add_argument("--budget", choices=("draft", "good", "best"), default="good")
    parser.add_argument("--rows", type=Path, default=_BUILD / "rows.jsonl")
    parser.add_argument("--ablations", action="store_true")
    parser.add_argument("--page-only", action="store_true")
    options = parser.parse_args()

    def write() -> None:
        options.output.write_text(page(read_rows(options.rows), engines), encoding="utf-8")

    jobs = [
        Job(
            case,
            number,
            engine,
            "draft" if options.ablations else options.budget,
            options.folder,
            options.rows.parent,
            None if options.ablations else options.pictures,
        )
        for number, case in enumerate(ablations() if options.ablations else cases())
        for engine in options.engine or engines
        if not options.only or case.world.name.startswith(tuple(options.only))
    ]
    for row in bake_all([] if options.page_only else jobs, options.rows):
        print(f"{row.name}, {row.engine}, {row.budget}: {verdict(row)}", flush=True)
        write()
    write()


if __name__ == "__main__":
    main()
