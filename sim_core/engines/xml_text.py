"""Numbers for the engines' model files."""

from collections.abc import Iterable


def numbers_text(numbers: Iterable[float]) -> str:
    """With every digit, so that the engine's model equals ours to the last bit."""
    return " ".join(repr(float(number)) for number in numbers)
