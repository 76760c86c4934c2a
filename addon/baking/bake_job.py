"""The worker process as Blender sees it: asked ten times a second, it never waits, and ends in exactly one event."""

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias

from .time_left import TimeLeft

CANCELLED = "Cancelled; nothing was changed."
_CANCEL_GRACE_S = 0.5  # a healthy worker needs a tenth of it
_END_GRACE_S = 2.0  # between the last word and the end of the process
_ASLEEP_S = 5.0  # nobody asked for so long: the computer slept, and a silent worker slept with it
_LONGEST_LINE = 4_000_000  # bytes; a result has some thousand
_MOST_NOISE = 4_000_000  # bytes that are no messages, before the worker is given up
_STDERR_KEPT = 4096
_NOT_KEPT = 3  # the worker's exit status for "written, but the performance was lost on the way"
_STOP_LINE, _CANCEL_LINE = b'{"type": "stop"}\n', b'{"type": "cancel"}\n'


@dataclass(frozen=True, kw_only=True)
class Progress:
    stage: str
    overall: float  # 0 to 1
    time_left_s: float | None  # None while nobody can know


@dataclass(frozen=True, kw_only=True)
class Finished:
    output: Path
    report: dict[str, Any]
    kept: bool  # the performance, to its last frame


@dataclass(frozen=True, kw_only=True)
class Failed:
    sentence: str
    cancelled: bool = False


Event: TypeAlias = Progress | Finished | Failed


class BakeJob:
    """Starts at once; `poll` tells what happened since, and after a Finished or Failed it tells nothing more."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], folder: Path, silence_s: float = 60.0
    ) -> None:
        self._silence_s = silence_s
        self._messages = _Messages()
        self._time_left = TimeLeft()
        self._ended = False
        self._process: subprocess.Popen[bytes] | None = None
        self._not_started: Failed | None = None
        self._stderr = b""
        self._last_poll = time.monotonic()
        self._kill_at = math.inf  # the process is asked to end, and has until then
        self._stopped = self._cancelled = False
        try:
            self._process = _start(command, environment, folder)
        except (OSError, ValueError) as error:  # ValueError: a NUL in a path
            reason = getattr(error, "strerror", None) or str(error)
            self._not_started = Failed(
                sentence=f"The simulation could not be started ({reason}: '{command[0]}'); reinstall Heft or Blender."
            )
            return
        threading.Thread(target=_listen, args=(self._process.stdout, self._messages), daemon=True).start()
        threading.Thread(target=self._keep_stderr, args=(self._process.stderr,), daemon=True).start()

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def poll(self) -> list[Event]:
        """What is new; at most one event of each kind, the end last."""
        if self._ended:
            return []
        now = time.monotonic()
        if now - self._last_poll > _ASLEEP_S:
            self._messages.touch()
        self._last_poll = now
        events: list[Event] = []
        progress = self._messages.take_progress()
        if progress is not None and not self._cancelled:
            stage, overall = progress
            events.append(Progress(stage=stage, overall=overall, time_left_s=self._time_left.after(overall, now)))
        end = self._end(now)
        if end is not None:
            self._ended = True
            self.kill()
            events.append(end)
        return events

    def stop(self) -> None:
        """Ask the worker to finish with the best so far, once; the end comes as it would have come otherwise."""
        if not (self._stopped or self._cancelled or self._ended):
            self._stopped = True
            self._say(_STOP_LINE)

    def cancel(self) -> None:
        """Ask the worker to end; one that does not is ended by a later `poll`."""
        self._cancelled = True
        self._kill_at = min(self._kill_at, time.monotonic() + _CANCEL_GRACE_S)
        self._say(_CANCEL_LINE)
        if self._process is not None:
            _close(self._process.stdin)

    def kill(self) -> None:
        """End the worker and all that it started, now; at any time, any number of times."""
        self._ended = True
        process = self._process
        if process is None:
            return
        if process.poll() is None:
            _kill_group(process)
            # What was killed still has to be waited for, and that may take a moment that Blender does not have.
            threading.Thread(target=process.wait, daemon=True).start()
        _close(process.stdin)

    def _say(self, line: bytes) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError, ValueError):  # it ended already, or was told to
                self._process.stdin.write(line)

    def _end(self, now: float) -> Finished | Failed | None:
        """How it ended, once it has."""
        if self._process is None:
            return Failed(sentence=CANCELLED, cancelled=True) if self._cancelled else self._not_started
        if self._cancelled:
            gone = self._process.poll() is not None or now > self._kill_at
            return Failed(sentence=CANCELLED, cancelled=True) if gone else None
        # In this order: once the stream is seen closed, the last word has been heard.
        status, closed = self._process.poll(), self._messages.closed
        said = self._messages.last
        if said is None and self._messages.noise > _MOST_NOISE:
            return Failed(sentence="The simulation sent something that Heft cannot read; reinstall Heft.")
        if said is None and self._messages.is_silent_for(self._silence_s):
            return Failed(
                sentence=f"The simulation said nothing for {self._silence_s:.0f} seconds and was stopped; "
                "bake fewer frames at a time, or choose the other engine in Advanced."
            )
        if status is None and said is None and not closed:
            return None
        if status is None or (said is None and not closed):  # its last words or its end are on their way
            self._kill_at = min(self._kill_at, now + _END_GRACE_S)
            if now < self._kill_at:
                return None
        return _ending(said) if said is not None else Failed(sentence=_without_result(status, self._stderr))

    def _keep_stderr(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(stream.fileno(), 65536):
                self._stderr = (self._stderr + chunk)[-_STDERR_KEPT:]
        _close(stream)


class _Messages:
    """What the worker said, from the thread that listens to the one that asks: the newest progress and the last word.

    Never more than that, however much a worker says and however seldom somebody asks.
    """

    def __init__(self) -> None:
        self.last: dict[str, Any] | None = None  # a result or an error
        self.closed = False
        self.noise = 0  # bytes that were no messages, since the last message
        self._progress: tuple[str, float] | None = None
        self._heard = time.monotonic()

    def touch(self) -> None:
        self._heard = time.monotonic()

    def is_silent_for(self, seconds: float) -> bool:
        return time.monotonic() - self._heard > seconds

    def take_progress(self) -> tuple[str, float] | None:
        progress, self._progress = self._progress, None
        return progress

    def add_line(self, line: bytes) -> None:
        message = _read_message(line)
        if message is None:
            self.noise += len(line) + 1
            return
        self.noise = 0
        self.touch()
        if message["type"] == "progress":
            self._progress = (message["stage"], min(max(float(message["overall"]), 0.0), 1.0))
        elif self.last is None:
            self.last = message


_FIELDS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "progress": {"stage": str, "overall": (int, float)},
    "result": {"output": str, "report": dict, "exit_status": int},
    "error": {"message": str, "exit_status": int},
}


def _read_message(line: bytes) -> dict[str, Any] | None:
    """None for whatever is no message in the shape that was agreed on."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or not isinstance(said.get("type"), str) or said["type"] not in _FIELDS:
        return None
    if not all(isinstance(said.get(name), kind) for name, kind in _FIELDS[said["type"]].items()):
        return None
    if said["type"] == "progress" and not math.isfinite(said["overall"]):
        return None
    return said


