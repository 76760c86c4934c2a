"""Bakes every clip on every engine and writes each target beside its figure; long, so it is no part of `make bench`.

make bakes CLIPS=FOLDER, or from the repository's root:
python -m bench.tracking_matrix FOLDER OUT.md [--engine bullet] [--only 07_05] [--budget good] [--workers 2] [--resume]

Finished bakes are lines of build/tracking.jsonl; with --resume they are not baked again.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from bench.bake_rows import Job, Row, bake_all, code_digest
from bench.clips import CREDIT, BenchClip, Group, Half, find_clips
from bench.targets import SHARE_KEPT, share_of, targets_of
from sim_core.engines.engine import available_engines
from sim_core.option_values import budget_of
from sim_core.settings import Budget, EngineName

_ROWS = Path("build/tracking.jsonl")
_INTRO = """# What the bake makes of captured clips

Every row is one call of `bake` with its default settings (`--assist least`), with the budget {budget},
and all numbers are the report's own. {credit}

A cell is the figure after the bake, and after the stroke the most that it may be; bold is what misses. A performance
that was lost meets no target but that of the time it took. Assist is its mean over the clip; at zero the result is pure
physics. Drift is the farthest that the pelvis gets from its path: 0.3 m in a clip of up to 10 s, in proportion more in
a longer one. Of two limits the larger counts. CPU seconds are those of the one rollout that the result is from.

{state}
"""
_GROUPS: dict[Group, str] = {
    "steady": "Walks, styles, squat, boxing, balance",
    "lively": "Runs, jumps, hops, kicks, dance, cartwheel",
}
_HALVES: dict[Half, str] = {"check": "clips that were not used for tuning", "tuning": "clips used for tuning"}


def page(rows: Sequence[Row], clips: Sequence[BenchClip], engines: Sequence[EngineName], budget: Budget) -> str:
    words = budget if isinstance(budget, str) else f"{budget:.0f} s"
    text = _INTRO.format(budget=words, credit=CREDIT, state=state(rows, len(clips) * len(engines)))
    baked = {row.clip for row in rows}
    for half, half_in_words in _HALVES.items():
        for group, group_in_words in _GROUPS.items():
            of_both = [clip.name for clip in clips if (clip.group, clip.half) == (group, half)]
            names = [name for name in of_both if name in baked]
            if names:
                text += f"\n## {group_in_words}: {half_in_words}\n"
                text += summary(rows, names, group, engines) + "\n" + table(rows, names, group)
    beyond = [clip.name for clip in clips if clip.group == "beyond" and clip.name in baked]
    return text + (f"\n## Beyond the targets\n{table(rows, beyond, 'beyond')}" if beyond else "")


def summary(rows: Sequence[Row], names: Sequence[str], group: Group, engines: Sequence[EngineName]) -> str:
    """How many clips meet each target."""
    text = f"| target | {' | '.join(engines)} |\n|---|{'---|' * len(engines)}\n"
    baked = {engine: [row.figures for row in rows if row.engine == engine and row.clip in names] for engine in engines}
    for row_of_targets in zip(*(targets_of(group, engine) for engine in engines), strict=True):
        first = row_of_targets[0]
        if first.limit is None:
            continue
        words = [f"{target.name}: {target.wish}" for target in row_of_targets]
        wanted = 0.0
        if first.name == "assist":
            wanted = SHARE_KEPT
            words = [f"kept, mean assist {first.wish}; wanted of {100 * SHARE_KEPT:.0f} % of the clips"]
        cells = [
            share_of(target, baked[engine]).in_words(target, wanted)
            for target, engine in zip(row_of_targets, engines, strict=True)
        ]
        text += f"| {' or '.join(dict.fromkeys(words))} | {' | '.join(cells)} |\n"
    return text


def table(rows: Sequence[Row], names: Sequence[str], group: Group) -> str:
    heads = [f"{target.name} ({target.unit})" for target in targets_of(group, "mujoco")]
    text = f"| clip | s | engine | kept | {' | '.join(heads)} |\n|{'---|' * (4 + len(heads))}\n"
    for row in sorted((row for row in rows if row.clip in names), key=lambda row: (names.index(row.clip), row.engine)):
        figures = row.figures
        if figures is None:
            text += f"| {row.clip} | | {row.engine} | **error: {row.message}** |{' |' * len(heads)}\n"
            continue
        kept = figures.kept() if figures.completed else f"**{figures.kept()}**"
        cells = [target.cell(figures) for target in targets_of(group, row.engine)]
        text += f"| {row.clip} | {figures.seconds:.1f} | {row.engine} | {kept} | {' | '.join(cells)} |\n"
    return text


def state(rows: Sequence[Row], wanted: int) -> str:
    """What a page lacks."""
    older = sum(row.code != code_digest() for row in rows)
    sentences = [
        *([f"**So far {len(rows)} of {wanted} bakes are done.**"] if len(rows) < wanted else []),
        *([f"**Another version of the code has baked {older} of the rows.**"] if older else []),
    ]
    return " ".join(sentences)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--engine", choices=available_engines(), action="append")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--budget", type=budget_of, default="good", help="draft, good, best or seconds")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_args()
    engines: list[EngineName] = options.engine or list(available_engines())
    clips = find_clips(options.folder)
    asked = find_clips(options.folder, options.only)
    jobs = [Job(clip, engine, options.budget) for clip in asked for engine in engines]
    for every in bake_all(jobs, _ROWS, workers=options.workers, resume=options.resume):
        rows = [row for row in every if row.budget == options.budget]
        if not rows:
            continue
        shown = [engine for engine in available_engines() if engine in {*engines, *(row.engine for row in rows)}]
        options.output.write_text(page(rows, clips, shown, options.budget), encoding="utf-8")
        done = rows[-1]
        print(f"{len(rows):4}  {table([done], [done.clip], 'beyond').splitlines()[-1]}", flush=True)


if __name__ == "__main__":
    main()
