"""Feet that stand do not slide: what a captured sole creeps along the ground while it bears is taken out.

A simulated foot holds its place, and the reference is carried along with the feet, so that every creeping step would
lead the character off its path.
"""

import numpy as np

from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics import kinematics
from ..dynamics.state_space import central_velocities
from ..filters import low_pass
from ..scene import Ground
from .place_ankles import place_ankles

_BEARS_M = 0.02  # a sole point less than this above the lowest bears too, the more the lower
_EASE_HZ = 8.0
_FARTHEST_M = 0.12  # a foot that slides further is meant to


def pin_feet(q: Floats, body: Body, ground: Ground, rate: float, feet_down: Bools) -> Floats:
    """The motion q (S, nq) with legs turned so that feet that are down (S, 2) stand still."""
    motion = kinematics.motion(body, q, central_velocities(body, q, rate))
    soles = motion.pose.points(body.soles.links, body.soles.local)
    velocities = motion.point_velocities(body.soles.links, soles)
    heights = ground.distance(soles)
    shifts = np.empty((len(q), 2, 3))
    for k, mine in enumerate((body.soles.left, ~body.soles.left)):
        lowest = heights[:, mine].min(axis=1)
        held = holding(creep(velocities[:, mine], heights[:, mine], ground), feet_down[:, k], rate)
        onto = _between(np.where(feet_down[:, k], -lowest, np.nan), rate)
        onto = np.maximum(onto, -np.maximum(lowest, 0.0))
        along = np.stack([_between(held[:, axis], rate) for axis in range(3)], axis=1)
        shifts[:, k] = along + onto[:, None] * ground.normal
    return place_ankles(q, body, ground, rate, shifts, feet_down.astype(float))


def creep(velocities: Floats, heights: Floats, ground: Ground) -> Floats:
    """(S, 3) how fast the lowest of some points go along the ground, by velocities (S, P, 3) and heights (S, P)."""
    load = np.clip(1.0 - (heights - heights.min(axis=1, keepdims=True)) / _BEARS_M, 0.0, 1.0)
    mean = np.sum(load[..., None] * velocities, axis=1) / load.sum(axis=1, keepdims=True)
    along: Floats = mean - (mean @ ground.normal)[:, None] * ground.normal
    return along


def holding(creep: Floats, down: Bools, rate: float) -> Floats:
    """(S, 3) shifts that stop the creep (S, 3) while something is down; nan where it is not."""
    shift = np.full_like(creep, np.nan)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], down, [False]]).astype(int)))
    for first, stop in zip(edges[::2], edges[1::2], strict=True):
        held = -np.cumsum(creep[first:stop], axis=0) / rate
        held -= held.mean(axis=0)
        farthest = np.linalg.norm(held, axis=1).max()
        shift[first:stop] = held * min(1.0, _FARTHEST_M / max(farthest, 1e-9))
    return shift


def _between(values: Floats, rate: float) -> Floats:
    """(S,) values with what is not known (nan) led from one known stretch to the next, softly."""
    known = np.flatnonzero(np.isfinite(values))
    if len(known) == 0:
        return np.zeros_like(values)
    return low_pass(np.interp(np.arange(len(values)), known, values[known]), rate, _EASE_HZ)
