"""A body that falls, and falls well: it gives way first, then brings what protects it to the ground, then lies still.

Brown 2012, chapter 5, as a preset of the tracking controller: its whole-body QP, its PD between solves. Until the
balance is lost, Heft's own preset follows the clip.
"""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.kinematics import pose
from ...dynamics.spatial import ANGULAR
from ...dynamics.state_space import difference
from ...engines.engine import ROOT_DOFS, Contacts, State, no_contacts
from ...falling.fall_script import AS_USUAL, script_of
from ...falling.protective_poses import direction_of, protective_poses, scripted
from ...posing.heading import facing_of
from ...reference.reference import Reference
from ...rig.segments import ARM, HEAD, kind
from ...rolling.level_feet import root_axes
from ...rolling.roll_times import eased
from ...rotations import rotate
from ...scene import Scene
from ...world.surface import Surface
from ..joint_limits import JointLimits
from ..rolling.contact_choice import Touching, nearest, touching
from ..rolling.head_guard import HeadGuard
from ..rolling.roll_phase import spin_of
from ..tracking.heft import Heft
from ..tracking.heft_gains import Gains
from ..tracking.objectives import JointObjective, Objective, accelerate, implicit_spring
from ..tracking.tracker import Assist, Plan, predicted, towards
from ..tracking.whole_body_qp import Bounds, Problem, Pushes
from ..variation import AS_IT_IS, Variation
from .fall_gains import FallGains
from .slack import SINKS_S, Slack
from .usual_way import UsualWay

_LEAST = 1e-6  # weight of the root's own accelerations, which other objectives decide
_LONGEST_S = 3.0  # that a script is worked out for
_CLEAR_M_S = 0.1
_UP = np.array([0.0, 0.0, 1.0])
_LEVEL = np.array([1.0, 1.0, 0.0])


class _First(NamedTuple):
    """How the body was as it lost its balance."""

    q: Floats
    velocity: Floats  # (3,) of the centre of mass along the ground


class _Began(NamedTuple):
    """How the body was as it began to act, after its reflex."""

    q: Floats
    angle: float  # [rad] where it falls to, from where it faces
    way: UsualWay


class _Memory(NamedTuple):
    heft: object
    torques: Floats | None
    turned: Floats  # (3,) by the whole body since it began to act [rad]
    began: _Began | None
    landed: int | None  # the step
    first: _First | None
    lies: Floats | None  # the pose in which it lies


class _Way(NamedTuple):
    """What is aimed at, one row a tick."""

    brace: Floats  # (T, nq)
    tuck: Floats
    weight: Floats  # (T, 3) beside the usual way [m]
    weight_velocity: Floats
    turn: Floats  # (T, 3) [rad]
    turn_velocity: Floats


