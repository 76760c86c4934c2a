"""Bakes every clip of a folder on every engine and prints a table; long, so it is run by hand.

Run from the repository's root: python -m bench.bake_matrix FOLDER OUT.md [--engine mujoco] [--only 07_05 16_15]
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
            options.output.write_text(_HEAD + "".join(row.in_markdown() for row in rows), encoding="utf-8")
            print(f"{time.monotonic() - start:6.1f} s  {rows[-1].in_markdown()}", end="", flush=True)
    for engine in options.engine or available_engines():
        mine = [row.report for row in rows if row.engine == engine]
        kept = sum(report is not None and report.completed for report in mine)
        print(f"{engine}: {kept} of {len(mine)} kept")


if __name__ == "__main__":
    main()
