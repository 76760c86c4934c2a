"""Bakes with virtual actuators, each kept as a line of JSON as soon as it is done: a run can be stopped and resumed."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from bench.ablations import outcome_of
from bench.bake_rows import Figures, code_digest, figures_of, rows_in
from bench.va_experiments import PartName, Trial
from bench.versions import versions_in_words
from bench.world_names import strip_path
from bench.world_rows import Job as WorldJob
from bench.world_rows import command
from bench.world_sheets import strip_png
from sim_core.bake import bake, read_performance
from sim_core.controllers import choose_controller
from sim_core.controllers.virtual_actuator.va_gains import VaGains
from sim_core.dynamics.kinematics import pose
from sim_core.option_values import settings_from
from sim_core.options import make_parser
from sim_core.posing.body_motion import body_positions
from sim_core.posing.heading import axes_facing, facing_of
from sim_core.reporting.bake_result import BakeResult
from sim_core.settings import EngineName

BUDGET = "draft"
_ENOUGH_STRIPS = "experiments"  # the part that has pictures


class Key(NamedTuple):
    """What tells one bake from another."""

    part: PartName
    name: str
    engine: EngineName
    with_assist: bool  # after the same without has fallen


class Job(NamedTuple):
    trial: Trial
    number: int  # in the list of its part
    engine: EngineName
    arguments: tuple[str, ...]  # of the command line
    build: Path

    def key(self, *, with_assist: bool = False) -> Key:
        return Key(self.trial.part, self.trial.world.name, self.engine, with_assist)


@dataclass(frozen=True, kw_only=True)
class Found:
    """What came of a bake; the assist of the figures counts the torque on the feet, too."""

    figures: Figures
    pelvis_mean_bw: float  # of the assist at the pelvis alone
    pelvis_peak_bw: float
    foot_mean_nm: float
    foot_peak_nm: float
    kept_s: float
    kept_joint_deg: float  # until the performance was lost
    displaced_m: float
    came_m: tuple[float, float]  # forward and left of where the last frame was to be, seen from the first one
    besides: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Row:
    part: PartName
    name: str
    case: str
    group: str
    number: int
    published: str
    engine: EngineName
    with_assist: bool
    options: tuple[str, ...]
    code: str  # a digest of the code that baked it
    found: Found | None
    message: str = ""  # why there is nothing
    day: str = ""
    versions: str = ""  # of what took part

    @property
    def key(self) -> Key:
        return Key(self.part, self.name, self.engine, self.with_assist)

    def line(self) -> str:
        return json.dumps(asdict(self)) + "\n"


def row_of(line: str) -> Row:
    content = json.loads(line)
    content["options"] = tuple(content["options"])
    found = content["found"]
    if found is not None:
        forward, left = found["came_m"]
        found |= {"figures": figures_of(found["figures"]), "came_m": (forward, left)}
        content["found"] = Found(**found | {"besides": tuple(found["besides"])})
    return Row(**content)


def read_rows(path: Path) -> list[Row]:
    return rows_in(path, row_of)


def jobs_for(trials: Sequence[Trial], engines: Sequence[EngineName], clips: Path, build: Path) -> list[Job]:
    """The files that their command lines name are made here, once."""
    jobs = []
    for number, trial in enumerate(trials):
        only = trial.only_engine
        for engine in engines if only is None else [engines[only % len(engines)]]:
            arguments = command(WorldJob(trial.world, engine, BUDGET, clips, build))
            jobs.append(Job(trial, number, engine, tuple(arguments), build))
    return jobs


def bake_all(jobs: Sequence[Job], path: Path, *, workers: int, resume: bool) -> Iterator[list[Row]]:
    """All rows so far, after every job; rows that no job is about stay.

    A resumed run tries again what could not be baked.
    """
    again = {job.key()[:3] for job in jobs if not resume}
    rows = [row for row in read_rows(path) if row.found is not None and row.key[:3] not in again]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(row.line() for row in rows), encoding="utf-8")
    done = {row.key: row for row in rows}
    code = code_digest()
    pool = ProcessPoolExecutor(workers)
    try:
        futures = {pool.submit(bake_rows, job, code): job for job in jobs if not _is_done(job, done)}
        for future in as_completed(futures):
            try:
                new = future.result()
            except BrokenProcessPool as error:  # an engine that crashed took its process with it
                new = [_row(futures[future], code, None, f"{type(error).__name__}: {error}", with_assist=False)]
            rows = [row for row in rows if row.key not in {one.key for one in new}] + new
            with path.open("a", encoding="utf-8") as file:
                file.write("".join(row.line() for row in new))
            yield list(rows)
    finally:
        pool.shutdown(cancel_futures=True)


def _is_done(job: Job, done: dict[Key, Row]) -> bool:
    first = done.get(job.key())
    if first is None or first.found is None:
        return False
    return first.found.figures.completed or not job.trial.else_with_assist or job.key(with_assist=True) in done


def bake_rows(job: Job, code: str) -> list[Row]:
    """The bake, and where it falls and that is asked for, once more with assist."""
    if not job.trial.else_with_assist:
        return [_bake_row(job, code, (), with_assist=False)]
    first = _bake_row(job, code, ("--assist=none",), with_assist=False)
    if first.found is None or first.found.figures.completed:
        return [first]
    return [first, _bake_row(job, code, (), with_assist=True)]


def _bake_row(job: Job, code: str, more: Sequence[str], *, with_assist: bool) -> Row:
    found, message = None, ""
    try:
        found = _bake(job, [*job.arguments, *more])
    except Exception as error:  # whatever one bake comes to, the others go on
        message = f"{type(error).__name__}: {error}"
    return _row(job, code, found, message, with_assist=with_assist)


def _row(job: Job, code: str, found: Found | None, message: str, *, with_assist: bool) -> Row:
    world = job.trial.world
    return Row(
        part=job.trial.part,
        name=world.name,
        case=job.trial.case,
        group=world.group,
        number=job.number,
        published=world.published,
        engine=job.engine,
        with_assist=with_assist,
        options=(*world.part.options, *world.options),
        code=code,
        found=found,
        message=message,
        day=date.today().isoformat(),
        versions=versions_in_words(),
    )


def _bake(job: Job, arguments: Sequence[str]) -> Found:
    settings = settings_from(make_parser().parse_args(arguments))
    performance = read_performance(Path(arguments[1]), settings)
    # The gains are no setting of a bake, as they are no choice of an animator's.
    with patch.object(choose_controller, "VaGains", partial(VaGains, **job.trial.gains)):
        result = bake(performance, settings)
    if job.trial.part == _ENOUGH_STRIPS and job.trial.world.shown:
        strip = strip_path(job.build, job.trial.world.name, job.engine)
        strip.parent.mkdir(parents=True, exist_ok=True)
        strip.write_bytes(strip_png(result))
    return found_of(result)


def found_of(result: BakeResult) -> Found:
    report, recording, performance = result.report, result.recording, result.performance
    outcome = outcome_of(result)
    motion = performance.motion
    steps = round((len(motion) - 1) / motion.fps * recording.rate) + 1  # those after hold the last pose
    at_pelvis = recording.pelvis_assist_weights(performance.body.mass * performance.scene.gravity)[:steps]
    feet = report.foot_torque
    return Found(
        figures=Figures.of(report),
        pelvis_mean_bw=float(at_pelvis.mean()),
        pelvis_peak_bw=float(at_pelvis.max()),
        foot_mean_nm=0.0 if feet is None else feet.mean_nm,
        foot_peak_nm=0.0 if feet is None else feet.peak_nm,
        kept_s=outcome.kept_s,
        kept_joint_deg=outcome.joint_deg,
        displaced_m=report.displaced_m,
        came_m=_came(result),
        besides=_besides(result),
    )


def _came(result: BakeResult) -> tuple[float, float]:
    performance = result.performance
    asked, baked = (body_positions(clip, performance.body) for clip in (performance.motion, result.clip))
    axes = axes_facing(facing_of(performance.body, pose(performance.body, asked[0])))
    forward, left, _ = (baked[-1, :3] - asked[-1, :3]) @ axes
    return float(np.round(forward, 4)), float(np.round(left, 4))


def _besides(result: BakeResult) -> tuple[str, ...]:
    report = result.report
    levels = [
        f"level within {level.worst_deg:.1f}° at worst (source: {level.before_worst_deg:.1f}°)"
        for level in report.keep_level
    ]
    pulls = [f"{pull.bone} pulled with {pull.mean_n:.0f} N on average" for pull in report.pulls]
    return (*levels, *pulls)
