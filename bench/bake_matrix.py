"""Bakes every clip of a folder on every engine and writes a table; long, so it is no part of `make bench`.

make bakes CLIPS=FOLDER, or from the repository's root:
python -m bench.bake_matrix FOLDER OUT.md [--engine mujoco] [--only 07_05 16_15]
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from sim_core.bake import bake, read_performance
from sim_core.engines.engine import available_engines
from sim_core.errors import HeftError
from sim_core.motion.bvh import read_bvh
from sim_core.motion.source_clip import write_result
from sim_core.reporting.report import Report
from sim_core.settings import BakeSettings, EngineChoice

_INTRO = """# What the bake makes of captured clips

Every row is one call of `bake` with its default settings (`--assist least`, here with a budget of {budget:.0f} s for
the search), and all numbers are the report's own. The clips are from the CMU Graphics Lab Motion Capture Database
(mocap.cs.cmu.edu; created with funding from NSF EIA-0196217), in B. Hahne's BVH conversion. The baseline's gains and
the repair of feet were tuned while looking at 05_02, 07_05, 07_12, 16_03, 16_05, 16_15, 16_17, 17_10, 35_01, 49_06,
128_05, 136_25 and 139_16; the others were not used.

{summary}

"""
_HEAD = (
    "| clip | engine | kept | assist limit / mean (% of weight) | joint error (deg) | MPJPE root (mm) "
    "| skate before / after (m/s) | physics error before / after (% of weight) | CPU s per simulated s |\n"
    "|---|---|---|---|---|---|---|---|---|\n"
)


class Row(NamedTuple):
    clip: str
    engine: str
    report: Report | None
    frames_right: bool
    message: str

    def in_markdown(self) -> str:
        report = self.report
        if report is None:
            return f"| {self.clip} | {self.engine} | error: {self.message} |||||||\n"
        kept = "yes" if report.completed else f"no, {report.why} at {report.fell_at_s:.1f} s"
        kept += "" if self.frames_right else ", WRONG FRAMES"
        before, after, assist = report.before, report.after, report.assist
        return (
            f"| {self.clip} | {self.engine} | {kept} | {100 * assist.limit_bw:.0f} / {100 * assist.mean_bw:.1f} "
            f"| {report.tracking.joint_deg:.1f} | {report.tracking.mpjpe_root_mm:.0f} "
            f"| {before.foot_skate_m_s:.2f} / {after.foot_skate_m_s:.2f} "
            f"| {100 * before.physics_error_bw:.0f} / {100 * after.physics_error_bw:.1f} "
            f"| {report.timing.cpu_s / report.timing.simulated_s:.2f} |\n"
        )


def bake_one(path: Path, engine: EngineChoice, budget_s: float) -> Row:
    settings = BakeSettings(engine=engine, budget_s=budget_s)
    try:
        performance = read_performance(path, settings)
        result = bake(performance, settings)
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "out.bvh"
            write_result(output, result.clip, performance.source, performance.first_frame)
            right = len(read_bvh(output).values) == len(performance.source.clip)
    except HeftError as error:
        return Row(path.stem, engine, None, False, str(error))
    return Row(path.stem, engine, result.report, right, "")


def summary(rows: list[Row]) -> str:
    lines = []
    for engine in dict.fromkeys(row.engine for row in rows):
        reports = [row.report for row in rows if row.engine == engine and row.report is not None]
        kept = [report for report in reports if report.completed]
        count = sum(row.engine == engine for row in rows)
        assist = sorted(100 * report.assist.mean_bw for report in kept)
        middle = (
            f"; the median of their mean assist is {assist[len(assist) // 2]:.0f} % of body weight" if assist else ""
        )
        lines.append(f"**{engine}: {len(kept)} of {count} kept**{middle}.")
    return "  \n".join(lines)


def page(rows: list[Row], budget_s: float) -> str:
    in_order = sorted(rows, key=lambda row: (row.clip, row.engine))
    table = _HEAD + "".join(row.in_markdown() for row in in_order)
    return _INTRO.format(budget=budget_s, summary=summary(rows)) + table


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--engine", choices=available_engines(), action="append")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--budget", type=float, default=600.0)
    options = parser.parse_args()
    rows: list[Row] = []
    for path in sorted(options.folder.glob("*.bvh")):
        if options.only and not any(name in path.stem for name in options.only):
            continue
        for engine in options.engine or available_engines():
            start = time.monotonic()
            rows.append(bake_one(path, engine, options.budget))
            options.output.write_text(page(rows, options.budget), encoding="utf-8")
            print(f"{time.monotonic() - start:6.1f} s  {rows[-1].in_markdown()}", end="", flush=True)
    print(summary(rows))


if __name__ == "__main__":
    main()
