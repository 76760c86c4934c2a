"""Keeps a library's chatter off standard output (it carries the worker's messages) and off the terminal."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_STDOUT, _STDERR = 1, 2


@contextmanager
def quiet() -> Iterator[None]:
    """What is written to standard output and error meanwhile is lost, so no other thread may write there."""
    with silenced(_STDOUT), silenced(_STDERR):
        yield


@contextmanager
def silenced(descriptor: int) -> Iterator[None]:
    try:
        kept = os.dup(descriptor)
    except OSError:  # a program without a terminal may have no such descriptor, and so nothing to protect
        yield
        return
    _flush_c_buffers()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
    try:
        yield
    finally:
        _flush_c_buffers()  # or the text would come out after all, once the descriptor is back
        os.dup2(kept, descriptor)
        os.close(kept)


def _flush_c_buffers() -> None:
    ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None).fflush(None)
