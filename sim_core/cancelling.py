"""How a run is stopped from outside: Ctrl-C, a terminate signal, or the program that started it."""

import _thread
import os
import signal
import stat
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, TextIO

from .errors import Cancelled
from .messages import request_of
from .progress import CANCELLED_WORDS

_SIGNALS = ("SIGINT", "SIGTERM", "SIGBREAK")  # the last is how a program asks politely on Windows
_LOOK_EVERY_S = 0.1


class Interrupt(KeyboardInterrupt):
    """No `except Exception` on its way up swallows it. Not KeyboardInterrupt itself: when that comes out of a string
    that is executed, as dataclasses do, then Python in the end kills itself, although it was caught long ago."""


class CancelSwitch:
    """Thrown once. Before that it can be asked for a stop: an end of the search that keeps the best so far.
    As a context it listens to signals, and a throw interrupts the main thread wherever it is.

    Should an interrupt be lost, in a callback of some library, then the next one to ask `cancelled` learns of it.
    """

    def __init__(self) -> None:
        self._thrown = threading.Event()
        self._stop = threading.Event()
        self._is_keeping = False
        self._is_held = self._is_thrown_by_thread = False
        self._replaced: dict[int, Any] = {}  # handlers, by signal

    def __enter__(self) -> "CancelSwitch":
        if threading.current_thread() is threading.main_thread():  # no other may handle signals
            for name in _SIGNALS:
                if hasattr(signal, name):
                    number = getattr(signal, name)
                    self._replaced[number] = signal.signal(number, self._on_signal) or signal.SIG_DFL
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        while self._replaced:
            signal.signal(*self._replaced.popitem())

    def cancelled(self) -> bool:
        return self._thrown.is_set()

    def stop_asked(self) -> bool:
        return self._stop.is_set()

    def stop(self) -> None:
        """From any thread."""
        self._stop.set()

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """While this lasts the first Ctrl-C asks for a stop, and only the second cancels."""
        self._is_keeping = True
        try:
            yield
        finally:
            self._is_keeping = False

    def throw(self) -> None:
        """From any thread."""
        if self._replaced:
            self._is_thrown_by_thread = True
            _thread.interrupt_main()  # as a SIGINT, on every system
        else:
            self._thrown.set()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Holds a cancel back until the end of what must not be torn apart."""
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
        if self.cancelled():
            raise Cancelled(CANCELLED_WORDS)

    def no_way_back(self) -> None:
        """The last moment for a cancel; from here on it comes too late and is not heard."""
        self._is_held = True
        if self.cancelled():
            raise Cancelled(CANCELLED_WORDS)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT and self._is_keeping and not self.stop_asked() and not self._is_thrown_by_thread:
            self.stop()
            return
        first = not self.cancelled()
        self._thrown.set()
        if first and not self._is_held:
            raise Interrupt

    def follow(self, stream: TextIO | None) -> None:
        """Throws when a cancel message comes in on a pipe, or when its other end is gone.

        Terminals and files never mean a cancel; a program without standard input has None.
        """
        try:
            descriptor = -1 if stream is None else stream.fileno()
            mode = os.fstat(descriptor).st_mode
        except (OSError, ValueError):
            return
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            threading.Thread(target=_until_cancel, args=(descriptor, self), daemon=True).start()


def _until_cancel(descriptor: int, switch: CancelSwitch) -> None:
    waiting = b""
    while chunk := _read(descriptor):
        *lines, waiting = (waiting + chunk).split(b"\n")
        asked = {request_of(line) for line in lines}
        if "stop" in asked:
            switch.stop()
        if "cancel" in asked:
            break
    switch.throw()


def _read(descriptor: int) -> bytes:
    """What came in, as soon as there is something; nothing at the end."""
    _wait_on_windows(descriptor)
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""


def _wait_on_windows(descriptor: int) -> None:
    """There a waiting read would hold the pipe, and with it every library that looks at standard input as it loads,
    as numpy's do (CPython issue 78961, NumPy issue 24290); so the pipe is looked at from time to time."""
    if sys.platform == "win32":
        import ctypes
        import msvcrt

        pipe, size = ctypes.c_void_p(msvcrt.get_osfhandle(descriptor)), ctypes.c_ulong()
        peek = ctypes.windll.kernel32.PeekNamedPipe
        while peek(pipe, None, 0, None, ctypes.byref(size), None) and not size.value:
            time.sleep(_LOOK_EVERY_S)
