"""Stretches of a bake that could not be had by physics alone."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ..arrays import Floats
from ..performance import Performance
from ..simulation.recording import Failure

Side: TypeAlias = Literal["forward", "backward", "left", "right"]

_FELT = 0.005  # of body weight: less assist than this is not worth a mention
_JOIN_S = 0.2  # help that comes again so soon is the same help


@dataclass(frozen=True, kw_only=True)
class GivenUp:
    """A stretch that could not be had by physics alone; frames as the person counts them, both included."""

    first: int
    last: int
    what: Literal["assist", "lost"]
    mean_bw: float = 0.0  # of the assist
    peak_bw: float = 0.0
    failure: Failure | None = None  # how it failed: in the end, or before assist was given
    side: Side | None = None  # to which the body fell then
    variations: int = 0  # that were tried without assist
    push: str | None = None  # or a pull or a throw, in words, where one came just before
    push_advice: str = "Push less hard, or for fewer frames."
    limit_bw: float | None = None  # of the assist that was allowed; None is as much as it takes


def assisted_stretches(assist_bw: Floats, rate: float, performance: Performance) -> list[GivenUp]:
    """Where assist (S,), in body weights at every step, was felt; what comes after the clip's end is left out."""
    motion = performance.motion
    steps = round((len(motion) - 1) / motion.fps * rate) + 1
    runs: list[tuple[int, int]] = []
    for step in np.flatnonzero(assist_bw[:steps] > _FELT).tolist():
        if runs and step - runs[-1][1] <= _JOIN_S * rate:
            runs[-1] = (runs[-1][0], step)
        else:
            runs.append((step, step))
    return [
        GivenUp(
            first=performance.frame_at(first / rate),
            last=performance.frame_at(last / rate),
            what="assist",
            mean_bw=float(assist_bw[first : last + 1].mean()),
            peak_bw=float(assist_bw[first : last + 1].max()),
        )
        for first, last in runs
    ]
