"""When a fall cannot be avoided any more: the body falls to where no foot gets in time."""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import motion

_STEP = 0.42  # of body height: how far a foot gets from the ground that bears, in one step
_LOW = 0.3  # of body height: a weight as low as this is beyond help


def beyond_any_step(body: Body, q: Floats, v: Floats, support: Floats, ground_m: float, gravity: float) -> bool:
    """Whether the capture point (Pratt 2006) of a state is farther from what bears (K, 3) than a step."""
    now = motion(body, q, v)
    com, height = now.pose.com, float(now.pose.com[2]) - ground_m
    if height < _LOW * body.height:
        return True
    if not len(support):
        return False  # in the air it may still land on its feet
    capture = com[:2] + now.linear_momentum[:2] / body.mass * np.sqrt(height / gravity)
    return bool(np.linalg.norm(support[:, :2] - capture, axis=1).min() > _STEP * body.height)
