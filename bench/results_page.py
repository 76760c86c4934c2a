"""The page of results: aims beside what was found, every bake in a row, and what the search adds to one pass."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from bench.aims import AIMS, helped_after_the_clip, tally, unassisted
from bench.bake_rows import Figures, Key, Row
from bench.clips import CREDIT, BenchClip
from bench.tracking_matrix import state
from sim_core.settings import EngineName

_INTRO = """# Results

Every clip, baked with the default settings (`--assist least`) and nothing set by hand for any of them, with the budget
Good (a search that rewinds and tries variations where the body falls) and with Draft (one pass that is held where it
falls). All figures are the report's own.

{credit}

Clips of stairs, blocks, slopes and chairs that are not in the file are baked only over the frames that need none of
them; the column *part* says so.{baked}

{state}
"""
_BAKES_INTRO = """
## Every bake

A cell is Good / Draft. *Half* says whether a clip was used for tuning; those to check with were not. Assist is the mean
over the clip's frames, in percent of body weight, and bold where there is any; the physics error is after the bake, in
the same unit. *Tried* is what all trials simulated together, and CPU seconds are those of the whole bake, fitting and
measuring included, for each second of the clip. The errors of a performance that was lost mean little.

"""
_COMPARED_INTRO = """
## What the search adds: Good beside Draft

Means over clips that were baked with both. Assist, errors and skate are of those that both kept, the rest is of all.

