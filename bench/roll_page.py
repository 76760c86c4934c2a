"""The page about rolls: how they are done, what was kept beside what is published, each idea switched off, the cost."""

from collections.abc import Sequence

import numpy as np

from bench.clips import CREDIT
from bench.markdown import table
from bench.roll_cases import IDEAS, TUNED_ON
from bench.roll_rows import Found, Row, code_of_rolls, speed_spread
from bench.worlds_page import baked_in_words
from sim_core.settings import EngineName

_BUDGETS = ("draft", "good", "best")  # the later one of two is shown
_INTRO = """# Rolling

`--motion roll` lets a character roll over the ground: forward, backward, sideways, over a shoulder, or as its clip
does, after Brown 2012.

- **How far it has turned** tells which pose comes next, not the time: the spin of the whole body is summed up, and
  corrected where the pose that it is in is known.
- **The pose of that phase** is what the joints aim at, or one a little ahead or behind that serves the speed better.
- **The contacts that matter** are the ones nearest to where the ground has to push; only these are counted on.
- **The feet** bear both where they are to, a little before they touch; heels rise as in the roll that is followed, and
  feet come down where the weight is going.
- **The head** is kept off the ground, and bears nothing where it touches.
- **A search** tries variations of the gains and keeps the best; with the budget draft there is none. Every case was
  tried so first: rows with *(draft)* that are kept need no search.

Tuned on {tuned}: on the rolls of the first two, and on made rolls on the rigs of the others.
*Half* says whether a row's character is one of these or was only used to check.

{credit}

A row is *kept* if the bake is completed without assist, has turned as often as asked but for 0.15 of a turn, and went
where it was to go within 30 degrees; on the steep decline also if no roll is more than 25 % faster or slower than their
mean. *Head* is the largest force on head and neck over 10 ms, beside that on a body that goes limp as the roll begins.
*Speed spread* is how far the speed of a roll is from the mean at most. *CPU* is seconds for each simulated second of
the result, *rollouts* how many stretches were simulated for it. *Published* is what Brown 2012 says of the
like.{baked}{state}
"""
_NOTES = {
    "From clips": """
A clip's roll turns by less than once round, from hands to feet; what three of them turn by is what is asked.
""",
    "Terrain": """
All end rolling. The rough ground is made of balls of 30 cm radius, 15 cm apart, that rise 0 to 10 cm out of it.
""",
    "Beams": """
1 m above a floor; all end rolling, and who touches the floor has fallen off. The character stands on a landing before
the beam, since its feet are farther apart than a beam is wide.
""",
    "Stairs": """
Steps of 10 x 20 cm; the character lies on a landing half a metre before the first.
""",
}
_ABLATIONS = """
## Each idea switched off

Draft, without assist. A cell is how far it rolled, "all" where the bake is kept, and the mean joint error until it was
lost, in degrees. An idea whose row is no worse than the first earns nothing here.
"""
_COST = """
## Cost

Medians over the rows; CPU seconds on one core.
"""
_HEADS = (
    *("case", "character", "half", "published", "engine", "kept", "rolls", "direction off (deg)"),
    *("joint error (deg)", "penetration (mm)", "physics error (%)", "head / limp (N)", "speed spread (%)"),
    *("CPU (s)", "rollouts"),
)


def page(rows: Sequence[Row], engines: Sequence[EngineName]) -> str:
    """Of what there is: a part without rows is left out."""
    rows = sorted(_of_best_budget(rows), key=lambda row: (row.number, row.engine))
    older = sum(row.code != code_of_rolls() for row in rows)
    text = _INTRO.format(
        tuned=", ".join(TUNED_ON),
        credit=CREDIT,
        baked=baked_in_words(rows),
        state=f"\n\n**Another version of the code has baked {older} of the rows.**" if older else "",
    )
    cases = [row for row in rows if row.part == "cases"]
    if cases:
        text += _summary(cases, engines)
    for group in dict.fromkeys(row.group for row in cases):
        text += (
            f"\n## {group}\n"
            + _NOTES.get(group, "")
            + table(_HEADS, [_line(row) for row in cases if row.group == group])
        )
    ablated = [row for row in rows if row.part == "ablations"]
    if ablated:
        text += _ABLATIONS + "".join(_ablations([row for row in ablated if row.engine == one], one) for one in engines)
    return text + (_COST + _cost(cases) if any(row.found for row in cases) else "")


