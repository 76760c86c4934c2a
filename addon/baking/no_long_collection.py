"""Python's collection of what nobody uses any more, kept short in a slice of time."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_long_collection() -> Iterator[None]:
    """Python now and then looks through all objects there are, for some 40 ms; in a slice only through new ones."""
    if gc.get_freeze_count():  # somebody else's choice
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
