"""A body that rolls: turned and carried on as a whole, in the pose of the phase it is in, on whatever touches.

Brown 2012, chapters 3 and 4, as a preset of the tracking controller: its whole-body QP, its PD between solves, its
assist. Outside the spans that roll, Heft's own preset follows the clip by time, from wherever the roll has led.
"""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.kinematics import pose
from ...dynamics.spatial import ANGULAR
from ...dynamics.state_space import difference
from ...engines.engine import ROOT_DOFS, Contacts, State
from ...reference.reference import Reference
from ...rotations import cross
from ...scene import Scene
from ..joint_limits import JointLimits
from ..tracking.heft import Heft
from ..tracking.heft_gains import Gains
from ..tracking.objectives import JointObjective, Objective, accelerate
from ..tracking.tracker import Assist, Plan, predicted, towards
from ..tracking.whole_body_qp import Bounds, Problem, Pushes
from ..variation import AS_IT_IS, Variation
from .contact_choice import centre_of_pressure, nearest, touching
from .head_guard import HeadGuard
from .roll_gains import RollGains
from .roll_phase import KnownPoses, PhaseTable, Spin, spin_of

_LEAST = 1e-6  # weight of the root's own accelerations, which other objectives decide


class _Memory(NamedTuple):
    row: float
    turned: Floats | None
    torques: Floats | None
    heft: object


