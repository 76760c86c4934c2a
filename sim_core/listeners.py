"""Who hears of a run: a person at a terminal, or the program that started the worker."""

import sys
import time
from collections.abc import Sequence
from typing import Protocol, TextIO

from . import console
from .cancelling import CancelSwitch
from .messages import ErrorMessage, Message, ProgressMessage, ResultMessage, to_line
from .progress import Listener

_EVERY_S = 0.1
_BAR_WIDTH = 30


class Audience(Listener, Protocol):
    def finish(self, result: ResultMessage, words: Sequence[str]) -> bool:
        """The result, and the same for a person to read; whether it arrived."""

    def fail(self, error: ErrorMessage) -> None: ...


class TerminalListener:
    """Results on standard output, errors and a bar on the error stream."""

    def __init__(self, switch: CancelSwitch, *, bar: bool) -> None:
        self._switch = switch
        is_seen = bar and sys.stderr is not None and sys.stderr.isatty()  # in a file it would be in the way
        self._bar = sys.stderr if is_seen else None
        self._clock = _Clock()
        self._width = 0

    def stage(self, name: str, fraction: float, overall: float) -> None:
        if self._bar is None or not self._clock.is_time(name):
            return
        full = round(_BAR_WIDTH * overall)
        line = f"[{'#' * full}{'.' * (_BAR_WIDTH - full)}] {100 * overall:3.0f} %  {name} ({100 * fraction:.0f} %)"
        console.write(self._bar, "\r" + line.ljust(self._width))
        self._width = len(line)

    def finish(self, result: ResultMessage, words: Sequence[str]) -> bool:
        self._clear()
        return console.write(sys.stdout, "".join(f"{line}\n" for line in words))

    def fail(self, error: ErrorMessage) -> None:
        self._clear()
        console.write(sys.stderr, error.message + "\n")

    def cancelled(self) -> bool:
        return self._switch.cancelled()

    def stop_asked(self) -> bool:
        return self._switch.stop_asked()

    def _clear(self) -> None:
        if self._width:
            console.write(self._bar, "\r" + " " * self._width + "\r")


class JsonListener:
    """Everything as messages on one stream; when nobody reads it any more, the run is cancelled."""

    def __init__(self, switch: CancelSwitch, stream: TextIO | None) -> None:
        self._switch = switch
        self._stream = stream
        self._clock = _Clock()

    def stage(self, name: str, fraction: float, overall: float) -> None:
        if self._clock.is_time(name) and not self._say(ProgressMessage(stage=name, fraction=fraction, overall=overall)):
            self._switch.throw()

    def finish(self, result: ResultMessage, words: Sequence[str]) -> bool:
        return self._say(result)

    def fail(self, error: ErrorMessage) -> None:
        self._say(error)

    def cancelled(self) -> bool:
        return self._switch.cancelled()

    def stop_asked(self) -> bool:
        return self._switch.stop_asked()

    def _say(self, message: Message) -> bool:
        return console.write(self._stream, to_line(message) + "\n")


class _Clock:
    """Ten times a second is enough, but no stage goes by unseen."""

    def __init__(self) -> None:
        self._next = 0.0
        self._name = ""

    def is_time(self, name: str) -> bool:
        now = time.monotonic()
        if now < self._next and name == self._name:
            return False
        self._next, self._name = now + _EVERY_S, name
        return True
