"""Bakes a walk and a stand in every world on every engine, and writes the page about it with its pictures; hours.

make worlds CLIPS=FOLDER, or from the repository's root:
python -m bench.worlds FOLDER OUT.md [--only "five up"] [--group Stairs] [--engine bullet] [--budget draft]
                                     [--resume] [--page-only]

Finished bakes are lines of build/worlds/rows.jsonl: with --resume they are not baked again, with --page-only none is.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from bench.world_list import World, worlds
from bench.world_rows import Job, Row, bake_all, read_rows
from bench.world_sheets import write_sheets
from bench.worlds_page import page, verdict
from sim_core.engines.engine import available_engines
from sim_core.settings import EngineName

_BUILD = Path("build/worlds")


def chosen(names: Sequence[str], groups: Sequence[str]) -> list[World]:
    """The worlds of these names and of groups that begin so; all where nothing is given."""
    every = worlds()
    unknown = [name for name in names if name not in {world.name for world in every}]
    if unknown:
        raise SystemExit(f"No world is called {', '.join(unknown)}; there are {'; '.join(w.name for w in every)}.")
    return [
        world
        for world in every
        if not (names or groups) or world.name in names or any(world.group.startswith(group) for group in groups)
    ]


def main() -> None:
    engines = available_engines()
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="names of worlds")
    parser.add_argument("--group", nargs="*", default=[], help="how names of groups begin")
    parser.add_argument("--engine", choices=engines, action="append")
    parser.add_argument("--budget", default="good")
    parser.add_argument("--build", type=Path, default=_BUILD, help="where rows, scenes and strips are kept")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--page-only", action="store_true")
    options = parser.parse_args()
    path = options.build / "rows.jsonl"

    def write(rows: Sequence[Row]) -> None:
        sheets = write_sheets(worlds(), engines, options.build, options.output.parent)
        text = page(rows, worlds(), engines, sheets, options.budget)
        options.output.write_text(text, encoding="utf-8")

    if options.page_only:
        write(read_rows(path))
        return
    asked: Sequence[EngineName] = options.engine or engines
    jobs = [
        Job(world, engine, options.budget, options.folder, options.build)
        for world in chosen(options.only, options.group)
        for engine in asked
    ]
    known = {world.name: world for world in worlds()}
    for rows in bake_all(jobs, path, resume=options.resume):
        row = rows[-1]
        said = verdict(row, known[row.world]) if row.world in known else "no longer asked for"
        print(f"{len(rows):4}  {row.world}, {row.engine}: {said}", flush=True)
        write(rows)


if __name__ == "__main__":
    main()
