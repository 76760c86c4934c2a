"""The part of a reference in which the body falls."""

from typing import NamedTuple


class FallSpan(NamedTuple):
    """From its first row on the reference tells nothing of the body but how it was when it lost its balance."""

    first: int
    last: int  # the latest at which it lies still
    direction: float | None  # from where it faces, to the left [rad]; None where the body goes where it is carried
