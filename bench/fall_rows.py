"""Bakes of falls, each kept as a line of JSON as soon as it is done: a run can be stopped, and goes on where it was."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from bench.bake_rows import Figures, added_rows, code_digest, figures_of, rows_in
from bench.clips import Half
from bench.fall_cases import FallCase, PartName
from bench.frozen import frozen_peaks
from bench.versions import versions_in_words
from bench.world_names import file_name
from bench.world_rows import Job as WorldJob
from bench.world_rows import command
from sim_core.arrays import Floats
from sim_core.bake import bake, read_performance
from sim_core.controllers import choose_controller
from sim_core.controllers.falling.fall_gains import FallGains
from sim_core.dynamics.kinematics import pose
from sim_core.engines.engine import State
from sim_core.falling import fall_script
from sim_core.option_values import settings_from
from sim_core.options import make_parser
from sim_core.reporting.bake_result import BakeResult
from sim_core.reporting.fall_summary import FallSummary
from sim_core.reporting.picture import picture_png
from sim_core.settings import EngineName
from sim_core.simulation import search_fall
from sim_core.simulation.fall_search import FallSearch
from sim_core.simulation.impulses import head_impulse, weights_of

_LIMP_HEAD = 0.1  # of a limp body's blow to the head, and of a frozen one's: what is allowed
_LIMP_ALL = 0.5  # of all blows
_MOVES = 0.01  # [m/s^3] of who rests
_DEEP_M = 0.01
_RESTS_S = 3.0
_HELP = 0.05  # of body weight: the mean that who gets up may have
_FROZEN_S = 3.0
_SEEN_HZ = 20.0
_SEEN_S = 3.0


# What only rolls are made of.
_OF_ROLLS = (
    *("roll_", "reference/roll_on_terrain", "reporting/roll_"),
    *(f"controllers/rolling/{name}" for name in ("bearing", "contact_motion", "feet_", "roll_clock", "roll_frame")),
    *(f"controllers/rolling/{name}" for name in ("roll_gains", "rolling", "weight_path")),
    *(f"rolling/{name}" for name in ("find_roll", "given_poses", "half_roll", "key_poses", "made_rolls", "plan_roll")),
    *(f"rolling/{name}" for name in ("pose_cycle", "put_hands", "repeat_roll", "roll_path", "uphill")),
)


def code_of_falls() -> str:
    return code_digest(_OF_ROLLS)


class Key(NamedTuple):
    """What tells one bake from another."""

    name: str
    engine: EngineName


class Job(NamedTuple):
    case: FallCase
    number: int
    engine: EngineName
    clips: Path  # folder of the CMU clips
    build: Path  # folder of what is made on the way
    pictures: Path

    @property
    def key(self) -> Key:
        return Key(self.case.world.name, self.engine)


@dataclass(frozen=True, kw_only=True)
class Found:
    """What came of a bake."""

    figures: Figures
    fall: FallSummary | None = None  # None of a clip that is followed
    frozen_head_ns: float = 0.0
    frozen_blows_ns: float = 0.0
    jerk_after_rest: float = 0.0  # [m/s^3] mean of the keys' joints
    tries_s: tuple[tuple[int, float, float], ...] = ()  # after so many tries: seconds, and the least cost so far
    joints: tuple[tuple[float, ...], ...] = ()  # places of all joints [m], beside where the fall began


@dataclass(frozen=True, kw_only=True)
class Row:
    part: PartName
    name: str
    group: str
    idea: str
    number: int
    clip: str
    half: Half
    engine: EngineName
    budget: str
    code: str  # a digest of the code that baked it
    found: Found | None
    message: str = ""  # why there is nothing
    day: str = ""
    versions: str = ""  # of what took part

    @property
    def key(self) -> Key:
        return Key(self.name, self.engine)

    @property
    def missed(self) -> tuple[str, ...]:
        """What there is to say against it; nothing where all is as wanted."""
        return (self.message or "not baked",) if self.found is None else missed(self.found, self.part)

    def line(self) -> str:
        return json.dumps(asdict(self)) + "\n"


def missed(found: Found, part: PartName) -> tuple[str, ...]:
    figures, after, before = found.figures, found.figures.after, found.figures.before
    lost = () if figures.completed else ("lost",)
    if part == "up":
        return (*lost, *(("much help",) if figures.assist_mean_bw > _HELP else ()))
    if found.fall is None:
        return (*lost, *(("physics error",) if after.physics_error_bw > 0.2 * before.physics_error_bw else ()))
    told = []
    # Surprises are only to be falls; but nobody is to be hit harder than who does nothing about it.
    head, blows = (1.0, 1.0) if part == "surprises" else (_LIMP_HEAD, _LIMP_ALL)
    if found.fall.head_ns > max(head * min(found.fall.limp_head_ns, found.frozen_head_ns), 1.0):
        told.append("head")
    if found.fall.blows_ns > blows * min(found.fall.limp_blows_ns, found.frozen_blows_ns):
        told.append("blows")
    if after.penetration_m > _DEEP_M:
        told.append("deep")
    if found.fall.rests_at_s is None:
        told.append("no rest")
    elif found.fall.rests_at_s - found.fall.at_s > _RESTS_S:
        told.append("rests late")
    if found.fall.rests_at_s is not None and found.jerk_after_rest > _MOVES:
        told.append("moves on")
    return tuple(told)


def row_of(line: str) -> Row:
    content = json.loads(line)
    found = content["found"]
    if found is not None:
        fall = found["fall"]
        if fall is not None:
            fall = FallSummary(**fall | {"hardest": tuple(tuple(part) for part in fall["hardest"])})
        content["found"] = Found(
            **found
            | {
                "figures": figures_of(found["figures"]),
                "fall": fall,
                "tries_s": tuple(tuple(one) for one in found["tries_s"]),
                "joints": tuple(tuple(one) for one in found["joints"]),
            }
        )
    return Row(**content)


def read_rows(path: Path) -> list[Row]:
    return rows_in(path, row_of)


def bake_all(jobs: Sequence[Job], path: Path) -> Iterator[Row]:
    done = {row.key for row in read_rows(path) if row.found is not None}
    return added_rows([job for job in jobs if job.key not in done], path, bake_row, code_of_falls())


def bake_row(job: Job, code: str) -> Row:
    found, message = None, ""
    try:
        found = _bake(job)
    except Exception as error:  # whatever one bake comes to, the others go on
        message = f"{type(error).__name__}: {error}"
    case = job.case
    return Row(
        part=case.part,
        name=case.world.name,
        group=case.world.group,
        idea=case.idea,
        number=job.number,
        clip=case.world.part.clip,
        half=case.half,
        engine=job.engine,
        budget=case.budget,
        code=code,
        found=found,
        message=message,
        day=date.today().isoformat(),
        versions=versions_in_words(),
    )


class _Timed(FallSearch):
    """Tells when each crowd of tries was judged."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self._began, self.times = time.perf_counter(), list[float]()

    def _judge(self, *arguments):  # type: ignore[no-untyped-def]
        judged = super()._judge(*arguments)
        self.times.append(time.perf_counter() - self._began)
        return judged