"""


class Column(NamedTuple):
    name: str
    value: Callable[[Figures], float]
    decimals: int
    of_kept: bool = True  # says little of a performance that was lost


COLUMNS = (
    Column("assist (%)", lambda f: 100.0 * f.assist_mean_bw, 2),
    Column("joint error (deg)", lambda f: f.joint_deg, 1),
    Column("foot skate (m/s)", lambda f: f.after.foot_skate_m_s, 3),
    Column("physics error (%)", lambda f: 100.0 * f.after.physics_error_bw, 1),
    Column("tried (s)", lambda f: f.rollouts_s, 0, of_kept=False),
    Column("CPU s per s", lambda f: f.cpu_s / f.seconds, 1, of_kept=False),
)


def page(rows: Sequence[Row], clips: Sequence[BenchClip], engines: Sequence[EngineName]) -> str:
    """Clips are all that there are to be; what is not baked yet is said."""
    intro = _INTRO.format(credit=CREDIT, baked=_baked(rows), state=state(rows, 2 * len(clips) * len(engines)))
    names = list(dict.fromkeys([*(clip.name for clip in clips), *(row.clip for row in rows)]))
    found = {row.key: row for row in rows}
    good = [found[key] for name in names for engine in engines if (key := Key(name, engine, "good")) in found]
    return (
        intro
        + head(good, engines)
        + _BAKES_INTRO
        + bakes(found, names, engines)
        + _COMPARED_INTRO
        + compared(found, names, engines)
        + reasons(good)
    )


def head(good: Sequence[Row], engines: Sequence[EngineName]) -> str:
    """The aims beside what was found, and who misses them."""
    groups = {engine: [row for row in good if row.engine == engine] for engine in engines}
    groups_and_both = [*groups.values(), *([list(good)] if len(engines) > 1 else [])]
    titles = [*engines, *(["both together"] if len(engines) > 1 else [])]
    text = f"\n## Aims, with the budget Good\n| aim | wanted | {' | '.join(titles)} |\n|{'---|' * (2 + len(titles))}\n"
    for aim in AIMS:
        cells = [tally(aim, rows).in_words(aim) for rows in groups_and_both]
        text += f"| {aim.name} | {aim.wish} | {' | '.join(cells)} |\n"
    helped_after = [str(len(_after(rows))) for rows in groups_and_both]
    text += f"| of those without assist: helped after the last frame | | {' | '.join(helped_after)} |\n"
    text += (
        "\nAssist is counted over the frames of the clip. After the last one the body has half a second to come to "
        "rest, or as\nlong as a run takes to stop; who needed help only there is counted once more in the last line.\n"
    )
    for aim in AIMS:
        text += f"\n{aim.who_misses}:\n"
        text += "".join(
            f"- {engine}: {', '.join(map(_name_with_figure, tally(aim, rows).missed)) or 'none'}\n"
            for engine, rows in groups.items()
        )
    text += "\nHelped only after the last frame:\n"
    text += "".join(
        f"- {engine}: {', '.join(row.clip for row in _after(rows)) or 'none'}\n" for engine, rows in groups.items()
    )
    return text


def bakes(found: dict[Key, Row], names: Sequence[str], engines: Sequence[EngineName]) -> str:
    heads = ["clip", "half", "part", "s", "engine", "kept", *(column.name for column in COLUMNS)]
    text = f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n"
    for name in names:
        for engine in engines:
            both = [found.get(Key(name, engine, "good")), found.get(Key(name, engine, "draft"))]
            if any(both):
                text += f"| {name} | {' | '.join(_cells(BenchClip(name, None), engine, both))} |\n"
    return text


def _cells(clip: BenchClip, engine: EngineName, both: Sequence[Row | None]) -> list[str]:
    part = "all" if clip.flat_part is None else "frames {} to {}".format(*clip.flat_part)
    seconds = next((f"{row.figures.seconds:.1f}" for row in both if row is not None and row.figures is not None), "")
    return [clip.half, part, seconds, engine, _beside(both, _kept), *(_beside(both, _said(c)) for c in COLUMNS)]


def _beside(both: Sequence[Row | None], said: Callable[[Figures], str]) -> str:
    """Good / Draft; a dash is one that is not baked yet, or could not be."""
    cells = []
    for row in both:
        if row is not None and row.figures is None and said is _kept:
            cells.append(f"**error: {row.message}**")
        else:
            cells.append("-" if row is None or row.figures is None else said(row.figures))
    return " / ".join(cells)


def _kept(figures: Figures) -> str:
    return figures.kept() if figures.completed else f"**{figures.kept()}**"


def _said(column: Column) -> Callable[[Figures], str]:
    def said(figures: Figures) -> str:
        number = f"{column.value(figures):.{column.decimals}f}"
        return f"**{number}**" if column is COLUMNS[0] and figures.assist_mean_bw > 0.0 else number

    return said


def compared(found: dict[Key, Row], names: Sequence[str], engines: Sequence[EngineName]) -> str:
    """Good / Draft, for every engine and all together."""
    groups: dict[str, list[tuple[Figures, Figures]]] = {engine: _pairs(found, names, engine) for engine in engines}
    if len(engines) > 1:
        groups["both together"] = [pair for of_engine in groups.values() for pair in of_engine]
    text = f"| Good / Draft | {' | '.join(groups)} |\n|---|{'---|' * len(groups)}\n"
    lines: list[tuple[str, Callable[[Sequence[tuple[Figures, Figures]]], str]]] = [
        ("clips", lambda group: str(len(group))),
        ("kept (% of clips)", lambda group: _means(group, lambda f: 100.0 * f.completed, 1)),
        ("no assist at all (% of clips)", lambda group: _means(group, lambda f: 100.0 * unassisted(f), 1)),
        *((column.name, _mean_of(column)) for column in COLUMNS),
    ]
    for name, said in lines:
        text += f"| {name} | {' | '.join(said(group) for group in groups.values())} |\n"
    return text


def _pairs(found: dict[Key, Row], names: Sequence[str], engine: EngineName) -> list[tuple[Figures, Figures]]:
    """Of the clips that have figures with both budgets."""
    rows = [(found.get(Key(name, engine, "good")), found.get(Key(name, engine, "draft"))) for name in names]
    pairs = [(good.figures, draft.figures) for good, draft in rows if good is not None and draft is not None]
    return [(good, draft) for good, draft in pairs if good is not None and draft is not None]


def _mean_of(column: Column) -> Callable[[Sequence[tuple[Figures, Figures]]], str]:
    def said(group: Sequence[tuple[Figures, Figures]]) -> str:
        counted = [pair for pair in group if not column.of_kept or all(figures.completed for figures in pair)]
        return _means(counted, column.value, column.decimals)

    return said


def _means(group: Sequence[tuple[Figures, Figures]], value: Callable[[Figures], float], decimals: int) -> str:
    if not group:
        return "-"
    good, draft = np.mean([[value(figures) for figures in pair] for pair in group], axis=0)
    return f"{good:.{decimals}f} / {draft:.{decimals}f}"


def reasons(good: Sequence[Row]) -> str:
    """What the report says of each bake with the budget Good that gave something up."""
    text = ""
    for row in good:
        for sentence in row.figures.given_up if row.figures is not None else ():
            text += f"- {row.clip}, {row.engine}: {sentence}\n"
    return f"\n## What was given up with the budget Good, in the report's words\n\n{text}" if text else ""


def _baked(rows: Sequence[Row]) -> str:
    """When and with what, of the rows themselves: a page may be written long after."""
    days = sorted({row.day for row in rows if row.day})
    with_what = " | ".join(sorted({row.versions for row in rows if row.versions}))
    if not days:
        return ""
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    return f"\n\nBaked {when} with {with_what}."


def _after(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.figures is not None and helped_after_the_clip(row.figures)]


def _name_with_figure(row: Row) -> str:
    if row.figures is None:
        return f"{row.clip} (error)"
    if not row.figures.completed:
        return f"{row.clip} ({row.figures.why} at {row.figures.fell_at_s:.1f} s)"
    return f"{row.clip} ({100.0 * row.figures.assist_mean_bw:.2f} %)"
