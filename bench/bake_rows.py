"""Bakes of many clips, each kept as a line of JSON as soon as it is done: a long run can be stopped and resumed."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import sim_core
from bench.clips import BenchClip, read_clip
from bench.versions import versions_in_words
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
    assist_peak_bw: float
    assist_limit_bw: float
    assist_hold_bw: float  # after the last frame, while its pose is held
    frames_helped: int
    joint_deg: float
    mpjpe_root_mm: float
    mpjpe_global_mm: float
    root_drift_m: float
    before: Measures
    after: Measures
    rollouts: int
    rollouts_s: float
    search_cpu_s: float
    cpu_s: float  # of the whole bake
    cpu_s_per_simulated_s: float  # of the windows that the result is from
    given_up: tuple[str, ...]  # sentences

    @classmethod
    def of(cls, report: Report) -> "Figures":
        return cls(
            seconds=report.timing.simulated_s,
            completed=report.completed,
            why=report.why,
            fell_at_s=report.fell_at_s,
            assist_mean_bw=report.assist.mean_bw,
            assist_peak_bw=report.assist.peak_bw,
            assist_limit_bw=report.assist.limit_bw,
            assist_hold_bw=report.assist.hold_bw,
            frames_helped=report.assist.frames,
            joint_deg=report.tracking.joint_deg,
            mpjpe_root_mm=report.tracking.mpjpe_root_mm,
            mpjpe_global_mm=report.tracking.mpjpe_global_mm,
            root_drift_m=report.tracking.root_drift_m,
            before=report.before,
            after=report.after,
            rollouts=report.timing.rollouts,
            rollouts_s=report.timing.rollouts_s,
            search_cpu_s=report.timing.search_cpu_s,
            cpu_s=report.timing.cpu_s,
            cpu_s_per_simulated_s=report.timing.cpu_s_per_simulated_s,
            given_up=tuple(reason.sentence for reason in report.given_up),
        )

    def kept(self) -> str:
        return "yes" if self.completed else f"no, {self.why} at {self.fell_at_s:.1f} s"


class Key(NamedTuple):
    """What tells one bake from another."""

    clip: str
    engine: EngineName
    budget: Budget


class Job(NamedTuple):
    clip: BenchClip
    engine: EngineName
    budget: Budget

    @property
    def key(self) -> Key:
        return Key(self.clip.name, self.engine, self.budget)


@dataclass(frozen=True, kw_only=True)
class Row:
    clip: str
    engine: EngineName
    code: str  # a digest of the code that baked it
    budget: Budget
    figures: Figures | None
    message: str = ""  # why there are no figures
    day: str = ""
    versions: str = ""  # of what took part

    @property
    def key(self) -> Key:
        return Key(self.clip, self.engine, self.budget)

    def line(self) -> str:
        return json.dumps(asdict(self)) + "\n"


def row_of(line: str) -> Row:
    content = json.loads(line)
    if content["figures"] is not None:
        content["figures"] = figures_of(content["figures"])
    return Row(**content)


def figures_of(content: dict[str, Any]) -> Figures:
    """As JSON has them."""
    before, after = (Measures(**content[when]) for when in ("before", "after"))
    return Figures(**content | {"before": before, "after": after, "given_up": tuple(content["given_up"])})


def bake_row(job: Job, code: str) -> Row:
    """A bake with the default settings."""
    settings = BakeSettings(engine=job.engine, budget=job.budget, workers=1)  # bakes share the cores, not their trials
    figures, message = None, ""
    try:
        figures = Figures.of(bake(read_clip(job.clip, settings), settings).report)
    except (HeftError, ArithmeticError, ValueError) as error:  # one bad clip must not end a run of hours
        message = f"{type(error).__name__}: {error}"
    return Row(
        clip=job.clip.name,
        engine=job.engine,
        code=code,
        budget=job.budget,
        figures=figures,
        message=message,
        day=date.today().isoformat(),
        versions=versions_in_words(),
    )


class Keyed(Protocol):
    @property
    def key(self) -> object: ...


_Kept = TypeVar("_Kept", bound=Keyed)


def rows_in(path: Path, parse: Callable[[str], _Kept]) -> list[_Kept]:
    """What an earlier run has left, without a line that it was writing when it was stopped."""
    rows: dict[object, _Kept] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            row = parse(line)
        except (ValueError, TypeError, KeyError):
            continue
        rows[row.key] = row
    return list(rows.values())


def read_rows(path: Path) -> list[Row]:
    return rows_in(path, row_of)


def bake_all(jobs: Sequence[Job], path: Path, *, workers: int, resume: bool) -> Iterator[list[Row]]:
    """All rows so far, after every bake; also once before the first, where an earlier run left some.

    A resumed run goes on with all that the earlier one has baked, whatever it is asked for itself, and tries again what
    could not be baked.
    """
    rows = [row for row in read_rows(path) if row.figures is not None] if resume else []
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(row.line() for row in rows), encoding="utf-8")
    if rows:
        yield list(rows)
    done = {row.key for row in rows}
    code = code_digest()
    pool = ProcessPoolExecutor(workers)
    try:
        for future in as_completed([pool.submit(bake_row, job, code) for job in jobs if job.key not in done]):
            rows.append(future.result())
            with path.open("a", encoding="utf-8") as file:
                file.write(rows[-1].line())
            yield list(rows)
    finally:
        pool.shutdown(cancel_futures=True)  # whoever stops a run does not wait for the bakes to come


def code_digest(no_part: tuple[str, ...] = ()) -> str:
    """Tells apart rows that different versions of the code have baked, but for files that take no part in them, by how
    their paths begin."""
    folder = Path(sim_core.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        if not name.startswith(no_part):
            digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


class _Line(Protocol):
    def line(self) -> str: ...


_Job = TypeVar("_Job")
_Added = TypeVar("_Added", bound=_Line)


def added_rows(
    jobs: Sequence[_Job], path: Path, bake_row: Callable[[_Job, str], _Added], code: str
) -> Iterator[_Added]:
    """One after another; rows are only ever added, so that two runs with different engines may share a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for job in jobs:
        row = bake_row(job, code)
        with path.open("a", encoding="utf-8") as file:
            file.write(row.line())
        yield row
