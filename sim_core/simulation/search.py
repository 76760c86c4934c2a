"""The least assist that keeps the performance: a ladder of limits, from little to much."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from ..settings import Assist, OfBodyWeight
from .recording import Recording

LADDER_BW = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)  # of body weight, force and torque together
_REFINEMENTS = 2  # halvings between the last limit that failed and the first that held


class Found(NamedTuple):
    recording: Recording
    limit: float  # [N]
    rollouts: int
    out_of_time: bool


def most_rollouts_left(assist: Assist, kept: Sequence[bool]) -> int:
    """How many rollouts may follow, at most, those of which is known whether they kept the performance."""
    if assist != "least":
        return 1 - len(kept)
    if len(kept) > 0 and kept[0]:
        return 0
    if True in kept:
        return kept.index(True) + 1 + _REFINEMENTS - len(kept)
    return len(LADDER_BW) + max(1, _REFINEMENTS) - len(kept)


def find_assist(
    assist: Assist,
    weight: float,
    rollout: Callable[[float, bool], Recording],  # limit [N], whether to stop at the first failure
    time_left: Callable[[], bool],
) -> Found:
    """Runs with the asked limit, or climbs until the performance is kept, and then narrows the limit down.

    When nothing keeps it, the run with the most assist is given whole.
    """
    if assist != "least":
        limit = _newtons(assist, weight)
        return Found(rollout(limit, False), limit, 1, False)
    rollouts, below = 0, 0.0
    for rung in LADDER_BW:
        limit = rung * weight
        recording = rollout(limit, True)
        rollouts += 1
        if recording.completed:
            break
        below = limit
        if not time_left():
            return Found(rollout(limit, False), limit, rollouts + 1, True)
    else:
        return Found(rollout(limit, False), limit, rollouts + 1, False)
    for _ in range(_REFINEMENTS if limit > 0.0 else 0):
        if not time_left():
            return Found(recording, limit, rollouts, True)
        between = 0.5 * (below + limit)
        trial = rollout(between, True)
        rollouts += 1
        if trial.completed:
            recording, limit = trial, between
        else:
            below = between
    return Found(recording, limit, rollouts, False)


def _newtons(assist: Literal["none"] | float | OfBodyWeight, weight: float) -> float:
    if isinstance(assist, OfBodyWeight):
        return assist.share * weight
    return 0.0 if assist == "none" else assist
