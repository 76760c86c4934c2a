"""Bakes of rolls, each kept as a line of JSON as soon as it is done: a run can be stopped, and goes on where it was."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from bench.ablations import outcome_of
from bench.bake_rows import Figures, added_rows, code_digest, figures_of, rows_in
from bench.clips import Half
from bench.roll_cases import BEAM_HIGH_M, BEAMS, PartName, RollCase
from bench.roll_poses import write_two_poses
from bench.versions import versions_in_words
from bench.world_names import file_name
from bench.world_rows import Job as WorldJob
from bench.world_rows import command
from sim_core.bake import bake, read_performance
from sim_core.controllers import choose_controller
from sim_core.controllers.rolling.roll_gains import RollGains
from sim_core.option_values import settings_from
from sim_core.options import make_parser
from sim_core.reporting.bake_result import BakeResult
from sim_core.reporting.picture import picture_png
from sim_core.reporting.roll_summary import RollSummary
from sim_core.settings import EngineName, RollKind

_MISSING_TURN = 0.15  # that a body may have turned less than asked
_ASTRAY_DEG = 30.0
_BELOW_M = BEAM_HIGH_M - 0.03  # the top of a beam: there its sides end, and the floor begins
_SPREAD = 0.25  # of the mean speed, where speed is to be held


# What only falls are made of.
_OF_FALLS = (
    *("falling/", "controllers/falling/", "fall_", "goes_on", "reporting/fall_"),
    *("simulation/fall_search", "simulation/search_fall", "simulation/search_get_up", "simulation/impulses"),
)


def code_of_rolls() -> str:
    return code_digest(_OF_FALLS)


class Key(NamedTuple):
    """What tells one bake from another."""

    part: PartName
    name: str
    engine: EngineName
    budget: str


class Job(NamedTuple):
    case: RollCase
    number: int  # in the list of its part
    engine: EngineName
    budget: str
    clips: Path  # folder of the CMU clips
    build: Path  # folder of what is made on the way
    pictures: Path | None

    @property
    def key(self) -> Key:
        return Key(self.case.part, self.case.world.name, self.engine, self.budget)


@dataclass(frozen=True, kw_only=True)
class Found:
    """What came of a bake."""

    figures: Figures
    roll: RollSummary
    kept_joint_deg: float  # until the performance was lost
    off_after: float | None = None  # rolls, after which something touched the floor beside the beam


@dataclass(frozen=True, kw_only=True)
class Row:
    part: PartName
    name: str
    case: str
    group: str
    idea: str
    number: int
    character: str
    half: Half
    published: str
    even_speed: bool
    engine: EngineName
    budget: str
    code: str  # a digest of the code that baked it
    found: Found | None
    message: str = ""  # why there is nothing
    day: str = ""
    versions: str = ""  # of what took part

    @property
    def key(self) -> Key:
        return Key(self.part, self.name, self.engine, self.budget)

    @property
    def missed(self) -> tuple[str, ...]:
        """What there is to say against it; nothing where it is kept."""
        return (self.message or "not baked",) if self.found is None else missed(self.found, even_speed=self.even_speed)

    def line(self) -> str:
        return json.dumps(asdict(self)) + "\n"


def missed(found: Found, *, even_speed: bool) -> tuple[str, ...]:
    figures, roll = found.figures, found.roll
    spread = speed_spread(roll)
    told = []
    if not figures.completed:
        told.append(f"lost after {roll.rolls:.1f} rolls")
    elif roll.rolls < roll.asked - _MISSING_TURN:
        told.append(f"only {roll.rolls:.1f} of {roll.asked} rolls")
    if found.off_after is not None and found.off_after < roll.asked - _MISSING_TURN:
        told.append(f"touches the ground after {found.off_after:.1f} rolls")
    if figures.assist_peak_bw > 0.0:
        told.append("with assist")
    if roll.direction_off_deg > _ASTRAY_DEG:
        told.append(f"astray by {roll.direction_off_deg:.0f}°")
    if even_speed and not (spread is not None and spread <= _SPREAD):
        told.append("speed not held")
    return tuple(told)


def speed_spread(roll: RollSummary) -> float | None:
    """How far the speed of a whole roll is from the mean of all, at most, as a share; None where there is no second."""
    speeds = np.array(roll.speeds_m_s)
    if len(speeds) < 2 or speeds.mean() <= 0.0:
        return None
    return float(np.abs(speeds / speeds.mean() - 1.0).max())


def row_of(line: str) -> Row:
    content = json.loads(line)
    found = content["found"]
    if found is not None:
        roll = RollSummary(**found["roll"] | {"speeds_m_s": tuple(found["roll"]["speeds_m_s"])})
        content["found"] = Found(**found | {"figures": figures_of(found["figures"]), "roll": roll})
    return Row(**content)


def read_rows(path: Path) -> list[Row]:
    return rows_in(path, row_of)


def bake_all(jobs: Sequence[Job], path: Path) -> Iterator[Row]:
    done = {row.key for row in read_rows(path) if row.found is not None}
    return added_rows([job for job in jobs if job.key not in done], path, bake_row, code_of_rolls())


def bake_row(job: Job, code: str) -> Row:
    found, message = None, ""
    try:
        found = _bake(job)
    except Exception as error:  # whatever one bake comes to, the others go on
        message = f"{type(error).__name__}: {error}"
    case, world = job.case, job.case.world
    return Row(
        part=case.part,
        name=world.name,
        case=case.case,
        group=world.group,
        idea=case.idea,
        number=job.number,
        character=case.character,
        half=case.half,
        published=world.published,
        even_speed=case.even_speed,
        engine=job.engine,
        budget=job.budget,
        code=code,
        found=found,
        message=message,
        day=date.today().isoformat(),
        versions=versions_in_words(),
    )


def _bake(job: Job) -> Found:
    """What the command line makes of the case, in this process."""
    arguments = command(WorldJob(job.case.world, job.engine, job.budget, job.clips, job.build))
    if job.case.two_poses is not None:
        arguments.append(f"--poses={_written_poses(job, arguments, job.case.two_poses)}")
    settings = settings_from(make_parser().parse_args(arguments))
    performance = read_performance(Path(arguments[1]), settings)
    # The gains are no setting of a bake, as they are no choice of an animator's.
    with patch.object(choose_controller, "RollGains", partial(RollGains, **job.case.gains)):
        result = bake(performance, settings)
    if job.pictures is not None:
        job.pictures.mkdir(parents=True, exist_ok=True)
        (job.pictures / job.case.picture(job.engine)).write_bytes(picture_png(result))
    assert result.report.roll is not None
    return Found(
        figures=Figures.of(result.report),
        roll=result.report.roll,
        kept_joint_deg=outcome_of(result).joint_deg,
        off_after=_off_after(result, result.report.roll.asked) if job.case.world.group == BEAMS else None,
    )


def _off_after(result: BakeResult, asked: int) -> float | None:
    """By the row that was followed as the floor below the beam was first touched; None where it never was."""
    recording, (span,) = result.recording, result.performance.rolls
    below = recording.ground_contacts.positions[:, 2] < result.performance.floor_m - _BELOW_M
    steps = recording.ground_contacts.steps[below]
    if not len(steps):
        return None
    row = recording.rows[int(steps.min())] * result.performance.asked.fps / recording.rate
    return float(np.clip((row - span.first) / (span.last - span.first), 0.0, 1.0)) * asked


def _written_poses(job: Job, arguments: Sequence[str], kind: RollKind) -> Path:
    """A clip of this rig with the two poses of a kind of roll."""
    performance = read_performance(Path(arguments[1]), settings_from(make_parser().parse_args(arguments)))
    path = job.build / "poses" / f"{file_name(job.case.world.name)}_{job.engine}.npz"
    write_two_poses(path, performance, kind)
    return path
