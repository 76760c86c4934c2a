"""Heft's own preset: what tracks best of the published systems, with steps that keep the balance.

Joints and pelvis after McSim eq. 4, the centre of mass re-anchored to the feet after Yu, and a foot placement that neither has.
"""

from dataclasses import dataclass, replace

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
from .anchor import Anchor
from .foot_placement import step_offset
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
    w_com: float = 100.0
    k_com: float = 40.0
    w_momentum: float = 0.3  # of a body of 45 kg
    g_momentum: float = 8.0  # [1/s]
    w_no_slip: float = 7.5
    g_no_slip: float = 20.0  # [1/s]
    w_put_down: float = 3.0
    k_put_down: float = 400.0
    w_swing: float = 10.0
    w_swing_turn: float = 3.0
    k_swing: float = 300.0
    near_m: float = 0.01  # a sole point this low can bear
    friction_share: float = 0.9  # of the true one, so that a force at the edge of the cone holds
    hold_frequency: float = 30.0  # [rad/s] of the PD between two solves
    assist_cost: float = 1e-4
    drift_rate: float = 0.3  # [1/s] at which a step off the path is taken back
    drift_speed_m_s: float = 0.06
    placement: bool = True
    anchor: bool = True

    def stiffer(self, factor: float) -> "Gains":
        """Joints that hold their pose more firmly; their damping goes with it."""
        return replace(self, k_joints=factor * self.k_joints)


_LEAST = 1e-6
_TUNED_MASS = 45.0


class Heft:
    tick = 5

    def __init__(self, body: Body, reference: Reference, scene: Scene, gains: Gains) -> None:
        self._body, self._scene, self._gains = body, scene, gains
        self._motion = track_motion(body, reference, scene.gravity)
        self._reference = reference
        self._edges = cone_edges(scene.ground.normal, gains.friction_share * scene.friction, 4)
        self._anchor = Anchor(scene.ground.normal, self.tick / reference.rate)
        self._joint_weights = np.full(body.nv, gains.w_joints)
        self._joint_weights[:6] = _LEAST

    def reset(self) -> None:
        self._anchor.reset()

    def hold(self, plan: Plan, step: int, state: State) -> Floats:
        ahead = predicted(self._body, plan, (step - plan.step) / self._reference.rate)
        return plan.solution.torques + towards(self._body, plan, ahead, state, self._gains.hold_frequency)

    def problem(self, step: int, state: State, dynamics: DynamicsState, contacts: Contacts, assist: Assist) -> Problem:
        g, reference, ground = self._gains, self._reference, self._scene.ground
        soles = soles_of(self._body, dynamics, ground, self._motion, step, g.near_m)
        if g.anchor:
            self._anchor.follow(soles.points, self._motion.soles[step], soles.bearing)
        error = difference(self._body, reference.q[step], state.q)
        velocity_error = reference.v[step] - state.v
        joints = JointObjective(self._joint_weights, reference.a[step] + spring(error, velocity_error, g.k_joints))
        wishes = [
            turn_root(
                self._body.nv,
                reference.a[step, 3:6] + spring(error[3:6], velocity_error[3:6], g.k_root),
                g.w_root,
            ),
            self._balance(step, dynamics),
            change_angular_momentum(
                dynamics,
                self._motion.momentum_rates[step]
                + g.g_momentum * (reference.angular_momentum[step] - dynamics.momentum[3:]),
                g.w_momentum * (_TUNED_MASS / self._body.mass) ** 2,
            ),
        ]
        edges: list[Floats] = []
        self._stand(soles, dynamics, wishes, edges)
        others = others_touching(self._body, contacts, reference.contacts.links[step])
        if len(others.links):
            touching = dynamics.point_jacobian(others.links, others.points)
            edges.append(self._cones(touching.J))
        wishes += self._swing(step, dynamics, soles)
        return Problem(wishes, joints, self._pushes(edges, assist), [], self._bounds())

    def _balance(self, step: int, dynamics: DynamicsState) -> Objective:
        g, reference = self._gains, self._reference
        offset = self._anchor.offset
        back = -g.drift_rate * offset
        speed = float(np.linalg.norm(back))
        back = back * (min(speed, g.drift_speed_m_s) / max(speed, 1e-9))
        wanted = self._motion.com_accelerations[step] + spring(
            reference.com[step] + offset - dynamics.com,
            reference.com_velocity[step] + back - dynamics.com_velocity,
            g.k_com,
        )
        return accelerate(dynamics.com_jacobian, wanted[None], g.w_com)

    def _stand(self, soles: Soles, dynamics: DynamicsState, wishes: list[Objective], edges: list[Floats]) -> None:
        g, links = self._gains, self._body.soles.links
        if soles.bearing.any():
            task = dynamics.point_jacobian(links[soles.bearing], soles.points[soles.bearing])
            wishes.append(accelerate(task, -g.g_no_slip * task.velocity, g.w_no_slip))
            edges.append(self._cones(task.J))
        if soles.raised.any():
            task = dynamics.point_jacobian(links[soles.raised], soles.points[soles.raised])
            normal = self._scene.ground.normal
            down = spring(-soles.heights[soles.raised], -(task.velocity @ normal), g.k_put_down)
            wishes.append(accelerate_along(task, normal, down, g.w_put_down))

    def _swing(self, step: int, dynamics: DynamicsState, soles: Soles) -> list[Objective]:
        g, motion, reference = self._gains, self._motion, self._reference
        flying = not (soles.stands.any() or reference.contacts.links[step].any())
        wishes = []
        for side in np.flatnonzero(~soles.stands):
            link = motion.feet[side : side + 1]
            offset = self._anchor.offset.copy()
            if g.placement:
                offset += step_offset(
                    self._along(dynamics.com - reference.com[step] - self._anchor.offset),
                    self._along(dynamics.com_velocity - reference.com_velocity[step]),
                    float(motion.until_landing[step, side]),
                    flying=flying,
                )
            place = dynamics.origins[link]
            task = dynamics.point_jacobian(link, place)
            wanted = motion.foot_accelerations[step, side] + spring(
                motion.foot_places[step, side] + offset - place,
                motion.foot_velocities[step, side] - task.velocity,
                g.k_swing,
            )
            wishes.append(accelerate(task, wanted, g.w_swing))
            task = dynamics.rotation_jacobian(link)
            off = rotations.log(rotations.from_matrix(motion.foot_turns[step, side] @ dynamics.R_world_link[link[0]].T))
            wanted = spring(off, motion.foot_spins[step, side] - task.velocity, g.k_swing)
            wishes.append(accelerate(task, wanted, g.w_swing_turn))
        return wishes

    def _along(self, vector: Floats) -> Floats:
        normal = self._scene.ground.normal
        along: Floats = vector - (vector @ normal) * normal
        return along

    def _cones(self, J: Floats) -> Floats:
        """(K E, nv) the generalised force of a unit of every cone edge at points with Jacobians (K, 3, nv)."""
        return (self._edges @ J).reshape(-1, J.shape[-1])

    def _pushes(self, edges: list[Floats], assist: Assist) -> Pushes:
        together = np.concatenate([np.zeros((0, self._body.nv)), *edges])
        return Pushes(together, np.full(len(together), np.inf), assist.rows, assist.limit, self._gains.assist_cost)

    def _bounds(self) -> Bounds:
        limit = self._body.torque_limit
        return Bounds(-limit, limit, np.zeros((0, self._body.nv)), np.zeros(0), np.zeros(0))
