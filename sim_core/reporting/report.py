"""What a bake changed, what it cost and what is still wrong, as report.json has it."""

import json
from dataclasses import asdict, dataclass

import numpy as np

from ..arrays import Ints
from ..controllers.controller import SolveCount, foot_help_size
from ..disturbances import Push, Turn
from ..disturbances import Stance as StanceAsked
from ..motion.clip import Clip
from ..rig.segments import in_words as in_speech
from ..scene import GroundPlane
from ..settings import Budget, MotionName, VaSettings
from ..simulation.recording import Failure, Recording
from .fall_summary import FallSummary
from .happened import LevelSummary, PullSummary, ThrowSummary
from .measure import Measures
from .roll_summary import RollSummary
from .stance import Stance
from .tracking import Tracking
from .why import Reason

_NOTICED_M = 0.01
_STEADIED_NM = 1.0
_FELT = 0.005  # of body weight: less assist than this is not worth a frame's mention


@dataclass(frozen=True, kw_only=True)
class AssistSummary:
    """All in body weights: force / (m g) + torque / (m g * 1 m)."""

    mean_bw: float
    peak_bw: float
    frames: int  # that were helped
    limit_bw: float
    hold_bw: float  # mean while the last pose was held to see whether the body stands; in no frame of the result


@dataclass(frozen=True, kw_only=True)
class FootTorqueSummary:
    """Artificial torque that kept standing feet from toppling; the assist counts it, too."""

    thr_min_nm: float
    thr_max_nm: float | None  # None is without limit
    mean_nm: float  # of both feet together, over all frames
    peak_nm: float
    frames: int  # that were helped


@dataclass(frozen=True, kw_only=True)
class QpSummary:
    """The QPs behind the result, trials before it left out."""

    solves: int
    failed: int
    per_solve_ms: float


@dataclass(frozen=True, kw_only=True)
class Timing:
    simulated_s: float
    wall_s: float
    cpu_s: float  # of the whole bake
    search_cpu_s: float  # of all simulations, in all processes
    rollouts: int
    rollouts_s: float  # simulated by all of them together
    cpu_s_per_simulated_s: float  # of the windows that the result is from


@dataclass(frozen=True, kw_only=True)
class Report:
    engine: str
    motion: MotionName
    controller: str
    preset: str | None  # of the tracking controller; the baseline has none
    balance: str | None  # of the preset that has a choice of it
    friction: float
    pushes: tuple[Push, ...]
    pulls: tuple[PullSummary, ...]
    throws: tuple[ThrowSummary, ...]
    keep_level: tuple[LevelSummary, ...]
    turns: tuple[Turn, ...]
    stances: tuple[StanceAsked, ...]
    mass_kg: float
    height_m: float
    realism: float | None  # where the dial stood
    budget: Budget
    seed: int
    stopped: bool  # by the person, who kept the best so far
    resumed_at_frame: int | None  # frames before this are those of an earlier bake
    simulated_to_frame: int | None  # frames after this are the source's; None where all are simulated
    fps: float
    frames: int
    completed: bool  # simulated to its end, and kept
    fell_at_s: float | None  # after the first simulated frame
    fell_at_frame: int | None  # as the person counts frames, from 1
    why: Failure | None
    displaced_m: float  # how far from its path steps of recovery led the character, at most
    assist: AssistSummary
    foot_torque: FootTorqueSummary | None  # None where the controller has no such help
    roll: RollSummary | None  # None where the motion is no roll
    fall: FallSummary | None  # None where the motion is no fall
    given_up: tuple[Reason, ...]  # where and why
    forecast: tuple[str, ...]  # what looked hard before the bake
    before: Measures
    after: Measures
    stance: Stance  # of the result
    tracking: Tracking
    torque_peak_ratio: float
    qp: QpSummary | None  # None where the controller solves no QP
    ground: GroundPlane
    timing: Timing
    guesses: tuple[str, ...]
    warnings: tuple[str, ...]


def assist_summary(recording: Recording, motion: Clip, weight: float, limit: float) -> AssistSummary:
    assist = recording.assist_weights(weight)
    steps = _steps_of(motion, recording)
    return AssistSummary(
        mean_bw=float(assist[: steps[-1] + 1].mean()),
        peak_bw=float(assist[: steps[-1] + 1].max()),
        frames=int(np.sum(assist[steps] > _FELT)),
        limit_bw=limit / weight,
        hold_bw=float(assist[steps[-1] + 1 :].mean()) if len(assist) > steps[-1] + 1 else 0.0,
    )


def foot_torque_summary(recording: Recording, motion: Clip, settings: VaSettings) -> FootTorqueSummary:
    torque = foot_help_size(recording.foot_torque)
    steps = _steps_of(motion, recording)
    return FootTorqueSummary(
        thr_min_nm=settings.thr_min,
        thr_max_nm=settings.thr_max if np.isfinite(settings.thr_max) else None,
        mean_nm=float(torque[: steps[-1] + 1].mean()),
        peak_nm=float(torque[: steps[-1] + 1].max()),
        frames=int(np.sum(torque[steps] > _STEADIED_NM)),
    )


def _steps_of(motion: Clip, recording: Recording) -> Ints:
    """(T,) the step at each frame, or the last that there is."""
    steps: Ints = np.round(np.arange(len(motion)) / motion.fps * recording.rate).astype(np.int64)
    return np.minimum(steps, len(recording.q) - 1)


