"""The whole bake as one sentence: read, prepare, simulate, recover, clean, report."""

import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .arrays import Floats
from .as_followed import as_followed
from .body.body import Body
from .disturbances import InFrames
from .engines.engine import choose_engine
from .errors import SettingsError
from .goes_on import goes_on
from .motion.clip import Clip
from .motion.hold_pose import Hold
from .motion.source_clip import read_source
from .performance import Performance, prepare, scale_for_height
from .posing.cleanup import frames_from_steps
from .posing.continued import continued
from .posing.followed_by import followed_by
from .posing.recover_clip import recover_clip
from .progress import Course, Listener, Silent
from .reference.forecast import forecast
from .reference.reference import Reference
from .reference.reference_forces import ReferenceForces, reference_forces
from .reference.turn_path import turn_path
from .reporting.bake_result import BakeResult
from .reporting.fall_summary import fall_summary
from .reporting.happened import level_summary, pull_summaries, throw_summary
from .reporting.measure import measure_frames, summarise
from .reporting.outlook import outlook_of
from .reporting.reasons import forecast_in_words
from .reporting.report import Report, Timing, assist_summary, displaced_m, foot_torque_summary, qp_summary
from .reporting.roll_summary import roll_summary
from .reporting.stance import measure_stance
from .reporting.tracking import track
from .reporting.why import reasons_of
from .settings import BakeSettings, FallSettings
from .simulation.crispness import crispness
from .simulation.disturbances import Disturbances, on_segments, segment_of
from .simulation.hold_feet import hold_feet
from .simulation.lie_still import raised, settled_at
from .simulation.outside_forces import OutsideForce, drawn
from .simulation.path import Path as SimulatedPath
from .simulation.readings import other_readings, reading
from .simulation.recording import last_simulated
from .simulation.search_clip import Searched, most_work, search_clip
from .simulation.search_fall import Fell, search_fall
from .simulation.search_get_up import LONGEST_S as GET_UP_S
from .simulation.search_get_up import search_get_up
from .simulation.simulator import Setup
from .simulation.states import States, check_fits, leg_until
from .simulation.throws import thrown

_FAILED_SOLVES = 0.01  # of all: more are worth a warning


def read_performance(path: Path, settings: BakeSettings) -> Performance:
    """The clip of a file, ready to be baked; a height that the person gives sets the scale."""
    clip_settings = settings.clip
    hold = Hold(settings.seconds) if settings.motion == "hold" else None
    roll = settings.roll if settings.motion == "roll" else None
    source = read_source(path, clip_settings, may_be_a_pose=hold is not None)
    fall = settings.fall if settings.motion == "fall" else None
    performance = prepare(source, clip_settings, settings.friction, settings.ground, hold, roll, fall=fall)
    if clip_settings.height_m is None or clip_settings.metres_per_unit is not None:
        return performance
    unscaled = prepare(
        source, replace(clip_settings, height_m=None), settings.friction, settings.ground, hold, roll, fall=fall
    )
    if unscaled.source.conversion is None:
        return performance
    scaled = replace(clip_settings, metres_per_unit=scale_for_height(clip_settings.height_m, unscaled))
    source = read_source(path, scaled, may_be_a_pose=hold is not None)
    return prepare(source, scaled, settings.friction, settings.ground, hold, roll, fall=fall)


class After(NamedTuple):
    """An earlier bake, which is kept up to a frame."""

    frame: int  # as the person counts; the first that is simulated anew
    states: States