def verdict(row: Row) -> str:
    draft = " (draft)" if row.budget == "draft" and row.part == "cases" else ""
    return (", ".join(row.missed) or "yes") + draft


def _of_best_budget(rows: Sequence[Row]) -> list[Row]:
    shown: dict[tuple[str, str, EngineName], Row] = {}
    for row in sorted(rows, key=lambda each: _BUDGETS.index(each.budget)):
        shown[row.key[:3]] = row
    return list(shown.values())


def _summary(rows: Sequence[Row], engines: Sequence[EngineName]) -> str:
    lines = [
        [group, *(_count([row for row in rows if row.group == group and row.engine == engine]) for engine in engines)]
        for group in dict.fromkeys(row.group for row in rows)
    ]
    return table(["kept", *engines], lines)


def _count(rows: Sequence[Row]) -> str:
    return f"{sum(not row.missed for row in rows)} of {len(rows)}" if rows else "-"


def _line(row: Row) -> list[str]:
    told = [row.case, row.character, row.half, row.published, row.engine, verdict(row)]
    found = row.found
    if found is None:
        return [*told, *["-"] * (len(_HEADS) - len(told))]
    figures, roll, spread = found.figures, found.roll, speed_spread(found.roll)
    return [
        *told,
        f"{roll.rolls:.1f} of {roll.asked}",
        f"{roll.direction_off_deg:.0f}",
        f"{figures.joint_deg:.1f}",
        f"{1000.0 * figures.after.penetration_m:.1f}",
        f"{100.0 * figures.after.physics_error_bw:.1f}",
        f"{roll.head_peak_n:.0f} / {roll.head_limp_n:.0f}",
        "-" if spread is None else f"{100.0 * spread:.0f}",
        f"{figures.cpu_s_per_simulated_s:.2f}",
        f"{figures.rollouts}",
    ]


def _ablations(rows: Sequence[Row], engine: EngineName) -> str:
    names = list(dict.fromkeys(row.case for row in rows))
    lines = []
    for idea in IDEAS:
        cells = {row.case: row for row in rows if row.idea == idea}
        if cells:
            lines.append([idea, *(_ablated(cells.get(name)) for name in names)])
    return table([engine, *names], lines) if lines else ""


def _ablated(row: Row | None) -> str:
    if row is None or row.found is None:
        return "-"
    rolled = f"{row.found.roll.rolls:.1f}" if row.missed else "all"
    return f"{rolled}, {row.found.kept_joint_deg:.1f}"


def _cost(rows: Sequence[Row]) -> str:
    lines = []
    for engine, budget in dict.fromkeys((row.engine, row.budget) for row in rows):
        found = [row.found for row in rows if row.found is not None and (row.engine, row.budget) == (engine, budget)]
        lines += [[engine, budget, *_medians(found)]] if found else []
    heads = [
        "engine",
        "budget",
        "rows",
        "seconds simulated",
        "CPU for each of them",
        "CPU of the whole bake",
        "rollouts",
    ]
    return table(heads, lines)


def _medians(found: Sequence[Found]) -> list[str]:
    figures = [one.figures for one in found]
    return [
        f"{len(found)}",
        f"{np.median([one.seconds for one in figures]):.1f}",
        f"{np.median([one.cpu_s_per_simulated_s for one in figures]):.2f}",
        f"{np.median([one.cpu_s for one in figures]):.0f}",
        f"{np.median([one.rollouts for one in figures]):.0f}",
    ]