def qp_summary(count: SolveCount | None) -> QpSummary | None:
    if count is None:
        return None
    return QpSummary(
        solves=count.solves, failed=count.failed, per_solve_ms=1000.0 * count.seconds / max(count.solves, 1)
    )


def report_bytes(report: Report) -> bytes:
    return (json.dumps(asdict(report), indent=2, allow_nan=False) + "\n").encode()


def displaced_m(recording: Recording) -> float:
    return float(np.linalg.norm(recording.displaced, axis=1).max())


def in_words(report: Report) -> list[str]:
    """The report as a person reads it."""
    before, after, tracking = report.before, report.after, report.tracking
    lines = []
    what = {"hold": "pose", "roll": "roll", "fall": "fall"}.get(report.motion, "performance")
    if report.completed:
        lines.append(f"The {what} was kept for all {report.frames} frames.")
    elif report.fell_at_s is not None:
        when = f"{report.fell_at_s:.2f} s (frame {report.fell_at_frame})"
        lines.append(f"The {what} was lost: it {report.why} at {when}.")
    if report.simulated_to_frame is not None:
        lines.append(f"It was stopped at frame {report.simulated_to_frame}; the frames after that are the source's.")
    lines += [
        f"  {'':14}{'before':>10}{'after':>10}",
        f"  {'foot skate':14}{before.foot_skate_m_s:10.3f}{after.foot_skate_m_s:10.3f}  m/s",
        f"  {'penetration':14}{1000 * before.penetration_m:10.1f}{1000 * after.penetration_m:10.1f}  mm",
        f"  {'floating':14}{1000 * before.float_m:10.1f}{1000 * after.float_m:10.1f}  mm",
        f"  {'physics error':14}{100 * before.physics_error_bw:10.1f}{100 * after.physics_error_bw:10.1f}"
        "  % of body weight",
        f"  {'jerk':14}{before.jerk_m_s3:10.0f}{after.jerk_m_s3:10.0f}  m/s^3",
        f"Poses stay within {tracking.joint_deg:.1f} degrees of the source on average, the character within "
        f"{100 * tracking.root_drift_m:.0f} cm of its path.",
        *_rolled(report.roll),
        *_fell(report.fall),
        *_displaced(report),
        f"Assist: {100 * report.assist.mean_bw:.1f} % of body weight on average, "
        f"{100 * report.assist.peak_bw:.1f} % at most.",
        *_steadied(report.foot_torque),
    ]
    for pull in report.pulls:
        lines.append(
            f"The {in_speech(pull.bone)} was pulled with {pull.mean_n:.0f} N on average, {pull.peak_n:.0f} N at most, "
            f"and came within {100 * pull.nearest_m:.0f} cm of the point."
        )
    for level in report.keep_level:
        lines.append(
            f"The {in_speech(level.bone)} stays level within {level.mean_deg:.1f} degrees on average, "
            f"{level.worst_deg:.1f} at worst ({level.before_worst_deg:.1f} in the source)."
        )
    for reason in report.given_up:
        lines += [reason.sentence, *(f"  {advice}" for advice in reason.advice)]
    return lines


def _steadied(help_given: FootTorqueSummary | None) -> list[str]:
    if help_given is None:
        return []
    if help_given.peak_nm == 0.0:
        return ["Its feet stood by themselves: no artificial torque was used."]
    return [
        f"Of this, artificial torque steadied the feet with {help_given.mean_nm:.0f} N m on average, "
        f"{help_given.peak_nm:.0f} N m at most, in {help_given.frames} frames."
    ]


def _rolled(roll: RollSummary | None) -> list[str]:
    if roll is None:
        return []
    return [
        f"It rolled {roll.rolls:.1f} of {roll.asked} turns and {roll.distance_m:.1f} m far, "
        f"{roll.direction_off_deg:.0f} degrees from the direction asked for.",
        f"The ground pressed on its head with {roll.head_peak_n:.0f} N at most ({roll.head_limp_n:.0f} N if it went "
        "limp).",
    ]


def _fell(fall: FallSummary | None) -> list[str]:
    if fall is None:
        return []
    rests = "does not come to rest" if fall.rests_at_s is None else f"lies still at {fall.rests_at_s:.1f} s"
    return [
        f"It loses its balance at {fall.at_s:.2f} s and {rests}; the hardest blows are on "
        f"{', '.join(f'{part} ({blow:.0f} N s)' for part, blow in fall.hardest)}.",
        f"Its head is hit with {fall.head_ns:.0f} N s at most ({fall.limp_head_ns:.0f} N s if it went limp), all parts "
        f"together with {fall.blows_ns:.0f} ({fall.limp_blows_ns:.0f}), the head counted ten times; {_tries(fall)}.",
    ]


def _tries(fall: FallSummary) -> str:
    return "one fall was tried" if fall.tries == 1 else f"{fall.tries} falls were tried"


def _displaced(report: Report) -> list[str]:
    if report.roll is not None or report.fall is not None or report.displaced_m < _NOTICED_M:
        return []
    return [f"It stepped so as not to fall, and was led {100 * report.displaced_m:.0f} cm from its path by that."]
