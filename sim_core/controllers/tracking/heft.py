"""Heft's own preset: what tracks best of the published systems, with steps that keep the balance.

Joints and pelvis after McSim eq. 4, the centre of mass re-anchored to the feet after Yu, and a foot placement that neither has.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from ... import rotations
from ...arrays import Floats
from ...body.body import Body
from ...dynamics.contact_fit import cone_edges
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.state_space import difference
from ...engines.engine import Contacts, State
from ...reference.reference import Reference
from ...scene import Scene
from ..joint_limits import JointLimits
from .balance_plan import BalanceCosts, plan_balance
from .objectives import (
    JointObjective,
    Objective,
    accelerate,
    accelerate_along,
    change_angular_momentum,
    spring,
    turn_root,
)
from .stance import Soles, others_touching, soles_of
from .tracked_motion import track_motion
from .tracker import Assist, Plan, predicted, towards
from .whole_body_qp import Bounds, Problem, Pushes


@dataclass(frozen=True, kw_only=True)
class Gains:
    """Weights w and stiffnesses k [1/s^2] of the objectives; tuned on walks, runs and jumps of one half of the clips."""

    w_joints: float = 1.0
    k_joints: float = 400.0
    w_root: float = 5.0
    k_root: float = 200.0
    w_com: float = 300.0
    k_com: float = 40.0
    w_momentum: float = 0.3  # of a body of 45 kg
    g_momentum: float = 8.0  # [1/s]
    w_no_slip: float = 7.5
    g_no_slip: float = 20.0  # [1/s]
    w_put_down: float = 3.0
    k_put_down: float = 400.0
    w_swing: float = 30.0
    w_swing_turn: float = 3.0
    k_swing: float = 400.0
    near_m: float = 0.02  # a sole point this low can bear
    flat_m: float = 0.03
    w_stance_turn: float = 0.0
    friction_share: float = 0.9  # of the true one, so that a force at the edge of the cone holds
    hold_frequency: float = 30.0  # [rad/s] of the PD between two solves
    assist_cost: float = 1e-4
    k_height: float = 150.0
    farthest_step_m: float = 0.4
    joint_limits: bool = True
    ramp_s: float = 0.08
    full_torque_s: float = 0.0
    w_others: float = 0.0
    costs: BalanceCosts = field(default_factory=BalanceCosts)

    def stiffer(self, factor: float) -> "Gains":
        """Joints that hold their pose more firmly; their damping goes with it."""
        return replace(self, k_joints=factor * self.k_joints)


_LEAST = 1e-6
_TUNED_MASS = 45.0


class Heft:
    tick = 5

    def __init__(self, body: Body, reference: Reference, scene: Scene, gains: Gains) -> None:
        self._body, self._scene, self._gains = body, scene, gains
        self._motion = track_motion(body, reference, scene)
        self._reference = reference
        self._edges = cone_edges(scene.ground.normal, gains.friction_share * scene.friction, 4)
        self._plan = plan_balance(self._motion, gains.costs, self.tick)
        self._limits = JointLimits(body)
        self._joint_weights = np.full(body.nv, gains.w_joints)
        self._joint_weights[:6] = _LEAST

        self.reset()

    def reset(self) -> None:
        self._torques: Floats | None = None
        self._stood = np.full(2, 1.0)
        self._beside = np.zeros((2, 3))  # how far each foot stands, or stood last, beside its mark

    def hold(self, plan: Plan, step: int, state: State) -> Floats:
        ahead = predicted(self._body, plan, (step - plan.step) / self._reference.rate)
        torques = plan.solution.torques
        if self._gains.full_torque_s and self._torques is not None:
            most = self._body.torque_limit / (self._gains.full_torque_s * self._reference.rate)
            torques = np.clip(torques, self._torques - most, self._torques + most)
        self._torques = torques
        return torques + towards(self._body, plan, ahead, state, self._gains.hold_frequency)

    def problem(self, step: int, state: State, dynamics: DynamicsState, contacts: Contacts, assist: Assist) -> Problem:
        g, reference, ground = self._gains, self._reference, self._scene.ground
        soles = soles_of(self._body, dynamics, ground, self._motion, step, g.near_m, g.flat_m)
        off = self._off(step, dynamics, soles)
        error = difference(self._body, reference.q[step], state.q)
        velocity_error = reference.v[step] - state.v
        joints = JointObjective(self._joint_weights, reference.a[step] + spring(error, velocity_error, g.k_joints))
        wishes = [
            turn_root(
                self._body.nv,
                reference.a[step, 3:6] + spring(error[3:6], velocity_error[3:6], g.k_root),
                g.w_root,
            ),
            self._balance(step, dynamics, off),
            change_angular_momentum(
                dynamics,
                self._motion.momentum_rates[step]
                + g.g_momentum * (reference.angular_momentum[step] - dynamics.momentum[3:]),
                g.w_momentum * (_TUNED_MASS / self._body.mass) ** 2,
            ),
        ]
        edges: list[Floats] = []
        limits: list[Floats] = []
        self._stand(step, soles, dynamics, wishes, edges, limits)
        others = others_touching(self._body, contacts, reference.contacts.links[step])
        if len(others.links):
            touching = dynamics.point_jacobian(others.links, others.points)
            edges.append(self._cones(touching.J))
            limits.append(np.full(len(edges[-1]), np.inf))
            m = others.meant
            if g.w_others and m.any():
                t = dynamics.point_jacobian(others.links[m], others.points[m])
                wishes.append(accelerate(t, -g.g_no_slip * t.velocity, g.w_others))
        wishes += self._swing(step, dynamics, soles, off)
        return Problem(wishes, joints, self._pushes(edges, limits, assist), [], self._bounds(state))

    def _off(self, step: int, dynamics: DynamicsState, soles: Soles) -> Floats:
        """(4, 3) along the ground: the centre of mass, its velocity, and both feet, beside where they are to be."""
        reference = self._reference
        beside = self._along(soles.points - self._motion.soles[step])
        for side, mine in enumerate((self._body.soles.left, ~self._body.soles.left)):
            bearing = soles.bearing & mine
            if bearing.any():
                self._beside[side] = beside[bearing].mean(axis=0)
            elif reference.contacts.feet[step, side]:
                self._beside[side] = beside[mine].mean(axis=0)
        away = self._along(
            np.stack([dynamics.com - reference.com[step], dynamics.com_velocity - reference.com_velocity[step]])
        )
        return np.concatenate([away, self._beside])

    def _balance(self, step: int, dynamics: DynamicsState, off: Floats) -> Objective:
        g, reference, motion, normal = self._gains, self._reference, self._motion, self._scene.ground.normal
        tick = step // self.tick
        height = (reference.com[step] - dynamics.com) @ normal
        rise = (reference.com_velocity[step] - dynamics.com_velocity) @ normal
        wanted = motion.com_accelerations[step] + spring(height, rise, g.k_height) * normal
        if motion.load_shares[step].any():
            wanted = wanted + self._plan.acceleration(tick, off)
        else:
            wanted = wanted + spring(-off[0], -off[1], g.k_com)
        return accelerate(dynamics.com_jacobian, wanted[None], g.w_com)

    def _stand(
        self,
        step: int,
        soles: Soles,
        dynamics: DynamicsState,
        wishes: list[Objective],
        edges: list[Floats],
        limits: list[Floats],
    ) -> None:
        g, links = self._gains, self._body.soles.links
        for side in (0, 1):
            self._stood[side] = self._stood[side] + self.tick / self._reference.rate if soles.stands[side] else 0.0
        if soles.bearing.any():
            task = dynamics.point_jacobian(links[soles.bearing], soles.points[soles.bearing])
            wishes.append(accelerate(task, -g.g_no_slip * task.velocity, g.w_no_slip))
            edges.append(self._cones(task.J))
            ramp = np.full(2, np.inf)
            if g.ramp_s:
                left = self._motion.until_leaving[step]
                ramp = (0.1 + 3.0 * np.minimum(self._stood, left) / g.ramp_s) * self._body.mass * self._scene.gravity
                ramp[np.minimum(self._stood, left) > g.ramp_s] = np.inf
            foot = np.where(self._body.soles.left, 0, 1)[soles.bearing]
            limits.append(np.repeat(ramp[foot], len(self._edges)))
        if soles.raised.any():
            task = dynamics.point_jacobian(links[soles.raised], soles.points[soles.raised])
            normal = self._scene.ground.normal
            down = spring(-soles.heights[soles.raised], -(task.velocity @ normal), g.k_put_down)
            wishes.append(accelerate_along(task, normal, down, g.w_put_down))

    def _swing(self, step: int, dynamics: DynamicsState, soles: Soles, off: Floats) -> list[Objective]:
        g, motion = self._gains, self._motion
        wishes = []
        for side in (0, 1):
            link = motion.feet[side : side + 1]
            if soles.stands[side]:
                if g.w_stance_turn:
                    wishes.append(self._turn_foot(step, side, dynamics, g.w_stance_turn))
                continue
            offset, drifting = self._step(step, int(side), off)
            place = dynamics.origins[link]
            task = dynamics.point_jacobian(link, place)
            wanted = motion.foot_accelerations[step, side] + spring(
                motion.foot_places[step, side] + offset - place,
                motion.foot_velocities[step, side] + drifting - task.velocity,
                g.k_swing,
            )
            wishes.append(accelerate(task, wanted, g.w_swing))
            wishes.append(self._turn_foot(step, side, dynamics, g.w_swing_turn))
        return wishes

    def _turn_foot(self, step: int, side: int, dynamics: DynamicsState, weight: float) -> Objective:
        motion, link = self._motion, self._motion.feet[side : side + 1]
        task = dynamics.rotation_jacobian(link)
        turn = motion.foot_turns[step, side] @ dynamics.R_world_link[link[0]].T
        off = rotations.log(rotations.from_matrix(turn))
        wanted = spring(off, motion.foot_spins[step, side] - task.velocity, self._gains.k_swing)
        return accelerate(task, wanted, weight)

    def _step(self, step: int, side: int, off: Floats) -> tuple[Floats, Floats]:
        """How far beside its reference a foot is to be that swings from one foothold to the next, and how fast so."""
        until, since = self._motion.until_landing[step, side], self._motion.since_leaving[step, side]
        left = off[2 + side]
        if until == 0.0 or not np.isfinite(until):  # to be put down right here, or never
            return left, np.zeros(3)
        landing = self._plan.landing(step // self.tick, side, off)
        apart = landing - off[0]
        length = float(np.linalg.norm(apart))
        landing = off[0] + apart * min(1.0, self._gains.farthest_step_m / max(length, 1e-9))
        if not np.isfinite(since):
            return landing, np.zeros(3)
        whole = since + until
        share = since / whole
        eased, rate = share**2 * (3.0 - 2.0 * share), 6.0 * share * (1.0 - share) / whole
        return left + eased * (landing - left), rate * (landing - left)

    def _along(self, vectors: Floats) -> Floats:
        normal = self._scene.ground.normal
        along: Floats = vectors - (vectors @ normal)[..., None] * normal
        return along

    def _cones(self, J: Floats) -> Floats:
        """(K E, nv) the generalised force of a unit of every cone edge at points with Jacobians (K, 3, nv)."""
        return (self._edges @ J).reshape(-1, J.shape[-1])

    def _pushes(self, edges: list[Floats], limits: list[Floats], assist: Assist) -> Pushes:
        together = np.concatenate([np.zeros((0, self._body.nv)), *edges])
        return Pushes(together, np.concatenate([np.zeros(0), *limits]), assist.rows, assist.limit, self._gains.assist_cost)

    def _bounds(self, state: State) -> Bounds:
        limit = self._body.torque_limit
        if not self._gains.joint_limits:
            return Bounds(-limit, limit, np.zeros((0, self._body.nv)), np.zeros(0), np.zeros(0))
        return Bounds(-limit, limit, *self._limits.bounds(state.q, state.v))
