"""A reference from which a body falls: as it is until then, and after that nothing but time."""

from dataclasses import replace

import numpy as np

from ..fall_span import FallSpan
from ..reference.reference import Reference


def falling_from(reference: Reference, row: int, direction: float | None, seconds: float) -> Reference:
    """What the clip does later stays in it, so that until then it is followed as if nothing were to come."""
    last = row + round(seconds * reference.rate)
    rows = np.minimum(np.arange(max(last + 1, len(reference))), len(reference) - 1)
    return replace(
        reference,
        q=reference.q[rows],
        v=reference.v[rows],
        a=reference.a[rows],
        com=reference.com[rows],
        com_velocity=reference.com_velocity[rows],
        angular_momentum=reference.angular_momentum[rows],
        needed=type(reference.needed)(*(column[rows] for column in reference.needed)),
        contacts=type(reference.contacts)(*(column[rows] for column in reference.contacts)),
        fall=FallSpan(row, last, direction),
    )
