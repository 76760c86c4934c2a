"""Who hears of a bake's progress: a person at a terminal, the program that started the worker, or nobody."""

import os
import signal
import stat
import sys
import threading
import time
from types import FrameType
from typing import TextIO

from .messages import Message, ProgressMessage, to_line

_EVERY_S = 0.1
_BAR_WIDTH = 30


class CancelSwitch:
    """Thrown by Ctrl-C, by a terminate signal, or by the other end of a pipe going away."""

    def __init__(self) -> None:
        self._thrown = threading.Event()

    def throw(self) -> None:
        self._thrown.set()

    def cancelled(self) -> bool:
        return self._thrown.is_set()

    def on_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)

    def on_closing(self, stream: TextIO) -> None:
        """Watches a pipe in the background; terminals and files never mean a cancel."""
        try:
            mode = os.fstat(stream.fileno()).st_mode
        except (OSError, ValueError):
            return
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            threading.Thread(target=self._wait_for_end, args=(stream.fileno(),), daemon=True).start()

    def _wait_for_end(self, descriptor: int) -> None:
        while os.read(descriptor, 4096):
            pass
        self.throw()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.cancelled():  # asked twice: at once
            raise KeyboardInterrupt
        self.throw()


class BarListener:
    """A bar on the terminal's error stream, so that results on the output stream stay clean."""

    def __init__(self, switch: CancelSwitch, stream: TextIO | None = None) -> None:
        self._switch = switch
        self._stream = sys.stderr if stream is None else stream
        self._next = 0.0
        self._width = 0

    def stage(self, name: str, fraction: float) -> None:
        now = time.monotonic()
        if now < self._next and fraction < 1.0:
            return
        self._next = now + _EVERY_S
        full = round(_BAR_WIDTH * fraction)
        line = f"[{'#' * full}{'.' * (_BAR_WIDTH - full)}] {100 * fraction:3.0f} %  {name}"
        self._stream.write("\r" + line.ljust(self._width))
        self._stream.flush()
        self._width = len(line)

    def clear(self) -> None:
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()

    def cancelled(self) -> bool:
        return self._switch.cancelled()


class JsonListener:
    """Messages for the program that started the worker."""

    def __init__(self, switch: CancelSwitch, stream: TextIO | None = None) -> None:
        self._switch = switch
        self._stream = sys.stdout if stream is None else stream
        self._next = 0.0

    def stage(self, name: str, fraction: float) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _EVERY_S
            self.say(ProgressMessage(stage=name, fraction=fraction))

    def say(self, message: Message) -> None:
        try:
            self._stream.write(to_line(message) + "\n")
            self._stream.flush()
        except BrokenPipeError:
            self._switch.throw()

    def cancelled(self) -> bool:
        return self._switch.cancelled()


class QuietListener:
    def __init__(self, switch: CancelSwitch) -> None:
        self._switch = switch

    def stage(self, name: str, fraction: float) -> None:
        """Nothing is shown."""

    def cancelled(self) -> bool:
        return self._switch.cancelled()