class Rolling:
    tick = 5
    resumable = True

    def __init__(self, body: Body, reference: Reference, scene: Scene, gains: RollGains, tracking: Gains) -> None:
        self._body, self._reference, self._scene, self._usual = body, reference, scene, gains
        self._heft = Heft(body, reference, scene, tracking)
        self._tables = [PhaseTable(body, reference, span) for span in reference.rolls]
        self._known = KnownPoses(body, reference)
        self._limits = JointLimits(body)
        self._head = HeadGuard(body)
        self._h = self.tick / reference.rate
        self.vary(AS_IT_IS)
        self.reset()

    def vary(self, variation: Variation) -> None:
        self._variation, self._gains = variation, self._usual.varied(variation)
        self._heft.vary(variation)
        weights = np.full(self._body.nv, self._gains.w_joints)
        weights[:ROOT_DOFS] = _LEAST
        self._joint_weights = weights

    def reset(self) -> None:
        self._row = 0.0
        self._turned: Floats | None = None  # the excursion since the span began; None outside of spans
        self._torques: Floats | None = None
        self._beside = np.zeros(3)
        self._heft.reset()

    def memory(self) -> object:
        return (self._row, self._turned, self._torques, self._beside, self._heft.memory())

    def recall(self, memory: object) -> None:
        self._row, self._turned, self._torques, self._beside, heft = memory
        self._heft.recall(heft)

    def row(self, step: int) -> int:
        return min(int(self._row), len(self._reference) - 1)

    @property
    def displacement(self) -> Floats:
        return self._beside if self._turned is not None else self._heft.displacement

    def resume(self, row: int, displaced: Floats) -> None:
        self._row = float(row)
        self._heft.resume(row, displaced)

    def hold(self, plan: Plan, step: int, state: State) -> Floats:
        if self._turned is None:
            return self._heft.hold(plan, step, state)
        ahead = predicted(self._body, plan, (step - plan.step) / self._reference.rate)
        holding = towards(self._body, plan, ahead, state, self._gains.hold_frequency)
        torques = plan.solution.torques
        if self._torques is not None:
            most = self._body.torque_limit / (self._gains.full_torque_s * self._reference.rate)
            torques = np.clip(torques, self._torques - most, self._torques + most)
        self._torques = torques
        return torques + holding

    def problem(self, step: int, state: State, dynamics: DynamicsState, contacts: Contacts, assist: Assist) -> Problem:
        table = next((t for t in self._tables if t.span.first <= self._row < t.span.last), None)
        if table is None:
            if self._turned is not None:
                self._leave(dynamics)
            self._turned = None
            row = self.row(step)
            problem = self._heft.problem(row, state, dynamics, contacts, assist)
            self._row = min(self._row + self.tick, len(self._reference) - 1.0)
            return problem
        return self._roll(table, state, dynamics, contacts, assist)

    def _leave(self, dynamics: DynamicsState) -> None:
        off = dynamics.com - self._reference.com[self.row(0)]
        self._heft.reset()
        n = self._scene.ground.normal
        self._heft.resume(self.row(0), off - (off @ n) * n)

    def _roll(
        self, table: PhaseTable, state: State, dynamics: DynamicsState, contacts: Contacts, assist: Assist
    ) -> Problem:
        g, reference, body = self._gains, self._reference, self._body
        spin = spin_of(dynamics)
        self._track(table, state, dynamics, spin)
        row = self.row(0)
        k = table.index(self._row)
        span = table.span
        up = self._scene.ground.normal
        axis = span.axis - (span.axis @ up) * up
        axis /= np.linalg.norm(axis)
        ahead = cross(axis, up)
        if ahead @ span.ahead < 0:
            ahead = -ahead
        aside = cross(up, ahead)
        # orientation
        off_turn = table.turned[k] - self._turned
        wanted_spin = table.spins[k] * self._pace
        turning = g.k_turn * off_turn + g.g_turn * (wanted_spin - spin.velocity)
        J = np.linalg.solve(spin.inertia, dynamics.momentum_matrix[ANGULAR])
        drift = np.linalg.solve(spin.inertia, dynamics.momentum_drift[ANGULAR])
        wishes = [Objective(J, turning - drift, g.w_turn)]
        # centre of mass
        off = reference.com[row] - dynamics.com
        off_v = reference.com_velocity[row] - dynamics.com_velocity
        along = g.g_speed * float(off_v @ ahead)
        sideways = g.k_aside * float(off @ aside) + 2 * np.sqrt(g.k_aside) * float(off_v @ aside)
        height = g.k_height * float(off @ up) + 2 * np.sqrt(g.k_height) * float(off_v @ up)
        self._beside = -(off @ ahead) * ahead
        com = dynamics.com_jacobian
        for direction, value, weight in (
            (ahead, along, g.w_speed),
            (aside, sideways, g.w_aside),
            (up, height, g.w_height),
        ):
            wishes.append(Objective(direction @ com.J, np.array([value]) - com.drift @ direction, weight))
        wishes += self._head.wishes(dynamics, self._scene.surface(0.0), up, g.k_head, g.w_head)
        # contacts
        found = touching(contacts, self._head.links)
        frame = np.stack([ahead, aside, up])
        force = body.mass * (along * ahead + sideways * aside + (height + self._scene.gravity) * up)
        if len(found) > g.most_contacts:
            above = float(self._scene.surface(0.0).distance(dynamics.com))
            place = centre_of_pressure(
                np.zeros(3), above, frame @ force, frame @ (spin.inertia @ turning), body.mass * self._scene.gravity
            )
            found = nearest(found, dynamics.com + place @ frame, up, g.most_contacts)
        edges = np.zeros((0, body.nv))
        if len(found):
            task = dynamics.point_jacobian(found.links, found.points)
            edges = (found.edges(g.friction_share * self._scene.friction) @ task.J).reshape(-1, body.nv)
            wishes.append(accelerate(task, -g.g_no_slip * task.velocity, g.w_no_slip / len(found)))
        # pose
        phase = table.at(self._row)
        front = self._near(table.row_of(phase + g.ahead * table.a_roll))
        back = self._near(table.row_of(phase - g.behind * table.a_roll))
        error = difference(body, reference.q[back], state.q)
        blend = difference(body, reference.q[front], state.q) - error
        h, kk = self._h, g.k_joints
        d = 2.0 * np.sqrt(kk)
        soft = 1.0 + h * h * kk + h * d
        velocity = reference.v[row] * self._pace
        targets = (kk * (error - h * state.v) + d * (velocity - state.v)) / soft
        targets[:ROOT_DOFS] = 0.0
        blend = kk * blend / soft
        blend[:ROOT_DOFS] = 0.0
        limit = body.torque_limit
        return Problem(
            wishes,
            JointObjective(self._joint_weights, targets, blend),
            Pushes(edges, np.full(len(edges), np.inf), assist.rows, assist.limit, g.assist_cost),
            [],
            Bounds(-limit, limit, *self._limits.bounds(state.q, state.v)),
        )

    def _near(self, row: float) -> int:
        return min(max(round(row), 0), len(self._reference) - 1)

    def _track(self, table: PhaseTable, state: State, dynamics: DynamicsState, spin: Spin) -> None:
        g = self._gains
        row = self.row(0)
        turns = pose(self._body, self._reference.q[row]).R_world_link
        known = table.turned[table.index(self._row)] + self._known.beside(turns, dynamics.R_world_link)
        if self._turned is None:
            self._turned = known
            self._pace = 1.0
        else:
            error = difference(self._body, self._reference.q[row], state.q)[ROOT_DOFS:].reshape(-1, 3)
            strange = np.linalg.norm(error, axis=1).mean() / g.known_rad
            self._turned = self._turned + self._h * (
                spin.velocity + g.g_known * np.exp(-(strange**2)) * (known - self._turned)
            )
        lead = (table.row_of(float(self._turned @ table.span.axis)) - self._row) / self._reference.rate
        self._pace = float(np.clip(1.0 + lead / g.pace_s, g.slowest, g.fastest))
        self._row = min(self._row + self._pace * self.tick, len(self._reference) - 1.0)
