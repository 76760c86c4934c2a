"""A body that bears on more than its feet lies on the ground with every link, and not in it.

Feet, hands and the centre of mass have each been brought to their places, and each of these bends limbs that know
nothing of the ground: a leg that lies stretched out bends its knee into it, an arm its elbow. A simulation that starts
in the ground is thrown out of it, and one that tracks links into the ground pushes itself up. So what is still below is
raised by the smallest change of the whole pose, in which whatever bears keeps its place.
"""

from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import maximum_filter1d

from ..arrays import Bools, Floats, Ints
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..dynamics.state_space import integrate
from ..dynamics.topology import topology_of
from ..engines.engine import ROOT_DOFS
from ..filters import low_pass
from ..posing.surface import surface_points, touch
from ..qp import solve_qp
from ..rotations import cross
from ..world.surface import Surface

_GRID_HZ = 100.0
_FEWEST = 8  # rows of the grid
_ROUNDS = 3
_LET_PASS_M = 0.002  # contacts give way by as much
_FARTHEST_M = 0.1  # that a point rises in one round; a linear step is no good for more
_AHEAD_S = 0.06  # a raise begins this much before it is needed, so that easing it hardly lets a link sink
_EASE_HZ = 6.0
_BEARS_M = 0.02  # a point of a labelled link this low keeps its place, the more the lower
_NEAR_M = 0.15  # points above this need not be watched

# Costs of a change of the pose: a radian of a joint is 1.
_SHIFT = 10.0  # of a metre of the pelvis
_TURN = 5.0  # of a radian of the pelvis
_PLACE = 100.0  # of a metre that a point slides that bears
_DEPTH = 1e5  # of a metre that is left below the ground


def lie_on_ground(q: Floats, body: Body, ground: Surface, rate: float, bears: Bools) -> Floats:
    """The motion q (S, nq) with every link above the ground, by labels of links that bear (S, N).

    Exactly as it is where nothing but feet is near the ground.
    """
    every = max(1, round(rate / _GRID_HZ))
    rows = np.arange(0, len(q), every)
    if len(rows) < _FEWEST:
        return q
    lying, steps = bears[rows], np.minimum(np.arange(len(q)), rows[-1])
    for _ in range(_ROUNDS):
        change = _raised(q[rows], body, ground, rate / every, lying)
        if not change.any():
            break
        q = integrate(body, q, CubicSpline(rows, change)(steps))
    return q


def _raised(q: Floats, body: Body, ground: Surface, rate: float, bears: Bools) -> Floats:
    """(G, nv) the change that brings what is below the ground out of it, as nearly as one linear step can."""
    now, surface = pose(body, q), surface_points(body)
    contact = touch(body, now, ground)
    others = ~np.isin(np.arange(len(body)), body.soles.links)
    matters = others | bears[:, others].any(axis=1, keepdims=True)  # (G, N) feet that alone bear fit the ground already
    heights = np.where(matters[:, surface.links], contact.distances + _LET_PASS_M, np.inf)
    held = maximum_filter1d(np.maximum(-heights, 0.0), max(1, round(2.0 * _AHEAD_S * rate)), axis=0)
    rise = np.clip(low_pass(held, rate, _EASE_HZ), 0.0, _FARTHEST_M)
    rise = np.where(rise > 0.1 * _LET_PASS_M, rise, np.minimum(-heights, 0.0))  # what is above may sink by as much
    near = np.clip(1.0 - np.maximum(contact.distances, 0.0) / _BEARS_M, 0.0, 1.0)
    keeps = np.clip(low_pass(np.where(bears[:, surface.links], near, 0.0), rate, _EASE_HZ), 0.0, 1.0)
    change = np.zeros((len(q), body.nv))
    for row in np.flatnonzero(rise.max(axis=1) > 0.0):
        here = _Here(now.R_world_link[row], now.origins[row], contact.points[row], surface.links)
        change[row] = _least_change(body, here, ground, rise[row], keeps[row])
    return low_pass(change, rate, _EASE_HZ) if change.any() else change


class _Here(NamedTuple):
    """One pose, and points on its surface."""

    R_world_link: Floats  # (N, 3, 3)
    origins: Floats  # (N, 3)
    points: Floats  # (P, 3)
    links: Ints  # (P,)


def _least_change(body: Body, here: _Here, ground: Surface, rise: Floats, keeps: Floats) -> Floats:
    """(nv,) the smallest change with which points rise by at least as much as given (P,), which may be less than
    nothing; those that bear, by shares (P,), do not slide. By its dual program, which has a number for each point."""
    J = _point_jacobians(body, here)  # (P, 3, nv)
    up = ground.normal @ J
    slides = (J - ground.normal[:, None] * up[:, None])[keeps > 0.0]
    slides = (slides * np.sqrt(_PLACE * keeps[keeps > 0.0])[:, None, None]).reshape(-1, body.nv)
    costs = np.ones(body.nv)
    costs[:3], costs[3:ROOT_DOFS] = _SHIFT, _TURN
    watched = rise > -_NEAR_M
    per_push = np.linalg.solve(np.diag(costs) + slides.T @ slides, up[watched].T)  # (nv, W)
    gives_way = np.eye(per_push.shape[1]) / _DEPTH
    none, any_amount = np.zeros(len(gives_way)), np.full(len(gives_way), np.inf)
    pushes = solve_qp(up[watched] @ per_push + gives_way, -rise[watched], none, any_amount)
    change: Floats = np.zeros(body.nv) if pushes is None else per_push @ pushes
    return change


def _point_jacobians(body: Body, here: _Here) -> Floats:
    tree = topology_of(body)
    axes = (tree.joint_axes @ here.R_world_link.swapaxes(-1, -2)).reshape(-1, 3)[tree.dof_axes]  # (nv - 3, 3)
    arms = here.points[:, None] - here.origins[tree.dof_links[3:]]  # (P, nv - 3, 3)
    moved = np.zeros((len(here.points), 3, body.nv))
    moved[:, :, :3] = np.eye(3)
    moved[:, :, 3:] = cross(axes, arms).swapaxes(-1, -2) * tree.moved_by_dof[here.links][:, None, 3:]
    return moved
