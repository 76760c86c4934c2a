"""What a process does that carries out trials for others."""

import multiprocessing
import os
import signal
import threading
from multiprocessing.synchronize import Event
from typing import Any

from ..errors import Cancelled
from ..progress import CANCELLED_WORDS
from .simulator import Setup, Simulator
from .trial import Attempt, Trial

_in_this_process: dict[str, Any] = {}  # set once, when a process of a pool begins
_of_this_thread = threading.local()  # a cluster's worker may have several threads


def begin(setup: Setup, stop: Event) -> None:
    """In a process of a pool, before its first trial."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all of a terminal's processes; the first one decides
    _in_this_process.update(setup=setup, stop=stop)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A process whose parent was killed has nobody to work for."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def carry_out(setup: Setup | None, trial: Trial) -> Attempt:
    """None stands for the setup that the process began with."""
    setup = setup or _in_this_process["setup"]
    known: tuple[Setup, Simulator] | None = getattr(_of_this_thread, "simulator", None)
    if known is None or known[0] is not setup:
        if known is not None:
            known[1].close()
        known = _of_this_thread.simulator = (setup, Simulator(setup))
    return known[1].run(trial, _unless_stopped)


def _unless_stopped(fraction: float) -> None:
    stop = _in_this_process.get("stop")
    if stop is not None and stop.is_set():
        raise Cancelled(CANCELLED_WORDS)
