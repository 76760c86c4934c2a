"""Bakes in worlds, each kept as a line of JSON as soon as it is done: a long run can be stopped and resumed."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.bake_rows import Figures, code_digest, figures_of, rows_in
from bench.real_slopes import Gait, Likeness, likeness
from bench.versions import versions_in_words
from bench.world_list import World
from bench.world_names import file_name, strip_path
from bench.world_sheets import strip_png
from sim_core.bake import bake, read_performance
from sim_core.engines.loose import loose_numbers
from sim_core.errors import HeftError
from sim_core.motion.source_clip import write_new
from sim_core.option_values import settings_from
from sim_core.options import make_parser
from sim_core.reporting.bake_result import BakeResult
from sim_core.reporting.happened import LevelSummary
from sim_core.reporting.stance import Stance
from sim_core.samples.catalogue import make_sample, sample_names
from sim_core.settings import EngineName


class Key(NamedTuple):
    """What tells one bake from another."""

    world: str
    engine: EngineName
    budget: str


class Job(NamedTuple):
    world: World
    engine: EngineName
    budget: str
    clips: Path  # folder of the CMU clips
    build: Path  # folder of what is made on the way

    @property
    def key(self) -> Key:
        return Key(self.world.name, self.engine, self.budget)


@dataclass(frozen=True, kw_only=True)
class Found:
    """What came of a bake."""

    figures: Figures
    stance: Stance
    levels: tuple[LevelSummary, ...] = ()
    moved_m: tuple[float, ...] = ()  # how far each loose thing of the scene came
    likeness: Likeness | None = None


@dataclass(frozen=True, kw_only=True)
class Row:
    world: str
    engine: EngineName
    budget: str
    code: str  # a digest of the code that baked it
    found: Found | None
    message: str = ""  # why there is nothing
    day: str = ""
    versions: str = ""  # of what took part

    @property
    def key(self) -> Key:
        return Key(self.world, self.engine, self.budget)

    def line(self) -> str:
        return json.dumps(asdict(self)) + "\n"


def row_of(line: str) -> Row:
    content = json.loads(line)
    found = content["found"]
    if found is not None:
        gaits = found["likeness"]
        content["found"] = Found(
            figures=figures_of(found["figures"]),
            stance=Stance(**found["stance"]),
            levels=tuple(LevelSummary(**level) for level in found["levels"]),
            moved_m=tuple(found["moved_m"]),
            likeness=None if gaits is None else Likeness(**{who: Gait(**gait) for who, gait in gaits.items()}),
        )
    return Row(**content)


def read_rows(path: Path) -> list[Row]:
    return rows_in(path, row_of)


def bake_all(jobs: Sequence[Job], path: Path, *, resume: bool) -> Iterator[list[Row]]:
    """All rows so far, after every bake; one after another, since a search may use all cores by itself.

    A resumed run tries again what could not be baked, and whatever another version of the code has baked stays.
    """
    rows = [row for row in read_rows(path) if row.found is not None] if resume else []
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(row.line() for row in rows), encoding="utf-8")
    if rows:
        yield list(rows)
    done = {row.key for row in rows}
    code = code_digest()
    for job in jobs:
        if job.key in done:
            continue
        rows.append(bake_row(job, code))
        with path.open("a", encoding="utf-8") as file:
            file.write(rows[-1].line())
        yield list(rows)


def bake_row(job: Job, code: str) -> Row:
    found, message = None, ""
    try:
        found = _bake(job)
    except (HeftError, ArithmeticError, ValueError, OSError) as error:  # one bad world must not end a run of hours
        message = f"{type(error).__name__}: {error}"
    return Row(
        world=job.world.name,
        engine=job.engine,
        budget=job.budget,
        code=code,
        found=found,
        message=message,
        day=date.today().isoformat(),
        versions=versions_in_words(),
    )


def _bake(job: Job) -> Found:
    """What the command line makes of the world, in this process; a strip of pictures is left beside the rows."""
    arguments = command(job)
    settings = settings_from(make_parser().parse_args(arguments))
    result = bake(read_performance(Path(arguments[1]), settings), settings)
    strip = strip_path(job.build, job.world.name, job.engine)
    strip.parent.mkdir(parents=True, exist_ok=True)
    strip.write_bytes(strip_png(result))
    return Found(
        figures=Figures.of(result.report),
        stance=result.report.stance,
        levels=result.report.keep_level,
        moved_m=_moved(result),
        likeness=None if job.world.like is None else likeness(result, job.world.like, job.clips),
    )


def command(job: Job) -> list[str]:
    """The arguments of `python -m sim_core` that bake this world; the files that they name are made."""
    world = job.world
    arguments = ["bake", str(_clip(job)), "-o", str(job.build / "baked.bvh"), *world.part.options, *world.options]
    if world.scene is not None:
        path = job.build / "scenes" / f"{file_name(world.name)}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(world.scene), encoding="utf-8")
        arguments += ["--scene", str(path)]
    return [*arguments, "--engine", job.engine, "--budget", job.budget, "--workers", "1"]


def _clip(job: Job) -> Path:
    name = job.world.part.clip
    if name not in sample_names():
        return job.clips / f"cmu_{name}.bvh"
    path = job.build / f"{name}.bvh"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        write_new(path, make_sample(name))
    return path


def _moved(result: BakeResult) -> tuple[float, ...]:
    things = result.recording.things[:, : len(loose_numbers(result.performance.scene))]
    return tuple(float(way) for way in np.linalg.norm(things[-1, :, :3] - things[0, :, :3], axis=1))
