"""The page about worlds: for each group what is published, what is wanted, and what came of it on every engine."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from bench.bake_rows import code_digest
from bench.clips import CREDIT
from bench.real_slopes import Gait
from bench.world_list import World
from bench.world_rows import Found, Row
from sim_core.settings import EngineName

DEEPEST_M, HIGHEST_M, SKATE_M_S = 0.005, 0.010, 0.03  # that standing feet are held against
_DRAFT = "draft"
_INTRO = """# Worlds

A walk and a stand that know of nothing but a flat floor, baked in worlds that have more.
The budget is {budget}. Nothing is set by hand for any world, and no clip was used for tuning: the walk is 35_01,
the brisk one 07_12, the stand 1.6 seconds of 90_17, and where that is too short the sample `stand`.

{credit}

*Kept* is by a bake's gates: the pelvis within 0.3 m and 1.2 rad of the reference, and at rest at the end. ✔ is kept as
wanted, ✘ is lost, with the gate that failed and when. Assist is the mean over the clip and the largest moment, in
percent of body weight. *Tracking* is the mean joint error against the clip as it was adapted to the world. *Stance* is
of the keyframes as written: how deep any point of a standing sole is (wanted: at most {deepest:.0f} mm), how high the
lowest point of a standing foot is at worst (at most {highest:.0f} mm), and how fast soles slide (at most {skate:.2f}
m/s); bold where it is more. Published results are from McSim (da Silva 2008), Yu's thesis and *tunable robustness*
(2017).{baked}

