"""Several bakes of one rig, one after another: each becomes a take as soon as it is done."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from .bake_session import BakeSession, BakeStatus
from .outcome import Outcome
from .time_left import TimeLeft


class BakeSeries:
    """Like a BakeSession: call `step` until it returns an Outcome."""

    what_stop_does = "Stop keeps the takes that are done and the best so far of this one; Cancel keeps those alone"
    what_cancel_does = "End the bakes; the takes that are done stay, this one is not added. Esc does the same"

    def __init__(self, sessions: Sequence[BakeSession]) -> None:
        self._sessions = sessions
        self._done: list[Outcome] = []
        self._time_left = TimeLeft()
        self._stop_asked = False
        self._outcome: Outcome | None = None

    def step(self, slice_s: float | None = None) -> BakeStatus | Outcome:
        """Go on for about so long. Never raises."""
        if self._outcome is not None:
            return self._outcome
        result = self._now.step() if slice_s is None else self._now.step(slice_s)
        if isinstance(result, BakeStatus):
            return self._status(result)
        if result.baked:
            self._done.append(result)
        if not result.baked or self._stop_asked or len(self._done) == len(self._sessions):
            self._outcome = self._ended(result)
            return self._outcome
        return self._status(BakeStatus(stage="Reading the animation", fraction=0.0))

    def why_not_stop(self) -> str:
        return self._now.why_not_stop()

    def stop(self) -> None:
        self._stop_asked = True
        self._now.stop()

    def cancel(self) -> None:
        self._now.cancel()

    def pause(self) -> None:
        self._now.pause()

    def close(self) -> None:
        self._now.close()

    @property
    def _now(self) -> BakeSession:
        return self._sessions[min(len(self._done), len(self._sessions) - 1)]

    def _status(self, status: BakeStatus) -> BakeStatus:
        count, number = len(self._sessions), len(self._done) + 1
        fraction = (len(self._done) + status.fraction) / count
        return replace(
            status,
            stage=f"Take {number} of {count}: {status.stage}",
            fraction=fraction,
            time_left_s=None if self._stop_asked else self._time_left.after(fraction, time.monotonic()),
        )

    def _ended(self, last: Outcome) -> Outcome:
        if not self._done:
            return last
        so_many = f"{len(self._done)} of {len(self._sessions)} takes were baked"
        if last.baked:
            kind = "WARNING" if any(outcome.kind == "WARNING" for outcome in self._done) else last.kind
            return Outcome(sentence=f"{so_many}. {last.sentence}", kind=kind, baked=True)
        if last.kind == "INFO":
            return Outcome(sentence=f"Cancelled; {so_many} and stay.", kind="INFO", baked=True)
        return Outcome(sentence=f"{so_many} and stay. {last.sentence}", kind=last.kind, baked=True)


Session: TypeAlias = BakeSession | BakeSeries
