"""The body seen as a three-link model, and the model's answer as objectives of the QP (thesis section 5.3, eq. 5.7).

The thesis regulates around the upright. Here the model's state is how far the body is off its reference, seen from the
feet it stands on: for a reference that stands still that is the same, and one that moves may be followed.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...arrays import Bools, Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.kinematics import Pose, motion, pose
from ...reference.reference import Reference
from ...rig.segments import LEG, SIDES, kind
from ...scene import Scene
from .objectives import Objective
from .three_link_model import Regulator, ThreeLinkModel, regulate

_WEIGHTLESS = 1e-12
_STANCES = ((True, False), (False, True), (True, True))  # left, right foot down


@dataclass(frozen=True, kw_only=True)
class ThreeLinkGains:
    """Not in the thesis."""

    weight: float = 30.0  # of eq. 5.7 against 3.7a
    angle_cost: float = 1.0
    rate_cost: float = 0.1
    control_cost: float = 0.1  # [1/(N m)^2]


class Groups:
    """Which links of the body make up which link of the model, while it stands on given feet."""

    def __init__(self, body: Body, left: bool, right: bool) -> None:
        stands = dict(zip(SIDES, (left, right), strict=True))
        leg = np.array([kind(name) in LEG for name in body.names])
        standing = leg & np.array([stands.get(name[-2:], False) for name in body.names])
        self.members = np.stack([standing, ~leg, leg & ~standing])  # (3, N)
        weighed = self.members * body.masses
        self.masses = weighed.sum(axis=1)
        self.shares = weighed / np.maximum(self.masses, _WEIGHTLESS)[:, None]  # of links in the groups' centres of mass


class Places(NamedTuple):
    """Where the links of the model are, or how fast these points move, at one moment."""

    coms: Floats  # (3, 3) a row a link
    hip: Floats  # (3,) halfway between both hips
    support: Floats  # (3,) in the middle of what touches the ground


class ThreeLinkBalance:
    def __init__(self, body: Body, reference: Reference, scene: Scene, gains: ThreeLinkGains, step_s: float) -> None:
        self._body, self._gains = body, gains
        self._along = _along_ground(scene.ground.normal)
        self._thighs = np.array([body.index("thigh" + side) for side in SIDES])
        self._local_coms = np.stack([link.com for link in body.links])
        moving = motion(body, reference.q, reference.v)
        self._link_coms = moving.pose.link_coms
        self._link_rates = moving.point_velocities(np.arange(len(body)), self._link_coms)
        self._link_accelerations = np.gradient(self._link_rates, 1.0 / reference.rate, axis=0)
        self._hips = moving.pose.origins[:, self._thighs].mean(axis=1)
        self._hip_rates = moving.linear_velocities[:, self._thighs].mean(axis=1)
        self._soles = moving.pose.points(body.soles.links, body.soles.local)
        self._groups = {feet: Groups(body, *feet) for feet in _STANCES}
        self._models = {
            feet: models_of(body, _upright(reference, scene, feet), groups, scene)
            for feet, groups in self._groups.items()
        }
        self._regulators = {
            feet: [_regulator(model, scene.gravity, step_s, gains) for model in models]
            for feet, models in self._models.items()
        }

    def objectives(self, step: int, dynamics: DynamicsState, touching: Bools) -> list[Objective]:
        """Eq. 5.7 for every link of the model, along the ground; none in the air. `touching` are sole points (P,)."""
        left = self._body.soles.left
        feet = (bool(touching[left].any()), bool(touching[~left].any()))
        if feet not in self._groups:
            return []
        groups, model = self._groups[feet], self._models[feet][0]
        shares = groups.shares
        coms = dynamics.points(np.arange(len(self._body)), self._local_coms)
        soles = dynamics.points(self._body.soles.links, self._body.soles.local)
        hips = dynamics.point_jacobian(self._thighs, dynamics.origins[self._thighs])
        task = dynamics.point_jacobian(np.arange(len(self._body)), coms)
        anchored = np.zeros(3)  # the model's foot does not move
        here = Places(shares @ coms, dynamics.origins[self._thighs].mean(axis=0), soles[touching].mean(axis=0))
        rates = Places(shares @ task.velocity, hips.velocity.mean(axis=0), anchored)
        meant = Places(shares @ self._link_coms[step], self._hips[step], self._soles[step, touching].mean(axis=0))
        meant_rates = Places(shares @ self._link_rates[step], self._hip_rates[step], anchored)
        off = np.concatenate(
            [
                self._angles(model, here) - self._angles(model, meant),
                self._angles(model, rates) - self._angles(model, meant_rates),
            ],
            axis=-1,
        )  # (2 planes, 6)
        present = groups.masses > 0.0
        J = np.einsum("li,ijv->ljv", shares[present], task.J)
        known = (shares @ (self._link_accelerations[step] - task.drift))[present]
        return [
            Objective(along @ J, known @ along + (regulator.answer @ lean)[present], self._gains.weight)
            for along, regulator, lean in zip(self._along, self._regulators[feet], off, strict=True)
        ]

    def _angles(self, model: ThreeLinkModel, places: Places) -> Floats:
        """(2 planes, 3) by how far ahead of its lower end each link's upper end is; rates from velocities alike."""
        reach = np.array([model.hip, model.upper_com, max(model.swing_com, _WEIGHTLESS)])
        ends = np.stack([places.hip - places.support, places.coms[1] - places.hip, places.hip - places.coms[2]])
        ends[model.masses == 0.0] = 0.0
        angles: Floats = (ends @ self._along.T).T / reach
        return angles


