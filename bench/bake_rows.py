"""Bakes of many clips, each kept as a line of JSON as soon as it is done: a long run can be stopped and resumed."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import sim_core
from bench.clips import BenchClip, read_clip
from sim_core.bake import bake
from sim_core.errors import HeftError
from sim_core.reporting.measure import Measures
from sim_core.reporting.report import Report
from sim_core.settings import BakeSettings, Budget, EngineName


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What the tables show of a report."""

    seconds: float
    completed: bool
    why: str | None
    fell_at_s: float | None
    assist_mean_bw: float
    assist_limit_bw: float
    joint_deg: float
    mpjpe_root_mm: float
    mpjpe_global_mm: float
    root_drift_m: float
    before: Measures
    after: Measures
    rollouts: int
    rollouts_s: float
    search_cpu_s: float
    cpu_s_per_simulated_s: float

    @classmethod
    def of(cls, report: Report) -> "Figures":
        return cls(
            seconds=report.timing.simulated_s,
            completed=report.completed,
            why=report.why,
            fell_at_s=report.fell_at_s,
            assist_mean_bw=report.assist.mean_bw,
            assist_limit_bw=report.assist.limit_bw,
            joint_deg=report.tracking.joint_deg,
            mpjpe_root_mm=report.tracking.mpjpe_root_mm,
            mpjpe_global_mm=report.tracking.mpjpe_global_mm,
            root_drift_m=report.tracking.root_drift_m,
            before=report.before,
            after=report.after,
            rollouts=report.timing.rollouts,
            rollouts_s=report.timing.rollouts_s,
            search_cpu_s=report.timing.search_cpu_s,
            cpu_s_per_simulated_s=report.timing.cpu_s_per_simulated_s,
        )

    def kept(self) -> str:
        return "yes" if self.completed else f"no, {self.why} at {self.fell_at_s:.1f} s"


class Job(NamedTuple):
    clip: BenchClip
    engine: EngineName


@dataclass(frozen=True, kw_only=True)
class Row:
    clip: str
    engine: EngineName
    code: str  # a digest of the code that baked it
    budget: Budget
    figures: Figures | None
    message: str = ""  # why there are no figures

    def line(self) -> str:
        return json.dumps(asdict(self)) + "\n"


def row_of(line: str) -> Row:
    content = json.loads(line)
    if content["figures"] is not None:
        for when in ("before", "after"):
            content["figures"][when] = Measures(**content["figures"][when])
        content["figures"] = Figures(**content["figures"])
    return Row(**content)


def bake_row(job: Job, budget: Budget, code: str) -> Row:
    """A bake with the default settings."""
    settings = BakeSettings(engine=job.engine, budget=budget, workers=1)  # the bakes share the cores, not their trials
    figures, message = None, ""
    try:
        figures = Figures.of(bake(read_clip(job.clip, settings), settings).report)
    except (HeftError, ArithmeticError, ValueError) as error:  # one bad clip must not end a run of hours
        message = f"{type(error).__name__}: {error}"
    return Row(clip=job.clip.name, engine=job.engine, code=code, budget=budget, figures=figures, message=message)


def finished_rows(path: Path, budget: Budget) -> list[Row]:
    """What an earlier run with the same budget has baked, without a line that it was writing when it was stopped."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            row = row_of(line)
        except (ValueError, TypeError, KeyError):
            continue
        if row.figures is not None and row.budget == budget:
            rows.append(row)
    return rows


def bake_all(jobs: Sequence[Job], path: Path, *, budget: Budget, workers: int, resume: bool) -> Iterator[list[Row]]:
    """All rows so far, after every bake; also once before the first, where an earlier run left some.

    A resumed run goes on with all that the earlier one has baked, whatever it is asked for itself.
    """
    found = {(row.clip, row.engine): row for row in finished_rows(path, budget)} if resume else {}
    rows = list(found.values())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(row.line() for row in rows), encoding="utf-8")
    if rows:
        yield list(rows)
    code = code_digest()
    pool = ProcessPoolExecutor(workers)
    try:
        left = [job for job in jobs if (job.clip.name, job.engine) not in found]
        for future in as_completed([pool.submit(bake_row, job, budget, code) for job in left]):
            rows.append(future.result())
            with path.open("a", encoding="utf-8") as file:
                file.write(rows[-1].line())
            yield list(rows)
    finally:
        pool.shutdown(cancel_futures=True)  # whoever stops a run does not wait for the bakes to come


def code_digest() -> str:
    """Tells apart rows that different versions of the code have baked."""
    folder = Path(sim_core.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]