def bake(
    performance: Performance, settings: BakeSettings, listener: Listener | None = None, after: After | None = None
) -> BakeResult:
    course, work, clock = Course(listener or Silent()), _Work.of(performance.motion, settings), _Clock()
    body, scene, motion = performance.body, performance.scene, performance.motion
    happens = _what_happens(performance, settings)
    settings = replace(
        settings,
        reference=replace(
            settings.reference,
            levels=happens.levels,
            stances=happens.stances,
            still=settings.motion == "hold",
            rolls=performance.rolls,
        ),
    )
    pulls = (drawn(pull, scene, performance.source) for pull in happens.pulls)
    outside: tuple[OutsideForce, ...] = (*happens.pushes, *pulls)
    looking = course.stage("Looking at the source", work.look, then=work.fit + work.after_fit)
    before = measure_frames(motion, body, scene, looking)
    fitting = course.stage("Fitting it to the ground", work.fit, then=work.after_fit)
    made_for = performance.made_for
    motion = turn_path(motion, body, replace(scene, ground=made_for or scene.ground), happens.turns, happens.stances)
    reference = reading(motion, body, scene, made_for, settings, settings.reference, fitting)
    balls = tuple(
        thrown(throw, number, body, reference, scene, performance.source)
        for number, throw in enumerate(happens.throws, start=1)
    )
    setup = Setup(
        body=body,
        scene=replace(scene, things=(*scene.things, *balls)),
        readings=(reference,),
        forces=_forces(performance, reference, settings, course, work),
        outside=outside,
        settings=settings,
        engine=choose_engine(settings.engine),
    )
    ahead = forecast(body, reference, scene, course.stage("Looking ahead", work.ahead, then=work.search + work.look))
    outlook = outlook_of(ahead, performance, reference.rate)
    fell: Fell | None = None
    if settings.motion == "fall":
        fell = search_fall(setup, course, work.after_fall, *_fall_asked(performance, reference, settings.fall))
        reference, searched = fell.reference, fell.searched
        if settings.fall.then != "lie" and searched.recording.completed and not searched.found.stopped:
            lying = searched.recording.q[-1]
            ground_m = float(scene.surface(fell.rests_at_s or 0.0).height(lying[None, :3])[0])
            on = goes_on(performance, searched.recording, fell.reference, ground_m, settings.fall.then)
            performance, motion = on.performance, on.performance.motion
            got_up = search_get_up(setup, fell, on.clip, course, work.look, performance.frame_at)
            reference, searched = got_up
    else:
        searched = search_clip(
            setup,
            course,
            work.look,
            performance.frame_at,
            lambda progress: other_readings(motion, body, scene, made_for, settings, progress),
            _done(after, performance, reference, setup),
        )
    recording = searched.recording
    performance = as_followed(performance, recording, reference)
    if reference.rolls or fell is not None:
        motion = performance.motion
        before = measure_frames(motion, body, scene)
    crisp = crispness(recording, setup.weight)
    q = frames_from_steps(
        body,
        recording.q,
        recording.rate,
        frames=len(motion),
        fps=motion.fps,
        cutoff_hz=settings.output_cutoff_hz,
        crisp=crisp,
    )
    q = hold_feet(q, recording, body, scene, motion.fps, crisp)
    if fell is not None:
        q = raised(q, recording, body, scene, motion.fps)
        if fell.rests_at_s is not None and settings.fall.then == "lie":
            q = settled_at(fell.rests_at_s, q, body, motion.fps)
    result = recover_clip(motion, body, q)
    simulated_to = last_simulated(recording, len(motion), motion.fps) if searched.found.stopped else None
    if simulated_to is not None:
        result = followed_by(result, motion, simulated_to)
    if after is not None:
        kept = slice(performance.still_frames, None)
        row = performance.row_of(after.frame) - performance.still_frames
        result = continued(result, after.states.positions[kept], after.states.rotations[kept], row)
    measured = measure_frames(result, body, scene, course.stage("Looking at the result", work.look, then=0.0))
    report = Report(
        engine=setup.engine,
        motion=settings.motion,
        controller=settings.controller,
        preset=settings.qp.preset if settings.controller == "qp" and settings.motion in ("track", "hold") else None,
        balance=settings.qp.balance if settings.controller == "qp" and settings.qp.preset == "mcsim" else None,
        friction=settings.friction,
        pushes=happens.pushes,
        pulls=pull_summaries(outside, body, recording),
        throws=tuple(
            throw_summary(throw, ball, performance.source) for throw, ball in zip(happens.throws, balls, strict=True)
        ),
        keep_level=tuple(level_summary(level, body, motion, result) for level in happens.levels),
        turns=happens.turns,
        stances=happens.stances,
        mass_kg=body.mass,
        height_m=body.height,
        realism=settings.realism,
        budget=settings.budget,
        seed=settings.seed,
        stopped=searched.found.stopped,
        resumed_at_frame=None if after is None else after.frame,
        simulated_to_frame=None if simulated_to is None else performance.frame_at(simulated_to / motion.fps),
        fps=motion.fps,
        frames=len(performance.asked),
        completed=recording.completed and (fell is not None or int(recording.rows[-1]) >= len(reference) - 1),
        fell_at_s=recording.failed_at_s,
        fell_at_frame=None if recording.failed_at_s is None else performance.frame_at(recording.failed_at_s),
        why=recording.failure,
        displaced_m=displaced_m(recording),
        assist=assist_summary(recording, motion, setup.weight, searched.limit),
        foot_torque=(foot_torque_summary(recording, motion, settings.va) if settings.controller == "va" else None),
        roll=(
            roll_summary(settings.roll.kind, recording, reference, body, setup.scene, setup.engine)
            if reference.rolls
            else None
        ),
        fall=(
            None if fell is None else fall_summary(settings.fall.style, fell, body, setup.scene, setup.engine, outside)
        ),
        given_up=reasons_of(
            recording,
            reference,
            body,
            performance,
            outlook,
            weight=setup.weight,
            limit_bw=None if settings.assist == "least" else searched.limit / setup.weight,
            blows=(*happens.pushes, *happens.pulls, *happens.throws),
            tried=searched.found.tried,
        ),
        forecast=tuple(forecast_in_words(outlook)),
        before=summarise(before),
        after=summarise(measured),
        stance=measure_stance(result, body, setup.scene, recording),
        tracking=track(_adapted(motion, performance, reference, settings), result, body),
        torque_peak_ratio=float(recording.torque_ratio.max()),
        qp=qp_summary(recording.solve_count),
        ground=performance.ground_in_own_axes(),
        timing=Timing(
            simulated_s=reference.clip_steps / reference.rate,
            wall_s=clock.wall_s(),
            cpu_s=clock.cpu_s(),
            search_cpu_s=searched.cpu_s,
            rollouts=searched.found.rollouts,
            rollouts_s=searched.found.simulated_s,
            cpu_s_per_simulated_s=recording.cpu_s_per_simulated_s,
        ),
        guesses=tuple(guess.reason for guess in performance.guesses),
        warnings=(*performance.warnings, *_warnings(body, reference, searched)),
    )
    return BakeResult(
        clip=_with_still_frames(performance, result),
        performance=performance,
        scene=setup.scene,
        recording=recording,
        outside=outside,
        before=before,
        after=measured,
        report=report,
    )


