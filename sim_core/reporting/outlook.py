"""A forecast in the frames that a person counts: what a sentence about a clip needs to know."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..performance import Performance
from ..reference.forecast import Forecast
from ..reference.hard_stretches import Reason

_JOIN_S = 0.3  # what breaks the same law again so soon is one stretch to a person


@dataclass(frozen=True, kw_only=True)
class HardFrames:
    first: int  # frames as the person counts them, from 1, both included
    last: int
    reason: Reason
    size: float  # in the reason's unit
    needs_bw: float  # what no contact explains, in body weights
    joint: str | None = None  # the link whose joint is not strong enough


@dataclass(frozen=True, kw_only=True)
class FlightFrames:
    first: int
    last: int


@dataclass(frozen=True, kw_only=True)
class Outlook:
    fps: float
    friction: float  # of the ground
    first: int  # the first simulated frame
    frames_before: bool  # whether the source has motion before that
    hard: tuple[HardFrames, ...]
    flights: tuple[FlightFrames, ...]


def outlook_of(forecast: Forecast, performance: Performance, rate: float) -> Outlook:
    """The rate is that of the reference that the forecast is of."""

    def frame(step: int) -> int:
        return performance.frame_at(step / rate)

    fps = performance.asked.fps
    hard = [
        HardFrames(
            first=frame(stretch.first_step),
            last=frame(stretch.last_step),
            reason=stretch.reason,
            size=stretch.size,
            needs_bw=stretch.needs_bw,
            joint=stretch.joint,
        )
        for stretch in forecast.stretches
    ]
    return Outlook(
        fps=fps,
        friction=performance.scene.friction,
        first=performance.frame_at(0.0),
        frames_before=performance.first_frame > performance.source.t_pose_frames,
        hard=joined(hard, round(_JOIN_S * fps)),
        flights=tuple(
            FlightFrames(first=frame(flight.first_step), last=frame(flight.last_step)) for flight in forecast.flights
        ),
    )


def joined(hard: Sequence[HardFrames], gap: int) -> tuple[HardFrames, ...]:
    """Stretches of the same reason and joint as one where no more than so many frames lie between them."""
    result: list[HardFrames] = []
    for after in sorted(hard, key=lambda stretch: (stretch.first, stretch.last)):
        same = [k for k, one in enumerate(result) if (one.reason, one.joint) == (after.reason, after.joint)]
        if same and after.first - result[same[-1]].last <= gap:
            result[same[-1]] = _as_one(result[same[-1]], after)
        else:
            result.append(after)
    return tuple(result)


def _as_one(before: HardFrames, after: HardFrames) -> HardFrames:
    """Needs are averaged over their frames, and so are sizes; of a joint's strength the most counts."""
    lengths = [stretch.last - stretch.first + 1 for stretch in (before, after)]

    def mean(a: float, b: float) -> float:
        return (lengths[0] * a + lengths[1] * b) / sum(lengths)

    peaks = before.reason in ("not strong enough", "snaps round", "needs more friction", "lands hard")
    return replace(
        before,
        last=max(before.last, after.last),
        size=max(before.size, after.size) if peaks else mean(before.size, after.size),
        needs_bw=mean(before.needs_bw, after.needs_bw),
    )