class Falling:
    tick = 5
    resumable = True

    def __init__(self, body: Body, reference: Reference, scene: Scene, gains: FallGains, tracking: Gains) -> None:
        assert reference.fall is not None
        self._body, self._reference, self._scene, self._gains = body, reference, scene, gains
        self._span = reference.fall
        self._rate, self._h = reference.rate, self.tick / reference.rate
        self._heft = Heft(body, reference, scene, tracking)
        self._limits, self._head = JointLimits(body), HeadGuard(body, gains.head_clear_m)
        self._lets_go_s = np.zeros(body.nv)
        for name in body.names:
            late = gains.neck_s if name in HEAD else gains.arms_s if kind(name) in ARM else 0.0
            self._lets_go_s[body.v_slice[name]] = late
        self._slack = Slack(body, scene.gravity, 1.0 / reference.rate)
        self._times = np.arange(round(_LONGEST_S / self._h) + 1) * self._h
        self.vary(AS_IT_IS)
        self.reset()

    def vary(self, variation: Variation) -> None:
        self._script = script_of(variation.fall or AS_USUAL)
        self._way: _Way | None = None
        self._heft.vary(variation)

    def reset(self) -> None:
        self._memory = _Memory(None, None, np.zeros(3), None, None, None, None)
        self._way = None
        self._heft.reset()

    def memory(self) -> object:
        return self._memory._replace(heft=self._heft.memory())

    def recall(self, memory: object) -> None:
        assert isinstance(memory, _Memory)
        self._memory, self._way = memory, None
        self._heft.recall(memory.heft)

    def row(self, step: int) -> int:
        return min(step, self._span.first)

    @property
    def displacement(self) -> Floats:
        return self._heft.displacement

    def resume(self, row: int, displaced: Floats) -> None:
        self._heft.resume(row, displaced)

    def hold(self, plan: Plan, step: int, state: State) -> Floats:
        if step < self._span.first:
            return self._heft.hold(plan, step, state)
        calm = self._calm(step)
        slack = self._let_go(step, state) if calm.any() else np.zeros(self._body.nv)
        if (calm == 1.0).all():
            return slack
        ahead = predicted(self._body, plan, (step - plan.step) / self._rate)
        holding = towards(self._body, plan, ahead, state, self._gains.hold_frequency)
        torques, before = plan.solution.torques, self._memory.torques
        if before is not None:
            most = self._body.torque_limit / (self._gains.full_torque_s * self._rate)
            torques = np.clip(torques, before - most, before + most)
        self._memory = self._memory._replace(torques=torques)
        driven: Floats = (1.0 - calm) * (torques + holding) + calm * slack
        return driven

    def _let_go(self, step: int, state: State) -> Floats:
        landed_s = self._landed_s(step)
        if self._memory.lies is None and landed_s >= SINKS_S:
            self._memory = self._memory._replace(lies=state.q)
        return self._slack.torques(step, state, landed_s, self._memory.lies)

    def problem(self, step: int, state: State, dynamics: DynamicsState, contacts: Contacts, assist: Assist) -> Problem:
        if step < self._span.first:
            return self._heft.problem(step, state, dynamics, contacts, assist)
        surface = self._scene.surface(step / self._rate)
        if self._memory.first is None:
            self._memory = self._memory._replace(first=_First(state.q, dynamics.com_velocity * _LEVEL))
        if (self._calm(step) == 1.0).all():  # muscles have let go, whatever is asked of them
            wishes, joints, contacts = self._give_way(dynamics), self._stay(state), no_contacts()
        elif step < self._span.first + self._gains.reflex_s * self._rate:
            wishes, joints = self._give_way(dynamics), self._stay(state)
        else:
            wishes, joints = self._protect(step, state, dynamics, surface)
        return self._problem(wishes, joints, surface, state, dynamics, contacts, assist)

    def _give_way(self, dynamics: DynamicsState) -> list[Objective]:
        """Linear momentum stays what it was, near zero of who stands: the body turns with what pushes it (5.1)."""
        g, first = self._gains, self._memory.first
        assert first is not None
        gained = dynamics.com_velocity - first.velocity
        return [accelerate(dynamics.com_jacobian, -g.g_still * gained[None], g.w_still)]

    def _stay(self, state: State) -> JointObjective:
        g, first = self._gains, self._memory.first
        assert first is not None
        targets = implicit_spring(
            difference(self._body, first.q, state.q), -state.v, g.k_reflex, 2.0 * np.sqrt(g.k_reflex), self._h
        )
        return JointObjective(self._weights(g.w_reflex), targets)

    def _protect(
        self, step: int, state: State, dynamics: DynamicsState, surface: Surface
    ) -> tuple[list[Objective], JointObjective]:
        g = self._gains
        if self._memory.began is None:
            self._memory = self._memory._replace(began=self._beginning(state, dynamics, surface))
        began = self._memory.began
        assert began is not None
        way = self._worked_out(began)
        begins = self._span.first + round(g.reflex_s * self._rate)
        time_s = (step - begins) / self._rate
        row = min(round(time_s / self._h), len(self._times) - 1)
        self._notice_landing(step, time_s, dynamics, began)
        calm = float(self._calm(step)[0])
        spin = spin_of(dynamics)
        off = way.turn[row] - self._memory.turned
        self._memory = self._memory._replace(turned=self._memory.turned + self._h * spin.velocity)
        wishes = self._head.wishes(dynamics, surface, _UP, (1.0 - calm) * g.k_head, g.w_head)
        wishes.append(accelerate(dynamics.com_jacobian, -g.g_still * dynamics.com_velocity[None], calm))
        if calm < 1.0:
            place, velocity = began.way.weight(time_s)
            wanted = implicit_spring(
                place + way.weight[row] - dynamics.com,
                velocity + way.weight_velocity[row] - dynamics.com_velocity,
                g.k_weight,
                2.0 * np.sqrt(g.k_weight),
                self._h,
            )
            wishes.append(accelerate(dynamics.com_jacobian, wanted[None], (1.0 - calm) * g.w_weight))
            turning = implicit_spring(
                off, way.turn_velocity[row] - spin.velocity, g.k_turn, 2.0 * np.sqrt(g.k_turn), self._h
            )
            wishes.append(_turn(spin.inertia, dynamics, turning, (1.0 - calm) * g.w_turn))
        return wishes, self._pose(row, time_s, state, way, began)

    def _beginning(self, state: State, dynamics: DynamicsState, surface: Surface) -> _Began:
        body, facing = self._body, facing_of(self._body, pose(self._body, state.q))
        angle = self._span.direction
        if angle is None:
            angle = carried_to(dynamics.com_velocity, facing)
        goes = np.array([np.cos(facing + angle), np.sin(facing + angle), 0.0])
        ground = float(surface.height(dynamics.com[None])[0])
        head = rotate(state.q[3:7], root_axes(body)[2])
        leans = float(np.arctan2(head @ goes, head @ _UP))
        way = UsualWay(goes, leans, dynamics.com, dynamics.com_velocity, ground, body.height, self._scene.gravity)
        return _Began(state.q, angle, way)

    def _worked_out(self, began: _Began) -> _Way:
        if self._way is None:
            body, script, times = self._body, self._script, self._times
            poses = protective_poses(body, direction_of(began.angle))
            weight = body.height * script.weight.at(times) @ began.way.axes
            turn = began.way.turn(times) + script.turn.at(times) @ began.way.axes
            self._way = _Way(
                brace=scripted(body, poses.brace, script, times),
                tuck=scripted(body, poses.tuck, script, times),
                weight=weight,
                weight_velocity=np.gradient(weight, self._h, axis=0),
                turn=turn,
                turn_velocity=np.gradient(turn, self._h, axis=0),
            )
        return self._way

    def _notice_landing(self, step: int, time_s: float, dynamics: DynamicsState, began: _Began) -> None:
        g = self._gains
        if self._memory.landed is not None:
            return
        low = dynamics.com[2] - began.way.ground_m < g.low * self._body.height
        sinks = -float(dynamics.com_velocity[2]) > g.slow_m_s
        if (low and not sinks) or time_s > g.latest_s:
            self._memory = self._memory._replace(landed=step)

    def _calm(self, step: int) -> Floats:
        """(nv,) from 0, while it falls, to 1, when it lies and its muscles have let go: arms late, the neck last."""
        return eased((self._landed_s(step) - self._lets_go_s) / self._gains.calm_s)

    def _landed_s(self, step: int) -> float:
        """How long ago."""
        return -np.inf if self._memory.landed is None else (step - self._memory.landed) / self._rate

    def _pose(self, row: int, time_s: float, state: State, way: _Way, began: _Began) -> JointObjective:
        """Any blend of two poses that protect (eq. 3.13 to 3.24)."""
        g = self._gains
        damping = 2.0 * np.sqrt(g.k_joints)
        ready = float(eased(np.array(time_s / g.ready_s)))

        def aimed(target: Floats) -> Floats:
            away = ready * difference(self._body, target, state.q)
            if ready < 1.0:
                away += (1.0 - ready) * difference(self._body, began.q, state.q)
            wanted = implicit_spring(away, -state.v, g.k_joints, damping, self._h)
            wanted[:ROOT_DOFS] = 0.0
            return wanted

        brace, tuck = aimed(way.brace[row]), aimed(way.tuck[row])
        return JointObjective(self._weights(g.w_joints), brace, tuck - brace)

    def _weights(self, weight: float) -> Floats:
        weights = np.full(self._body.nv, weight)
        weights[:ROOT_DOFS] = _LEAST
        return weights

    def _problem(
        self,
        wishes: list[Objective],
        joints: JointObjective,
        surface: Surface,
        state: State,
        dynamics: DynamicsState,
        contacts: Contacts,
        assist: Assist,
    ) -> Problem:
        g, limit = self._gains, self._body.torque_limit
        found: Touching = touching(contacts, self._scene, self._head.links)
        if found.number > g.most_contacts:
            found = nearest(found, dynamics.com, _UP, g.most_contacts)
        edges = np.zeros((0, self._body.nv))
        if found.number:
            task = dynamics.point_jacobian(found.links, found.points)
            edges = (found.edges(g.friction_share) @ task.J).reshape(-1, self._body.nv)
            carried = surface.velocities(found.points)
            still = accelerate(task, g.g_no_slip * (carried - task.velocity), g.w_no_slip / found.number)
            wishes = [*wishes, still]
        return Problem(
            wishes,
            joints,
            Pushes(edges, np.full(len(edges), np.inf), assist.rows, assist.limit, g.assist_cost),
            [],
            Bounds(-limit, limit, *self._limits.bounds(state.q, state.v)),
        )


def carried_to(velocity: Floats, facing: float) -> float:
    """Where the weight goes from where one faces [rad], or ahead where that is not clear."""
    return 0.0 if np.hypot(*velocity[:2]) < _CLEAR_M_S else float(np.arctan2(velocity[1], velocity[0])) - facing


def _turn(inertia: Floats, dynamics: DynamicsState, turning: Floats, weight: float) -> Objective:
    """The whole body turns with an angular acceleration (3,) (eq. 3.37 to 3.39, over its inertia)."""
    rows = np.linalg.solve(
        inertia, np.column_stack([dynamics.momentum_matrix[ANGULAR], dynamics.momentum_drift[ANGULAR]])
    )
    return Objective(rows[:, :-1], turning - rows[:, -1], weight)