def _adapted(motion: Clip, performance: Performance, reference: Reference, settings: BakeSettings) -> Clip:
    """What the result is held against: the motion that was asked for, or what became of it on another ground."""
    if performance.made_for is None:
        return motion
    q = frames_from_steps(
        performance.body,
        reference.q,
        reference.rate,
        frames=len(motion),
        fps=motion.fps,
        cutoff_hz=settings.output_cutoff_hz,
    )
    return recover_clip(motion, performance.body, q)


def _fall_asked(
    performance: Performance, reference: Reference, fall: FallSettings
) -> tuple[int | None, tuple[str, ...], Floats | None]:
    """The step at which it is to fall, the segments that are to be spared, and where it is to land, in the world."""
    body, skeleton = performance.body, performance.motion.skeleton
    protect = tuple(segment_of(name, body, skeleton, "fall that spares") for name in fall.protect)
    land_at = None if fall.land_at_m is None else performance.source.from_own_axes(np.array(fall.land_at_m))
    if fall.at is None:
        return None, protect, land_at
    first, last = performance.frame_at(0.0), performance.frame_at(reference.clip_steps / reference.rate)
    if not first <= fall.at <= last:
        raise SettingsError(f"Frame {fall.at} is none to fall from: choose one from {first} to {last}.")
    return round((fall.at - first) / performance.asked.fps * reference.rate), protect, land_at


