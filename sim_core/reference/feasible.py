"""A motion made one that the ground can carry: its centre of mass planned, its pelvis moved there, its feet kept."""

import numpy as np
from scipy.interpolate import CubicSpline

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..scene import Scene
from .com_plan import plan_shift, stance_of
from .contacts import ContactLabels
from .shift_body import shift_pelvis, sinking, standing
from .sinking import LONGEST
from .support import ground_axes

_GRID_HZ = 100.0  # of the plan; bodies are slower than this
_PASSES = 2  # what the legs do changes angular momentum, and the plan with it
_FOLLOWING = 2  # times that the pelvis is moved on for what legs hold the centre of mass back
_DEEPEST_M = 0.06
_FEWEST = 8  # rows of the grid


def feasible(q: Floats, body: Body, contacts: ContactLabels, scene: Scene, rate: float, *, clip_steps: int) -> Floats:
    """The motion q (S, nq), shifted by as little as can be; what comes after the clip's own steps matters less."""
    every = max(1, round(rate / _GRID_HZ))
    rows = np.arange(0, len(q), every)
    if len(rows) < _FEWEST:
        return q
    labels = ContactLabels(*(part[rows] for part in contacts))
    grid = standing(q, body, contacts.feet, rate, every)
    axes = ground_axes(scene.ground)
    shift = np.zeros((len(rows), 3))
    planned = np.zeros((len(rows), 3))
    for _ in range(_PASSES):
        sunk = sinking(grid, shift, body, scene.ground, straight=LONGEST, most_m=_DEEPEST_M)
        shift = shift - sunk[:, None] * scene.ground.normal
        moved = shift_pelvis(grid, shift, body, scene.ground)
        stance = stance_of(body, moved, labels, scene, grid.rate)
        more = plan_shift(stance, planned, int(np.searchsorted(rows, clip_steps)))
        planned = planned + more
        wanted = scene.ground.point + (stance.com + more) @ axes.T
        for _ in range(_FOLLOWING):
            shift = shift + wanted - pose(body, moved).com
            moved = shift_pelvis(grid, shift, body, scene.ground)
    steps = np.minimum(np.arange(len(q)), rows[-1])
    return shift_pelvis(standing(q, body, contacts.feet, rate), CubicSpline(rows, shift)(steps), body, scene.ground)
