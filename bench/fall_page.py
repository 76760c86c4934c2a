"""The page about falls: what is hit how hard, beside bodies that go limp or freeze; ideas switched off; the cost."""

from collections.abc import Sequence
from itertools import combinations

from bench.clips import CREDIT
from bench.fall_cases import IDEAS, TUNED_ON
from bench.fall_rows import Row, code_of_falls, farthest_apart, usable_after_s
from bench.markdown import table
from bench.worlds_page import baked_in_words
from sim_core.falling.fall_script import COUNT
from sim_core.settings import EngineName

_INTRO = """# Falling

`--motion fall` lets a character fall as people do, after Brown 2012, chapter 5: it gives way at first, brings hands,
knees or its side to the ground, keeps its head off it, and lies still.

- **The fall begins** where no step could catch the body any more (its capture point is farther than a step from what
  bears), or at a frame of the person's choice.
- **A reflex** of 0.1 s keeps the weight going as it went and lets the body turn with what pushes it.
- **A script** of {count} numbers then leads weight, turn and arms: cubic splines in the same quadratic program that
  tracks clips, with poses that protect for each direction. Joint and torque limits hold throughout.
- **Muscles let go** once it has landed, legs and trunk first, arms later, the neck last; limbs sink, and stay where
  they come to. What flesh lets into the ground is raised out of it in the keys, and from the moment of rest on they are
  one pose.
- **A search** (CMA-ES) varies the script: what counts are the largest impulses on all parts over 10 ms, the head's ten
  times, those of neck and spine three times. The best few are followed until they lie: who tips over late is hit late.

Tuned on {tuned}; *half* says whether a row's clip is one of these or was only used to check.

{credit}

*Blows* is that sum, *head* the largest impulse on head or neck, both in newton seconds; beside them what a body bears
that goes limp as the fall begins, and one that freezes in its pose. A row is *good* if its head is hit with at most a
tenth of both of these (or 1 N s), its blows are at most half of both, nothing is deeper in the ground than 10 mm on
average, and it lies still at most 3 s after it lost its balance, and then does not move at all. From a walk and by
surprise head and blows need only be no worse than both. *Jerk* is that of the keys once it lies.{baked}{state}
"""
_HEADS = (
    *("fall", "half", "engine", "good", "head", "limp / frozen", "blows", "limp / frozen", "first try"),
    *("lies still after (s)", "jerk (m/s³)", "penetration (mm)", "physics error (%)", "tries", "usable, all (s)"),
)
_THESIS = """
The thesis took 1 000 iterations and 16 hours for one of these, on a chain of five links. *Usable* is when the search
had found a fall that costs at most twice as much as its best, *all* when it ended, in seconds on one core.
"""
_SEEDS = """
One push, six seeds. *Apart* is the mean distance between the joints of two takes at the moment at which it is largest.
"""
_IDEAS = """
The thesis' comparison: the same searches without one of the ideas. A cell has blows and, in brackets, the head's.
"""
_UP = """
The same falls, and then up to a stand over key poses; and captured ways of getting up, tracked. *Good* is who stands in
the end with at most 5 % of body weight as help on average; *help* is that, and its peak.
"""
_CLIPS = """
Captured falls, tracked as clips without any help: the physics error of the keys before and after, in percent of body
weight.
"""


def page(rows: Sequence[Row], engines: Sequence[EngineName]) -> str:
    """Of what there is: a part without rows is left out."""
    rows = sorted(rows, key=lambda row: (row.number, row.engine))
    older = sum(row.code != code_of_falls() for row in rows)
    text = _INTRO.format(
        count=COUNT,
        tuned=", ".join(TUNED_ON),
        credit=CREDIT,
        baked=f" {baked_in_words(rows).strip()}",
        state=f"\n\n**Another version of the code has baked {older} of the rows.**" if older else "",
    )
    falls = [row for row in rows if row.part in ("head", "surprises", "seeds")]
    if falls:
        text += _summary(falls, engines)
    for group in dict.fromkeys(row.group for row in falls):
        mine = [row for row in falls if row.group == group]
        text += f"\n## {group}\n{_note(mine[0])}" + table(_HEADS, [_line(row) for row in mine])
        text += _apart(mine, engines) if mine[0].part == "seeds" else ""
    ideas = [row for row in rows if row.part == "ideas"]
    if ideas:
        text += f"\n## {ideas[0].group}\n{_IDEAS}" + "".join(_ideas(ideas, engine) for engine in engines)
    up = [row for row in rows if row.part == "up"]
    if up:
        text += f"\n## {up[0].group}\n{_UP}" + _ups(up)
    clips = [row for row in rows if row.part == "clips"]
    return text + (f"\n## {clips[0].group}\n{_CLIPS}" + _clips(clips) if clips else "")


