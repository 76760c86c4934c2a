"""Who rolls uphill has to roll in faster: what the climb takes, it cannot take from anywhere else."""

import numpy as np

from ..arrays import Floats
from ..constants import GRAVITY
from ..roll_span import RollSpan
from ..world.ground import Ground

_LEAST = np.sin(np.radians(2.0))  # less is no climb


def pace_uphill(span: RollSpan, com: Floats, fps: float, ground: Ground) -> float:
    """How much faster a roll, with its centre of mass (T, 3) on level ground, has to be on a slope.

    It pushes off once a turn, and half of a turn's climb is above where it is on average: v^2 + g h, h the climb.
    """
    climb = -float(ground.normal @ span.ahead)
    if climb < _LEAST or not span.is_led:
        return 1.0
    far = float((com[span.last] - com[span.first]) @ span.ahead)
    speed = far * fps / max(span.last - span.first, 1)
    return float(np.sqrt(1.0 + GRAVITY * climb * far / span.rolls / max(speed, 0.1) ** 2))