def models_of(body: Body, q: Floats, groups: Groups, scene: Scene) -> list[ThreeLinkModel]:
    """In both planes, with the heights and inertias that the groups have in an upright pose."""
    now = pose(body, q)
    normal = scene.ground.normal
    hip = float(scene.ground.distance(now.origins[[body.index("thigh" + side) for side in SIDES]]).mean())
    leg, upper, swing = scene.ground.distance(groups.shares @ now.link_coms)
    return [
        ThreeLinkModel(
            masses=groups.masses,
            inertias=np.array([_inertia(body, now, members, np.cross(normal, along)) for members in groups.members]),
            leg_com=float(leg),
            hip=hip,
            upper_com=float(upper) - hip,
            swing_com=hip - float(swing) if groups.masses[2] > 0.0 else 0.0,
        )
        for along in _along_ground(normal)
    ]


def _upright(reference: Reference, scene: Scene, feet: tuple[bool, bool]) -> Floats:
    """(nq,) the pose on these feet, or on any, whose centre of mass is highest."""
    heights = scene.ground.distance(reference.com)
    on_feet = np.all(reference.contacts.feet == feet, axis=1)
    highest = int(np.argmax(np.where(on_feet, heights, 0.0) if on_feet.any() else heights))
    q: Floats = reference.q[highest]
    return q


def _regulator(model: ThreeLinkModel, gravity: float, step_s: float, gains: ThreeLinkGains) -> Regulator:
    return regulate(
        model,
        gravity,
        step_s,
        angle_cost=gains.angle_cost,
        rate_cost=gains.rate_cost,
        control_cost=gains.control_cost,
    )


def _inertia(body: Body, now: Pose, members: Bools, axis: Floats) -> float:
    """About an axis through the members' own centre of mass."""
    if not members.any():
        return 0.0
    masses = body.masses[members]
    arms = now.link_coms[members] - masses @ now.link_coms[members] / masses.sum()
    across = arms - (arms @ axis)[:, None] * axis
    axes = axis @ now.R_world_link[members]  # (K, 3) in the links' frames
    inertias = np.stack([link.inertia for link in body.links])[members]
    return float(np.einsum("ki,kij,kj->", axes, inertias, axes) + masses @ np.sum(across**2, axis=-1))


def _along_ground(normal: Floats) -> Floats:
    """(2, 3) one direction for each plane; which two does not matter much, a body falls alike in all of them."""
    helper = np.eye(3)[int(np.argmin(np.abs(normal)))]
    first = np.cross(normal, helper)
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(normal, first)])
