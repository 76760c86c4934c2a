"""Whole-body inverse kinematics: the pose nearest to a wanted one in which what bears stays in its place."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.dynamics import Dynamics
from ..dynamics.dynamics_state import DynamicsState
from ..dynamics.state_space import difference, integrate
from ..engines.engine import ROOT_DOFS
from ..posing.surface import surface_points
from ..rig.segments import kind
from ..rolling.anatomical_pose import from_joint_angles, to_joint_angles, within_limits
from .supports import Support, supports_of

# What an error of one counts: radians of joints, metres of places.
_JOINTS, _ROOT_TURN = 1.0, 3.0
_HINGES, _ASIDE = ("shin", "foot", "forearm"), 5.0
_STAYS, _MOVES, _WEIGHT, _GROUND = 150.0, 40.0, 50.0, 150.0
_LIMITS = 30.0
_THERE = 2e-3  # a step as small as this is the last
_CAREFUL = 0.6  # of each step: what touches the ground changes with it
_DAMPING = 0.4
_LONGEST_STEP = 0.3  # [rad] of any joint in one round

_Add: TypeAlias = Callable[[Floats, Floats, float], None]  # a row of the Jacobian, its error, and what that counts


class Aims(NamedTuple):
    pose: Floats  # (nq,) to stay near to
    root_place: tuple[float, float, float]  # how much its root's place counts
    places: Mapping[str, Floats]  # (K, 3) of the points of supports that bear and stay where they are
    lands: frozenset[str]  # supports that come to the ground, wherever this is
    moving: Mapping[str, Floats]  # (3,) of supports on their way, the middle of their points
    weight: Floats | None = None  # (2,) where the centre of mass is over
    over: Mapping[str, float] | None = None  # or by shares of the supports that it is over


def points_of(body: Body, state: DynamicsState, name: str) -> Floats:
    """(K, 3) the lowest flesh at the points of a support, on level ground."""
    support = supports_of(body)[name]
    points = state.points(support.links, support.local)
    points[:, 2] -= support.radii
    return points


def settled(body: Body, q: Floats, aims: Aims, rounds: int) -> Floats:
    """(nq,) from a pose nearby; the ground is z = 0, and nothing is below it."""
    dynamics, still = Dynamics(body), np.zeros(body.nv)
    for _ in range(rounds):
        state = dynamics.evaluate(q, still)
        rows, wanted = _rows(body, q, state, aims)
        step = np.linalg.solve(rows.T @ rows, rows.T @ wanted)
        step *= min(1.0, _LONGEST_STEP / max(float(np.abs(step[3:]).max()), 1e-9))
        q = integrate(body, q, _CAREFUL * step)
        if np.abs(step).max() < _THERE:
            break
    return limited(body, q)


def limited(body: Body, q: Floats) -> Floats:
    """Poses (..., nq) with joints that bend no farther than they can."""
    joints = from_joint_angles(body, within_limits(body, to_joint_angles(body, q)))
    bent: Floats = np.concatenate([q[..., :7], joints[..., 7:]], axis=-1)
    return bent


def _rows(body: Body, q: Floats, state: DynamicsState, aims: Aims) -> tuple[Floats, Floats]:
    apart = difference(body, aims.pose, q)
    counts = _counts(body).copy()
    counts[:3, :3] = np.diag(aims.root_place)
    rows = [counts, _DAMPING * np.eye(body.nv)]
    wanted = [counts @ apart, np.zeros(body.nv)]

    def add(jacobian: Floats, error: Floats, weight: float) -> None:
        rows.append(weight * jacobian.reshape(-1, body.nv))
        wanted.append(weight * error.ravel())

    for name, spots in aims.places.items():
        support, points = supports_of(body)[name], points_of(body, state, name)
        jacobian = state.point_jacobian(support.links, points).J
        if support.flat:
            add(jacobian, spots - points, _STAYS / np.sqrt(len(points)))
        else:
            add(jacobian.mean(axis=0)[:2], (spots - points).mean(axis=0)[:2], _STAYS)
            _put_down(support, points, jacobian, add)
    for name in aims.lands:
        support, points = supports_of(body)[name], points_of(body, state, name)
        _put_down(support, points, state.point_jacobian(support.links, points).J, add)
    for name, spot in aims.moving.items():
        support, points = supports_of(body)[name], points_of(body, state, name)
        add(state.point_jacobian(support.links, points).J.mean(axis=0), spot - points.mean(axis=0), _MOVES)
    _bend_no_farther(body, q, add)
    _bring_weight(body, state, aims, add)
    _lift_out(body, state, add)
    return np.concatenate(rows), np.concatenate(wanted)


@lru_cache(maxsize=16)
def _counts(body: Body) -> Floats:
    """(nv, nv) what errors of the joints count: knees, elbows and ankles hardly turn but about their main axis."""
    counts = _JOINTS * np.eye(body.nv)
    counts[3:ROOT_DOFS, 3:ROOT_DOFS] = _ROOT_TURN * np.eye(3)
    for link in body.links[1:]:
        if kind(link.name) in _HINGES and link.joint.kind == "ball":
            part = body.v_slice[link.name]
            counts[part, part] = np.diag([_JOINTS, _ASIDE, _ASIDE]) @ link.joint.axes
    return counts


def _put_down(support: Support, points: Floats, jacobian: Floats, add: _Add) -> None:
    if support.flat:
        add(jacobian[:, 2], -points[:, 2], _STAYS / np.sqrt(len(points)))
    else:
        low = int(np.argmin(points[:, 2]))
        add(jacobian[low, 2], -points[low, 2:3], _STAYS)


def _bend_no_farther(body: Body, q: Floats, add: _Add) -> None:
    angles = to_joint_angles(body, q)
    beyond = within_limits(body, angles) - angles
    for i, link in enumerate(body.links[1:], 1):
        too_far = np.flatnonzero(beyond[i])
        if len(too_far) and link.joint.kind == "ball":
            jacobian = np.zeros((len(too_far), body.nv))
            jacobian[:, body.v_slice[link.name]] = link.joint.axes[too_far]
            add(jacobian, beyond[i, too_far], _LIMITS)


def _bring_weight(body: Body, state: DynamicsState, aims: Aims, add: _Add) -> None:
    jacobian, place = state.com_jacobian.J[0, :2].copy(), state.com[:2].copy()
    if aims.weight is not None:
        add(jacobian, aims.weight - place, _WEIGHT)
    elif aims.over is not None:
        for name, share in aims.over.items():
            support, points = supports_of(body)[name], points_of(body, state, name)
            jacobian -= share * state.point_jacobian(support.links, points).J.mean(axis=0)[:2]
            place -= share * points.mean(axis=0)[:2]
        add(jacobian, -place, _WEIGHT)


def _lift_out(body: Body, state: DynamicsState, add: _Add) -> None:
    surface = surface_points(body)
    points = state.points(surface.links, surface.local)
    points[:, 2] -= surface.radii
    below = np.flatnonzero(points[:, 2] < 0.0)
    if len(below):
        add(state.point_jacobian(surface.links[below], points[below]).J[:, 2], -points[below, 2], _GROUND)