def _listen(stream: IO[bytes], messages: _Messages) -> None:
    waiting = b""
    with contextlib.suppress(OSError, ValueError):
        while chunk := os.read(stream.fileno(), 65536):
            *lines, waiting = (waiting + chunk).split(b"\n")
            for line in lines:
                messages.add_line(line)
            if len(waiting) > _LONGEST_LINE:
                messages.add_line(waiting)
                waiting = b""
    messages.closed = True
    _close(stream)


def _close(stream: IO[bytes] | None) -> None:
    if stream is not None:
        with contextlib.suppress(OSError):
            stream.close()


def _start(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> "subprocess.Popen[bytes]":
    """In a group of its own, so that nothing of it outlives a kill; without a console window."""
    return subprocess.Popen(
        list(command),
        env=dict(environment),
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=os.name == "posix",
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(OSError):  # it ended in this very moment
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _ending(said: dict[str, Any]) -> Finished | Failed:
    if said["type"] == "error":
        return Failed(sentence=said["message"])
    output = Path(said["output"])
    if not output.is_file():
        return Failed(sentence="The result of the simulation is not where it should be; bake again.")
    return Finished(output=output, report=said["report"], kept=said["exit_status"] != _NOT_KEPT)


def _without_result(status: int | None, stderr: bytes) -> str:
    """What to say of a worker that ended, or fell silent for good, without a word."""
    if status is None:
        return "The simulation stopped talking to Blender and was ended; bake again."
    lines = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    last_words = f": {' '.join(lines[-1].split())[:200]}" if lines else ""
    if status < 0 and -status in _SENT_FROM_OUTSIDE:
        return (
            f"The simulation was ended from outside (signal {-status}); if memory was short, close other programs or "
            "bake fewer frames at a time."
        )
    if status < 0 or status > 0xC0000000:  # Windows says exceptions so
        how = f"signal {-status}" if status < 0 else f"code {status:#x}"
        return f"The simulation crashed ({how}{last_words}); bake again, or choose the other engine in Advanced."
    return f"The simulation ended without a result (exit status {status}{last_words}); bake again, or reinstall Heft."


_SENT_FROM_OUTSIDE = {
    int(getattr(signal, name)) for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT") if sys.platform != "win32"
}