def _note(row: Row) -> str:
    return {"head": _THESIS, "seeds": _SEEDS}.get(row.part, "")


def verdict(row: Row) -> str:
    return ", ".join(row.missed) or "yes"


def _summary(rows: Sequence[Row], engines: Sequence[EngineName]) -> str:
    lines = []
    for group in dict.fromkeys(row.group for row in rows):
        cells = []
        for engine in engines:
            mine = [row for row in rows if row.group == group and row.engine == engine]
            cells.append(f"{sum(not row.missed for row in mine)} of {len(mine)}" if mine else "-")
        lines.append([group, *cells])
    return table(["good", *engines], lines)


def _line(row: Row) -> list[str]:
    told = [row.name.removeprefix(f"{row.group}, "), row.half, row.engine, verdict(row)]
    found = row.found
    if found is None or found.fall is None:
        return [*told, *["-"] * (len(_HEADS) - len(told))]
    fall, figures = found.fall, found.figures
    usable = usable_after_s(found)
    return [
        *told,
        f"{fall.head_ns:.1f}",
        f"{fall.limp_head_ns:.0f} / {found.frozen_head_ns:.0f}",
        f"{fall.blows_ns:.0f}",
        f"{fall.limp_blows_ns:.0f} / {found.frozen_blows_ns:.0f}",
        f"{fall.first_blows_ns:.0f}",
        "-" if fall.rests_at_s is None else f"{fall.rests_at_s - fall.at_s:.1f}",
        f"{found.jerk_after_rest:.1f}",
        f"{1000.0 * figures.after.penetration_m:.1f}",
        f"{100.0 * figures.after.physics_error_bw:.1f}",
        f"{fall.tries}",
        "-" if usable is None else f"{usable:.0f}, {found.tries_s[-1][1]:.0f}",
    ]


def _apart(rows: Sequence[Row], engines: Sequence[EngineName]) -> str:
    lines = []
    for engine in engines:
        takes = [row.found for row in rows if row.engine == engine and row.found is not None]
        ways = [farthest_apart(one, other) for one, other in combinations(takes, 2)]
        if ways:
            lines.append([engine, f"{100.0 * min(ways):.0f}", f"{100.0 * sum(ways) / len(ways):.0f}"])
    return table(["engine", "apart, the two most alike (cm)", "on average (cm)"], lines) if lines else ""


def _ideas(rows: Sequence[Row], engine: EngineName) -> str:
    mine = [row for row in rows if row.engine == engine]
    names = list(dict.fromkeys(row.name.split(",")[0] for row in mine))
    lines = []
    for idea in IDEAS:
        cells = {row.name.split(",")[0]: row for row in mine if row.idea == idea}
        if cells:
            lines.append([idea, *(_blows(cells.get(name)) for name in names)])
    return table([engine, *names], lines) if lines else ""


def _blows(row: Row | None) -> str:
    if row is None or row.found is None or row.found.fall is None:
        return "-"
    return f"{row.found.fall.blows_ns:.0f} ({row.found.fall.head_ns:.1f})"


def _ups(rows: Sequence[Row]) -> str:
    lines = []
    for row in rows:
        told = [row.name, row.half, row.engine, verdict(row)]
        if row.found is None:
            lines.append([*told, "-", "-", "-", "-"])
            continue
        figures = row.found.figures
        lines.append(
            [
                *told,
                f"{100.0 * figures.assist_mean_bw:.1f}, {100.0 * figures.assist_peak_bw:.0f}",
                f"{figures.joint_deg:.1f}",
                f"{100.0 * figures.after.physics_error_bw:.1f}",
                f"{figures.seconds:.1f}",
            ]
        )
    heads = ("from", "half", "engine", "good", "help (%)", "joint error (deg)", "physics error (%)", "lasts (s)")
    return table(heads, lines)


def _clips(rows: Sequence[Row]) -> str:
    lines = []
    for row in rows:
        figures = None if row.found is None else row.found.figures
        errors = (
            ["-", "-"]
            if figures is None
            else [f"{100.0 * one.physics_error_bw:.1f}" for one in (figures.before, figures.after)]
        )
        lines.append([row.name, row.half, row.engine, verdict(row), *errors])
    return table(["clip", "half", "engine", "good", "before (%)", "after (%)"], lines)