def _bake(job: Job) -> Found:
    """What the command line makes of the case, in this process."""
    arguments = command(WorldJob(job.case.world, job.engine, job.case.budget, job.clips, job.build))
    settings = settings_from(make_parser().parse_args(arguments))
    performance = read_performance(Path(arguments[1]), settings)
    searches: list[_Timed] = []

    def timed(*given: object) -> _Timed:
        searches.append(_Timed(*given))
        return searches[-1]

    fells = []
    find = search_fall.search_fall

    def listened(*given, **named):  # type: ignore[no-untyped-def]
        fells.append(find(*given, **named))
        return fells[-1]

    with ExitStack() as changed:
        # Neither gains nor units are settings of a bake, as they are no choice of an animator's.
        changed.enter_context(patch.object(choose_controller, "FallGains", partial(FallGains, **job.case.gains)))
        changed.enter_context(patch.dict(fall_script._UNITS, job.case.units))
        changed.enter_context(patch.object(search_fall, "FallSearch", timed))
        changed.enter_context(patch("sim_core.bake.search_fall", listened))
        result = bake(performance, settings)
    job.pictures.mkdir(parents=True, exist_ok=True)
    (job.pictures / f"{file_name(job.case.world.name)}_{job.engine}.png").write_bytes(picture_png(result))
    if result.report.fall is None:
        return Found(figures=Figures.of(result.report))
    body, first = result.performance.body, fells[0].first_step
    recording = result.recording
    state = State(recording.q[first], recording.v[first], recording.things[first])
    frozen = frozen_peaks(body, result.scene, job.engine, state, first / recording.rate, _FROZEN_S, result.outside)
    history = zip(fells[0].found.history, searches[0].times, strict=True)
    return Found(
        figures=Figures.of(result.report),
        fall=result.report.fall,
        frozen_head_ns=head_impulse(frozen, body),
        frozen_blows_ns=float(frozen @ weights_of(body)),
        jerk_after_rest=_jerk_after_rest(result),
        tries_s=tuple((tries, seconds, cost) for (tries, cost), seconds in history),
        joints=_seen(result, first) if job.case.part == "seeds" else (),
    )


def _jerk_after_rest(result: BakeResult) -> float:
    """[m/s^3] of the keys' joints, in the mean."""
    assert result.report.fall is not None
    rests, fps = result.report.fall.rests_at_s, result.clip.fps
    if rests is None:
        return float("inf")
    begins = len(result.performance.asked) - len(result.performance.motion)
    places = result.clip.frames(begins + int(np.ceil(rests * fps)), len(result.clip)).world().positions
    if len(places) < 4:
        return 0.0
    return float(np.linalg.norm(np.diff(places, 3, axis=0), axis=-1).mean() * fps**3)


def _seen(result: BakeResult, first: int) -> tuple[tuple[float, ...], ...]:
    """Places of all joints beside where the fall began, a few times a second."""
    recording, body = result.recording, result.performance.body
    steps = first + (np.arange(0.0, _SEEN_S, 1.0 / _SEEN_HZ) * recording.rate).astype(np.int64)
    rows = np.minimum(steps, len(recording.q) - 1)
    places: Floats = pose(body, recording.q[rows]).origins - recording.q[first, :3]
    return tuple(tuple(np.round(row, 3).tolist()) for row in places.reshape(len(rows), -1))


def farthest_apart(one: Found, other: Found) -> float:
    """[m] the mean distance of two takes' joints, at the moment at which it is largest."""
    a, b = (np.array(found.joints).reshape(len(found.joints), -1, 3) for found in (one, other))
    return float(np.linalg.norm(a - b, axis=-1).mean(axis=1).max())


def usable_after_s(found: Found) -> float | None:
    """Seconds of the search until a fall was found that costs at most twice the best."""
    if not found.tries_s:
        return None
    best = found.tries_s[-1][2]
    return next(seconds for _, seconds, cost in found.tries_s if cost <= 2.0 * best)
