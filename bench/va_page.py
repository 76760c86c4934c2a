"""The page about virtual actuators: the paper's experiments, what each term is worth, the dial, and which to choose."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from bench.bake_rows import code_digest
from bench.clips import CREDIT
from bench.markdown import table
from bench.va_experiments import TERMS, TUNED_ON
from bench.va_plot import DialPoint, dial_points, jerk_ratio
from bench.va_rows import Found, Row
from bench.worlds_page import baked_in_words
from sim_core.settings import EngineName

_INTRO = """# Virtual actuators

`--controller va` balances the body by virtual forces on its trunk and steadies feet that stand, after da Silva et al.
2017, *Tunable Robustness*. These are that paper's experiments again, each term switched off, what the dial does, and
how the controller compares with the usual one. The budget is draft: one pass, no search. The gains were tuned on
{tuned}; every clip here is another one.

{credit}

*Kept* is by a bake's gates: the pelvis within 0.3 m and 1.2 rad of the reference, and at rest at the end. ✔ is kept, ✘
is lost, with the gate that failed and when. *Foot torque* is the artificial torque that keeps standing feet from
toppling, both feet together, mean and peak over the clip; where the dial is not set, it helps from 20 N m at an ankle
on and lets go at 200 N m, as in the paper. *Assist at the pelvis* is what else holds the body up, in percent of body
weight, without that torque.{baked}{state}
"""
_EXPERIMENTS = """
## The paper's experiments

Section 6 of the paper. Each is baked with foot torque alone first; where that falls, once more with the least assist at
the pelvis. *Published* is what the paper says it withstood.
"""
_ON_THE_SPOT = """
The sample `march` walks on the spot; *came* is how far its last frame is from where it was to be.
"""
_TERMS = """
## Each term switched off

Without assist at the pelvis. A cell is how long the performance was kept, in seconds or "all", then the mean foot
torque (N m) and the mean joint error until it was lost (degrees). *Kept* is the share of all seconds. "pushed" is a
stand pushed with 200 N for 0.2 s from the left; of 139_29 there are the first 900 frames. A term whose row is no worse
than the first earns nothing on these clips.
"""
_DIAL = """
## The dial

`--realism` from 1, pure physics, to 0, where nothing is to fall: eight clips, each pushed with 150 N for 0.2 s from the
left after 0.8 s. All are means over the clips, the joint error until the performance was lost.
"""
_UNFALLABLE = """
## Unfallable

Runs by chance at `--realism 0`: clips, or three seconds of long ones, pushed at the chest with 0 to 300 N for 0.2 s
from anywhere at any time, on slopes of -10 to 10 degrees, with friction from 0.3 to 1.
"""
_CHOOSE = """
## Which controller to choose

