"""Generators that do a little work between two yields, for callers that have the time to wait."""

from collections.abc import Generator
from typing import TypeVar

_Value = TypeVar("_Value")


class LongPieceAhead(float):
    """A fraction after which comes a piece of work that Blender does not divide; it had better begin a slice."""


def run_to_end(generator: Generator[object, None, _Value]) -> _Value:
    """What the generator returns, without a pause."""
    while True:
        try:
            next(generator)
        except StopIteration as end:
            value: _Value = end.value
            return value
