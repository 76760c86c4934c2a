"""Work that needs no Blender, done beside it: files, mostly, which on a slow disk may take a while."""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Result = TypeVar("_Result")


def in_background(work: Callable[[], _Result]) -> Generator[None, None, _Result]:
    """Yields until the work is done; its errors are raised here."""
    pool = ThreadPoolExecutor(max_workers=1)
    try:
        future = pool.submit(work)
        while not future.done():
            yield
        return future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