Both with the least assist that keeps the performance, draft. Skate and jerk are those of the result; jerk is in times
that of the source. CPU seconds are for each simulated second.
"""


def page(
    rows: Sequence[Row],
    engines: Sequence[EngineName],
    sheets: Mapping[str, tuple[Path, EngineName]] | None = None,
    curve: Path | None = None,
) -> str:
    """Of what there is: a part without rows is left out."""
    rows = sorted(rows, key=lambda row: (row.number, row.engine, row.with_assist))
    older = sum(row.code != code_digest() for row in rows)
    text = _INTRO.format(
        tuned=", ".join(TUNED_ON.split()),
        credit=CREDIT,
        baked=baked_in_words(rows),
        state=f"\n\n**Another version of the code has baked {older} of the rows.**" if older else "",
    )
    parts: dict[str, Callable[[Sequence[Row]], str]] = {
        "choose": lambda mine: _CHOOSE + _choose(mine),
        "experiments": lambda mine: _EXPERIMENTS + _experiments(mine, engines, sheets or {}),
        "dial": lambda mine: _DIAL + _dial(mine, engines, curve),
        "unfallable": lambda mine: _UNFALLABLE + _unfallable(mine),
        "terms": lambda mine: _TERMS + _terms(mine, engines),
    }
    for part, tell in parts.items():
        mine = [row for row in rows if row.part == part]
        text += tell(mine) if mine else ""
    return text


def verdict(row: Row) -> str:
    if row.found is None:
        return f"✘ {row.message}"
    found = row.found
    figures = found.figures
    if not figures.completed:
        return f"✘ {figures.why} at {figures.fell_at_s or 0.0:.1f} s{_with_assist(found)}"
    if found.pelvis_peak_bw:
        return f"✔{_with_assist(found)}"
    return "✔ with foot torque alone" if found.foot_peak_nm else "✔"


def _with_assist(found: Found) -> str:
    if not found.pelvis_peak_bw:
        return ""
    return f" with {100.0 * found.pelvis_mean_bw:.1f} % (at most {100.0 * found.pelvis_peak_bw:.0f} %) assist"


def _experiments(
    rows: Sequence[Row], engines: Sequence[EngineName], sheets: Mapping[str, tuple[Path, EngineName]]
) -> str:
    groups = list(dict.fromkeys(row.group for row in rows))
    counts = [[group, *(_count(rows, group, engine) for engine in engines)] for group in groups]
    text = table(["experiments", *engines], counts)
    heads = ["experiment", "published", "engine", "ours", "foot torque (N m)"]
    heads += ["joint error (deg)", "skate (m/s)", "besides"]
    for group in groups:
        mine = [row for row in rows if row.group == group]
        text += f"\n### {group}\n" + (_ON_THE_SPOT if any(_marches(row) for row in mine) else "")
        text += table(heads, [_experiment(row) for row in mine])
        if group in sheets:
            sheet, engine = sheets[group]
            text += f"\n![{group}, baked on {engine}]({sheet.as_posix()})\n"
    return text


def _count(rows: Sequence[Row], group: str, engine: EngineName) -> str:
    mine = [row for row in rows if row.group == group and row.engine == engine]
    alone = {row.name for row in mine if _kept(row) and not row.with_assist}
    helped = {row.name for row in mine if _kept(row)} - alone
    return f"{len(alone)} of {len({row.name for row in mine})} with foot torque alone, {len(helped)} more with assist"


def _kept(row: Row) -> bool:
    return row.found is not None and row.found.figures.completed


def _marches(row: Row) -> bool:
    return row.name.startswith("march")


def _experiment(row: Row) -> list[str]:
    told = [row.name, row.published, row.engine, ("with assist: " if row.with_assist else "") + verdict(row)]
    found = row.found
    if found is None:
        return [*told, "-", "-", "-", ""]
    came = [f"came {_way(*found.came_m)}, steps led it {found.displaced_m:.2f} m"] if _marches(row) else []
    return [
        *told,
        f"{found.foot_mean_nm:.0f}, {found.foot_peak_nm:.0f}",
        f"{found.figures.joint_deg:.1f}",
        f"{found.figures.before.foot_skate_m_s:.2f} → {found.figures.after.foot_skate_m_s:.2f}",
        "; ".join([*found.besides, *came]),
    ]


def _way(forward: float, left: float) -> str:
    along = f"{abs(forward):.2f} m {'forward' if forward >= 0.0 else 'back'}"
    return f"{along} and {abs(left):.2f} m to the {'left' if left >= 0.0 else 'right'}"


def _terms(rows: Sequence[Row], engines: Sequence[EngineName]) -> str:
    text = ""
    for engine in engines:
        mine = [row for row in rows if row.engine == engine]
        names = list(dict.fromkeys(row.group for row in mine))
        lines = []
        for term in TERMS:
            cells = {row.group: row for row in mine if row.case == term}
            found = [row.found for row in cells.values() if row.found is not None]
            if not found:
                continue
            share = sum(one.kept_s for one in found) / sum(one.figures.seconds for one in found)
            error = float(np.mean([one.kept_joint_deg for one in found]))
            lines.append([term, f"{100.0 * share:.0f}", f"{error:.1f}", *(_term(cells.get(name)) for name in names)])
        text += table([engine, "kept (%)", "joint error (deg)", *names], lines) if lines else ""
    return text


def _term(row: Row | None) -> str:
    if row is None or row.found is None:
        return "-"
    found = row.found
    kept = "all" if found.figures.completed else f"{found.kept_s:.2f} of {found.figures.seconds:.2f}"
    return f"{kept}, {found.foot_mean_nm:.0f}, {found.kept_joint_deg:.1f}"


def _dial(rows: Sequence[Row], engines: Sequence[EngineName], curve: Path | None) -> str:
    curves = {engine: dial_points(rows, engine) for engine in engines}
    heads = ["engine", "realism", "kept", "foot torque (N m)", "assist at the pelvis (%)", "joint error (deg)", "jerk"]
    lines = [
        [
            engine,
            f"{point.realism:g}",
            f"{round(point.kept * point.clips)} of {point.clips}",
            f"{point.foot_nm:.1f}",
            f"{100.0 * point.pelvis_bw:.1f}",
            f"{point.joint_deg:.1f}",
            f"{point.jerk:.2f}",
        ]
        for engine, points in curves.items()
        for point in points
    ]
    said = "".join(f"\n{_monotonic(engine, points)}\n" for engine, points in curves.items() if points)
    picture = f"\n![The dial]({curve.as_posix()})\n" if curve is not None else ""
    return picture + said + table(heads, lines)


def _monotonic(engine: EngineName, points: Sequence[DialPoint]) -> str:
    pairs = pairwise(points)
    drops = [f"from {one.realism:g} to {next_.realism:g}" for one, next_ in pairs if next_.kept < one.kept]
    if not drops:
        return f"On {engine}, more help never keeps fewer clips: survival is monotonic."
    return f"On {engine}, survival is not monotonic: fewer clips are kept {' and '.join(drops)}."


def _unfallable(rows: Sequence[Row]) -> str:
    baked = [row for row in rows if row.found is not None]
    fell = [row for row in baked if not _kept(row)]
    text = f"\n**{len(fell)} of {len(baked)} fell.**"
    if len(baked) < len(rows):
        text += f" {len(rows) - len(baked)} could not be baked."
    found = [(row.found, row) for row in baked if row.found is not None]
    if found:
        worst, where = max(found, key=lambda pair: pair[0].pelvis_peak_bw)
        means = [one.pelvis_mean_bw for one, _ in found]
        free = sum(one.pelvis_peak_bw == 0.0 for one, _ in found)
        text += (
            f" {free} had no assist at the pelvis; its mean was {100.0 * float(np.mean(means)):.1f} % of body weight, "
            f"and {100.0 * max(means):.0f} % in the run that had most. The worst moment of all had "
            f"{100.0 * worst.pelvis_peak_bw:.0f} % ({where.name}, {where.engine})."
        )
    lost = [[row.name, row.engine, verdict(row)] for row in rows if not _kept(row)]
    return text + "\n" + (table(["run", "engine", "what came of it"], lost) if lost else "")


def _choose(rows: Sequence[Row]) -> str:
    figures: dict[str, Callable[[Found], str]] = {
        "kept": lambda one: one.figures.kept(),
        "joint error (deg)": lambda one: f"{one.figures.joint_deg:.1f}",
        "skate (m/s)": lambda one: f"{one.figures.after.foot_skate_m_s:.2f}",
        "jerk": lambda one: f"{jerk_ratio(one):.2f}",
        "assist at the pelvis (%)": lambda one: f"{100.0 * one.pelvis_mean_bw:.1f}",
        "foot torque (N m)": lambda one: f"{one.foot_mean_nm:.0f}",
        "CPU (s)": lambda one: f"{one.figures.cpu_s_per_simulated_s:.2f}",
    }
    both = {(row.group, row.engine, row.case): row for row in rows}
    lines = []
    for clip, engine in dict.fromkeys((row.group, row.engine) for row in rows):
        pair = [both.get((clip, engine, controller)) for controller in ("qp", "va")]
        found = [None if row is None else row.found for row in pair]
        cells = [" / ".join("-" if one is None else tell(one) for one in found) for tell in figures.values()]
        lines.append([clip, engine, *cells])
    return "\nEvery cell is `qp` / `va`.\n" + table(["clip", "engine", *figures], lines)
