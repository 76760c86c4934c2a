"""From where on a number is a flaw, on a figure of human size seen whole on a screen; panel and strip share it."""

from typing import NamedTuple


class Level(NamedTuple):
    """In SI units, forces in body weights."""

    fine: float  # up to here nobody sees it
    bad: float  # from here on everybody does


# Means over a take.
SKATE = Level(0.05, 0.20)
PENETRATION = Level(0.003, 0.010)
FLOATING = Level(0.005, 0.015)
FOOT_TORQUE = Level(20.0, 100.0)  # a body leans 3 cm beyond its feet; as far as a foot is long [N m]

# Single frames: a sole that rolls off is fast for a moment, and the eye forgives a frame more than a whole take.
SKATE_OF_FRAME = Level(0.15, 1.20)
PENETRATION_OF_FRAME = Level(0.005, 0.020)

# Both.
PHYSICS_ERROR = Level(0.10, 0.25)
ASSIST = Level(0.10, 0.40)  # a light hand; hanging on a rope
