"""Where the centre of mass may go: the smallest smooth shift that makes a motion one that the ground can carry.

In flight nothing acts but gravity, and the ground only pushes, from where feet are: so the zero-moment point has to be
inside the support. Captured motions break both by centimetres, since no body is measured to the gram.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.ndimage import label
from scipy.sparse.linalg import splu

from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics import kinematics
from ..dynamics.state_space import central_velocities
from ..rotations import cross
from ..scene import Scene
from .contacts import ContactLabels
from .support import Support, ground_axes, heights_over_support, support_of, zero_moment_points

_MARGIN_M = 0.015  # inside the soles
_LEAST_FORCE = 0.1  # of body weight, that the ground bears wherever something stands on it
_FALLS = 0.5  # of gravity: what hangs or sits on something unknown falls slower, and is left alone

# The shift is small and smooth: times within which accelerations and jerks weigh as much as the shift itself.
_ACCELERATION_S = 0.12
_JERK_S = 0.06
_FEASIBLE = 1000.0  # weight of what is infeasible, as moment per body weight [m], against the shift [m]
_FLIGHT = 5.0  # how much firmer flight is held
_AFTERWARDS = 0.2  # how firm things are after the clip's end
_FARTHEST_M = 0.1  # a shift beyond this would be another performance
_FIRMLY = 5.0  # how firmly, against what is infeasible
_ROUNDS = 20
_STEP = 0.2  # weight of the splitting, of _FEASIBLE; sets the speed of convergence only


class Stance(NamedTuple):
    """A motion as the ground sees it, in the ground's axes; one row a grid time."""

    com: Floats  # (G, 3) [m]
    heights: Floats  # (G, 1) of it, over what bears it [m]
    turning: Floats  # (G, 2) n x dL/dt per mass, along the ground [m^2/s^2]
    support: Support
    flight: Bools  # (G,)
    gravity: Floats  # (3,) [m/s^2]
    rate: float

    def forces(self, shift: Floats) -> Floats:
        """(G, 3) of the ground on every kilogram, for the motion with a shift (G, 3) [m/s^2]."""
        forces: Floats = _second(len(self.com), self.rate) @ (self.com + shift) - self.gravity
        return forces

    def zero_moment_points(self, shift: Floats) -> Floats:
        """(G, 2) where the ground's force acts; meaningless where there is next to none."""
        least = _LEAST_FORCE * abs(float(self.gravity[2]))
        com = np.concatenate([self.com[:, :2], self.heights], axis=1) + shift
        return zero_moment_points(com, self.turning, self.forces(shift), least)

    def outside(self, shift: Floats) -> Floats:
        """(G,) how far outside its support the zero-moment point is [m]; zero in the air."""
        points = self.zero_moment_points(shift)
        distance = np.linalg.norm(points - self.support.nearest(points), axis=1)
        return np.where(self.support.exists, distance, 0.0)


def stance_of(
    body: Body,
    q: Floats,
    contacts: ContactLabels,
    scene: Scene,
    rate: float,
    margin_m: float = _MARGIN_M,
) -> Stance:
    """Of the motion q (G, nq), from the first frame on, with labels for the same rows."""
    times = np.arange(len(q)) / rate
    motion = kinematics.motion(body, q, central_velocities(body, q, rate))
    axes = ground_axes(scene.ground)
    com = (motion.pose.com - scene.ground.point) @ axes
    gravity = axes.T @ [0.0, 0.0, -scene.gravity]
    turning = np.gradient(motion.angular_momentum, 1.0 / rate, axis=0) / body.mass
    turning = cross(np.array([0.0, 0.0, 1.0]), turning @ axes)[:, :2]
    surface = scene.surface(times)
    support = support_of(body, motion.pose, surface, contacts, margin_m)
    heights = heights_over_support(body, motion.pose, surface, contacts)[:, None]
    falling = (_second(len(com), rate) @ com) @ gravity / scene.gravity
    return Stance(com, heights, turning, support, _true_flights(~support.exists, falling, scene.gravity), gravity, rate)