class _Work(NamedTuple):
    """Seconds that the parts take on a usual machine; progress needs only their ratio."""

    look: float
    fit: float
    prepare: float
    ahead: float
    search: float  # the most that it may be
    get_up: float

    @classmethod
    def of(cls, motion: Clip, settings: BakeSettings) -> "_Work":
        clip_s = len(motion) / motion.fps
        steps = (clip_s + settings.hold_s) / settings.step_s
        return cls(  # measured
            look=0.0005 * len(motion),
            fit=0.0003 * steps,
            prepare=0.0002 * steps if settings.controller == "pd" else 0.0,
            ahead=0.00005 * steps,
            search=most_work(settings, clip_s),
            get_up=most_work(settings, GET_UP_S) if settings.motion == "fall" and settings.fall.then != "lie" else 0.0,
        )

    @property
    def after_fall(self) -> float:
        return self.look + self.get_up

    @property
    def after_fit(self) -> float:
        return self.prepare + self.ahead + self.search + self.get_up + self.look


class _Clock:
    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def wall_s(self) -> float:
        return time.perf_counter() - self._wall

    def cpu_s(self) -> float:
        return time.process_time() - self._cpu


def _forces(
    performance: Performance, reference: Reference, settings: BakeSettings, course: Course, work: _Work
) -> ReferenceForces | None:
    if settings.controller != "pd":
        return None
    preparing = course.stage("Preparing", work.prepare, then=work.ahead + work.search + work.look)
    return reference_forces(performance.body, reference, performance.scene, preparing)


def _what_happens(performance: Performance, settings: BakeSettings) -> Disturbances:
    motion = performance.motion
    asked = [performance.in_seconds(one) if isinstance(one, InFrames) else one for one in settings.disturbances]
    return on_segments(asked, performance.body, motion.skeleton, end_s=motion.duration_s)


def _done(after: After | None, performance: Performance, reference: Reference, setup: Setup) -> SimulatedPath:
    """What an earlier bake has simulated, as the beginning of this one."""
    if after is None:
        return ()
    check_fits(after.states, performance.asked, setup.body, setup.scene, reference.rate)
    row = performance.row_of(after.frame) - performance.still_frames
    step = min(round(row / performance.asked.fps * reference.rate), len(after.states.q) - 1)
    return (leg_until(after.states, step, setup.body, reference, setup.scene, setup.outside),)


def _with_still_frames(performance: Performance, result: Clip) -> Clip:
    """The T-pose that stood in front of the source stands in front of the result, untouched."""
    positions, rotations = performance.asked.positions.copy(), performance.asked.rotations.copy()
    positions[performance.still_frames :] = result.positions
    rotations[performance.still_frames :] = result.rotations
    return replace(performance.asked, positions=positions, rotations=rotations)


def _bones(body: Body, frames: dict[str, int]) -> str:
    return ", ".join(f"{body.links[body.index(name)].bone} ({count})" for name, count in frames.items())


def _warnings(body: Body, reference: Reference, searched: Searched) -> list[str]:
    warnings = []
    if reference.flipped:
        warnings.append(
            f"Joints that snap round were smoothed over, in so many frames: {_bones(body, reference.flipped)}."
        )
    if reference.turned_over:
        warnings.append(
            "Feet that were turned over, as no ankle can, were turned back, in so many frames: "
            f"{_bones(body, reference.turned_over)}."
        )
    count = searched.recording.solve_count
    if count is not None and count.failed > _FAILED_SOLVES * count.solves:
        warnings.append(
            f"The controller found no solution in {100 * count.failed / count.solves:.1f} % of its steps and repeated "
            "the one before; if the motion jerks, try another stiffness or the baseline controller."
        )
    if searched.found.out_of_time:
        warnings.append("The budget ended the search; a longer one may find a result with less assist.")
    return warnings