{state}
"""


def page(
    rows: Sequence[Row],
    worlds: Sequence[World],
    engines: Sequence[EngineName],
    sheets: Mapping[str, tuple[Path, EngineName]],
    budget: str = "good",
) -> str:
    """Of the rows with a budget, and of a draft where there is none; worlds are all that there are to be; what is not
    baked yet is said."""
    drafts = {(row.world, row.engine): row for row in rows if row.budget == _DRAFT}
    found = drafts | {(row.world, row.engine): row for row in rows if row.budget == budget}
    rows = list(found.values())
    text = _INTRO.format(
        credit=CREDIT,
        budget=budget.capitalize(),
        deepest=1000.0 * DEEPEST_M,
        highest=1000.0 * HIGHEST_M,
        skate=SKATE_M_S,
        baked=baked_in_words(rows),
        state=_state(rows, len(worlds) * len(engines)),
    )
    text += _summary(found, worlds, engines)
    for group in dict.fromkeys(world.group for world in worlds):
        text += f"\n## {group}\n\n"
        text += _table(found, [world for world in worlds if world.group == group], engines)
        if group in sheets:
            sheet, engine = sheets[group]
            text += f"\n![{group}, baked on {engine}]({sheet.as_posix()})\n"
    return text


def verdict(row: Row | None, world: World) -> str:
    """Kept, kept with so much help, or lost; a draft is said to be one."""
    if row is None:
        return "-"
    return _outcome(row, world) + (f" ({_DRAFT.capitalize()})" if row.budget == _DRAFT else "")


def _outcome(row: Row, world: World) -> str:
    if row.found is None:
        return f"✘ {row.message}"
    figures = row.found.figures
    if not figures.completed:
        lost = f"✘ {figures.why} at {figures.fell_at_s or 0.0:.1f} s"
        return f"{lost}, with {_assist(row.found)} assist" if figures.assist_mean_bw else lost
    if world.like is not None and not _nearer(row.found):
        return "✘ kept, and not nearer"
    if not figures.assist_mean_bw:
        return "✔"
    return f"✔ with {_assist(row.found)} assist" if world.may_have_assist else f"needs {_assist(row.found)} assist"


def is_met(row: Row, world: World) -> bool:
    return verdict(row, world).startswith("✔")


def _assist(found: Found) -> str:
    figures = found.figures
    return f"{100.0 * figures.assist_mean_bw:.1f} % (at most {100.0 * figures.assist_peak_bw:.0f} %)"


def _summary(
    found: Mapping[tuple[str, EngineName], Row], worlds: Sequence[World], engines: Sequence[EngineName]
) -> str:
    text = f"\n| worlds as wanted | {' | '.join(engines)} |\n|---|{'---|' * len(engines)}\n"
    for group in dict.fromkeys(world.group for world in worlds):
        mine = [world for world in worlds if world.group == group]
        cells = []
        for engine in engines:
            pairs = [(found[world.name, engine], world) for world in mine if (world.name, engine) in found]
            cells.append(f"{sum(is_met(*pair) for pair in pairs)} of {len(pairs)}" if pairs else "-")
        text += f"| {group} | {' | '.join(cells)} |\n"
    return text


def _table(found: Mapping[tuple[str, EngineName], Row], worlds: Sequence[World], engines: Sequence[EngineName]) -> str:
    heads = [
        "world",
        "clip",
        "published",
        "wanted",
        "engine",
        "ours",
        "tracking (deg)",
        "stance (mm, mm, m/s)",
        "besides",
    ]
    text = f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n"
    for world in worlds:
        for engine in engines:
            row = found.get((world.name, engine))
            told = [world.name, world.part.clip, world.published, world.wanted] if engine == engines[0] else [""] * 4
            text += f"| {' | '.join([*told, engine, verdict(row, world), *_figures(row)])} |\n"
    return text


def _figures(row: Row | None) -> list[str]:
    if row is None or row.found is None:
        return ["-", "-", ""]
    found, stance = row.found, row.found.stance
    cells = [
        _held_against(1000.0 * stance.deepest_m, 1000.0 * DEEPEST_M, 1),
        _held_against(1000.0 * stance.highest_m, 1000.0 * HIGHEST_M, 1),
        _held_against(stance.skate_m_s, SKATE_M_S, 3),
    ]
    return [f"{found.figures.joint_deg:.1f}", ", ".join(cells), "; ".join(_besides(found))]


def _held_against(value: float, limit: float, decimals: int) -> str:
    said = f"{value:.{decimals}f}"
    return said if value <= limit else f"**{said}**"


def _besides(found: Found) -> list[str]:
    said = [
        f"level within {level.mean_deg:.1f}° on average, {level.worst_deg:.1f}° at worst "
        f"(source: {level.before_mean_deg:.1f}°, {level.before_worst_deg:.1f}°)"
        for level in found.levels
    ]
    if found.moved_m:
        most, count = max(found.moved_m), sum(way > 0.02 for way in found.moved_m)
        said.append(f"{count} of {len(found.moved_m)} moved, by up to {most:.2f} m")
    if found.likeness is not None:
        alike = found.likeness
        said += [
            f"{who}: {_gait(gait)}"
            for who, gait in (("captured", alike.captured), ("flat", alike.flat), ("adapted", alike.adapted))
        ]
    return said


def _gait(gait: Gait) -> str:
    return f"pitch {gait.pelvis_pitch_deg:.1f}°, step {gait.step_of_height:.2f} of height"


def _nearer(found: Found) -> bool:
    """In pitch and in length of step, or in one of them with the other unchanged, to a hundredth of height."""
    alike = found.likeness
    if alike is None:
        return False
    pitch = [abs(gait.pelvis_pitch_deg - alike.captured.pelvis_pitch_deg) for gait in (alike.adapted, alike.flat)]
    step = [abs(gait.step_of_height - alike.captured.step_of_height) for gait in (alike.adapted, alike.flat)]
    return pitch[0] < pitch[1] and step[0] < step[1] + 0.01


def _state(rows: Sequence[Row], wanted: int) -> str:
    """What the page lacks."""
    older = sum(row.code != code_digest() for row in rows)
    sentences = [
        *([f"**So far {len(rows)} of {wanted} bakes are done.**"] if len(rows) < wanted else []),
        *([f"**Another version of the code has baked {older} of the rows.**"] if older else []),
    ]
    return " ".join(sentences)


class Dated(Protocol):
    @property
    def day(self) -> str: ...
    @property
    def versions(self) -> str: ...


def baked_in_words(rows: Sequence[Dated]) -> str:
    """When, and with what; nothing where no row tells."""
    days = sorted({row.day for row in rows if row.day})
    with_what = " | ".join(sorted({row.versions for row in rows if row.versions}))
    return f" Baked {' to '.join(dict.fromkeys([days[0], days[-1]]))} with {with_what}." if days else ""
