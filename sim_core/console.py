"""The streams of a process, whatever they are: a terminal, a pipe that broke, a full disk, or missing."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO

from .engines.quiet import silenced

_STDOUT = 1


def write(stream: TextIO | None, text: str) -> bool:
    """Whether the text arrived; a stream that takes no more is no reason to fail."""
    if stream is None:
        return False
    if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
        reconfigure(errors="backslashreplace")  # bone names may hold letters that an old console has not
    try:
        stream.write(text)
        stream.flush()
    except (OSError, ValueError):  # ValueError: closed
        _forget(stream)
        return False
    return True


def _forget(stream: TextIO) -> None:
    """What is left in the stream goes nowhere, or Python would stumble over it again on its way out."""
    with contextlib.suppress(OSError, ValueError), open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


@contextlib.contextmanager
def stdout_for_messages() -> Iterator[TextIO | None]:
    """Standard output for messages alone: whatever libraries print there meanwhile, from Python or from C, is lost."""
    stream = sys.stdout
    try:
        is_whole_process = stream.fileno() == _STDOUT
    except (AttributeError, OSError, ValueError):  # missing, or exchanged by a program that calls us
        is_whole_process = False
    if not is_whole_process:
        yield stream
        return
    stream.flush()
    with os.fdopen(os.dup(_STDOUT), "w", encoding="utf-8", newline="\n") as own, silenced(_STDOUT):
        try:
            yield own
        finally:
            stream.flush()