def plan_shift(stance: Stance, before: Floats, clip_rows: int) -> Floats:
    """(G, 3) the shift of the centre of mass, in the ground's axes, that is small together with one before it [m].

    Rows beyond the clip's own count less: who runs cannot stop at once, and the clip is not to suffer from that.

    First along the normal, so that forces are known; then along the ground, where the zero-moment point is linear:
    z = c + (n x dL/dt / m - h f) / f_n, weighed with f_n / g for it to be a moment per body weight. What neither stands
    nor flies is held by something unknown, and keeps its forces.
    """
    shift = np.zeros_like(stance.com)
    gravity = float(np.linalg.norm(stance.gravity))
    second = _second(len(shift), stance.rate)
    stands, flies = stance.support.exists[:, None], stance.flight[:, None]
    firmness = np.where(stands, 1.0, _FLIGHT)
    counts = np.where(np.arange(len(shift)) < clip_rows, 1.0, _AFTERWARDS)[:, None]
    counts[[0, -1]] = 0.0

    lever = counts * firmness * stance.heights / gravity  # [s^2]
    normal_now = lever * stance.forces(shift)[:, 2:]

    def bearable(forces: Floats) -> Floats:
        on_feet = np.maximum(forces, lever * _LEAST_FORCE * gravity)
        return np.where(stands, on_feet, np.where(flies, 0.0, normal_now))

    rows = sparse.diags_array(lever[:, 0]) @ second
    shift[:, 2:] = _least_shift(rows, normal_now, bearable, before[:, 2:], stance.rate)

    forces = stance.forces(shift)
    lever = counts * firmness * (stance.heights + shift[:, 2:]) / gravity
    share = np.where(stands, counts * np.maximum(forces[:, 2:], 0.0) / gravity, 0.0)
    turned = np.where(stands, counts * stance.turning / gravity, 0.0)
    moments_now = share * stance.com[:, :2] + turned - lever * forces[:, :2]

    def supported(moments: Floats) -> Floats:
        on_feet = share * stance.support.nearest(moments / np.maximum(share, 1e-6))
        return np.where(stands, on_feet, np.where(flies, 0.0, moments_now))

    rows = sparse.diags_array(share[:, 0]) - sparse.diags_array(lever[:, 0]) @ second
    shift[:, :2] = _least_shift(rows, moments_now, supported, before[:, :2], stance.rate)
    return shift


def _least_shift(
    rows: sparse.sparray, at_rest: Floats, nearest: Callable[[Floats], Floats], before: Floats, rate: float
) -> Floats:
    """(G, K) the smooth d for which rows d + at_rest comes near to a convex set, given by its projection.

    Alternating directions (Boyd et al. 2011, section 5): projections and solves in turn, the matrix factored once.
    """
    count = len(at_rest)
    second, third = _second(count, rate), _third(count, rate)
    small = sparse.eye_array(count) + _ACCELERATION_S**4 * second.T @ second + _JERK_S**6 * third.T @ third
    within = sparse.vstack([rows, _FIRMLY * sparse.eye_array(count)]).tocsr()
    across = within.T.tocsr()
    at_rest = np.concatenate([at_rest, _FIRMLY * before])
    step = _STEP * _FEASIBLE
    solver = splu(sparse.csc_array(small + step * (across @ within)))
    pull = small @ before
    d, offset = np.zeros_like(before), np.zeros_like(at_rest)
    for _ in range(_ROUNDS):
        value = within @ d + at_rest + offset
        wanted = np.concatenate([nearest(value[:count]), _FIRMLY * _no_farther(value[count:] / _FIRMLY)])
        target = value + (wanted - value) * _FEASIBLE / (_FEASIBLE + step)
        offset = value - target
        d = solver.solve(step * (across @ (target - offset - at_rest)) - pull)
    return d


def _no_farther(shift: Floats) -> Floats:
    length = np.maximum(np.linalg.norm(shift, axis=1, keepdims=True), _FARTHEST_M)
    no_farther: Floats = shift * (_FARTHEST_M / length)
    return no_farther


def _true_flights(air: Bools, falling: Floats, gravity: float) -> Bools:
    """(G,) the rows of flights in which the body falls; who hangs or sits on something unseen does not."""
    flights, count = label(air)
    flies = np.zeros(len(air), dtype=bool)
    for flight in range(1, count + 1):
        rows = flights == flight
        flies[rows] = np.median(falling[rows]) > _FALLS * gravity
    return flies


def _second(count: int, rate: float) -> sparse.sparray:
    """(G, G) second differences over time; the ends have none."""
    middle = np.ones(count)
    middle[[0, -1]] = 0.0
    stencil = sparse.diags_array([np.ones(count - 1), -2.0 * np.ones(count), np.ones(count - 1)], offsets=[-1, 0, 1])
    return sparse.diags_array(rate**2 * middle) @ stencil


def _third(count: int, rate: float) -> sparse.sparray:
    """(G - 1, G) differences of the second differences; the ends have none."""
    inner = np.ones(count - 1)
    inner[[0, -1]] = 0.0
    steps = sparse.diags_array([-inner, inner], offsets=[0, 1], shape=(count - 1, count))
    return rate * (steps @ _second(count, rate))
