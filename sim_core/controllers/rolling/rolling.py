"""A body that rolls: turned and carried on as a whole, in the pose of the phase it is in, on whatever touches.

Brown 2012, chapters 3 and 4, as a preset of the tracking controller: its whole-body QP, its PD between solves, its
assist. Outside the spans that roll, Heft's own preset follows the clip by time, from wherever the roll has led.
"""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.spatial import ANGULAR
from ...dynamics.state_space import difference
from ...engines.engine import ROOT_DOFS, Contacts, State
from ...reference.reference import Reference
from ...scene import Scene
from ...world.lie_of_land import lie_under
from ..joint_limits import JointLimits
from ..tracking.heft import Heft
from ..tracking.heft_gains import Gains
from ..tracking.objectives import JointObjective, Objective, accelerate, implicit_spring
from ..tracking.tracker import Assist, Plan, predicted, towards
from ..tracking.whole_body_qp import Bounds, Problem, Pushes, solve_whole_body
from ..variation import AS_IT_IS, Variation
from .bearing_soles import BearingSoles
from .contact_choice import Touching, centre_of_pressure, nearest, strongest, touching
from .contact_motion import contact_velocities
from .feet_under import FeetUnder
from .head_guard import HeadGuard
from .roll_clock import RollClock, RollMemory, RollMoment
from .roll_frame import RollFrame, frame_on
from .roll_gains import RollGains
from .weight_path import weight_path

_LEAST = 1e-6  # weight of the root's own accelerations, which other objectives decide
_STRAYS = 0.4  # of its way: what it may go astray
_LEVEL, _CLIMBS = np.cos(np.radians(3.0)), np.sin(np.radians(3.0))
_REACH = 0.2  # of body height: the land that tells which way is up


class _Memory(NamedTuple):
    clock: RollMemory
    torques: Floats | None
    beside: Floats
    heft: object


class _Carried(NamedTuple):
    """How the centre of mass is to be carried along."""

    wishes: list[Objective]
    acceleration: Floats  # (3,) that they ask for


class Rolling:
    tick = 5
    resumable = True

    def __init__(self, body: Body, reference: Reference, scene: Scene, gains: RollGains, tracking: Gains) -> None:
        self._body, self._reference, self._scene, self._usual = body, reference, scene, gains
        self._h = self.tick / reference.rate
        self._heft = Heft(body, reference, scene, tracking)
        self._clock = RollClock(body, reference, self.tick)
        is_level = bool(scene.ground.normal[2] > _LEVEL)
        climbs = any(-float(scene.ground.normal @ span.ahead) > _CLIMBS for span in reference.rolls)
        self._is_level = is_level
        self._path = weight_path(reference, is_level=is_level, climbs=climbs)
        self._limits = JointLimits(body)
        self._head = HeadGuard(body)
        self._soles = BearingSoles(body, reference, scene)
        self._under = FeetUnder(body, reference, scene.gravity)
        self._weight = body.mass * scene.gravity
        self.vary(AS_IT_IS)
        self.reset()

    def vary(self, variation: Variation) -> None:
        self._variation, self._gains = variation, self._usual.varied(variation)
        self._heft.vary(variation)
        self._joint_weights = np.full(self._body.nv, self._gains.w_joints)
        self._joint_weights[:ROOT_DOFS] = _LEAST

    def reset(self) -> None:
        self._clock.reset()
        self._torques: Floats | None = None  # of the last step, without what holds the plan
        self._beside = np.zeros(3)  # how far along its way it is from where the reference has it
        self._heft.reset()

    def memory(self) -> object:
        return _Memory(self._clock.memory, self._torques, self._beside, self._heft.memory())

    def recall(self, memory: object) -> None:
        assert isinstance(memory, _Memory)
        self._clock.memory, self._torques, self._beside = memory.clock, memory.torques, memory.beside
        self._heft.recall(memory.heft)

    def row(self, step: int) -> int:
        return self._clock.row

    @property
    def displacement(self) -> Floats:
        return self._beside if self._clock.rolls else self._heft.displacement

    def resume(self, row: int, displaced: Floats) -> None:
        self._clock.begin_at(row)
        self._heft.resume(row, displaced)

    def hold(self, plan: Plan, step: int, state: State) -> Floats:
        if not self._clock.rolls:
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
        rolled = self._clock.rolls
        moment = self._clock.proceed(state, dynamics, self._gains)
        if moment is not None:
            return self._rolling(step, moment, state, dynamics, contacts, assist)
        if rolled:
            self._get_up(dynamics)
        return self._heft.problem(self._clock.row, state, dynamics, contacts, assist)

    def _get_up(self, dynamics: DynamicsState) -> None:
        """The clip goes on from where the roll has led."""
        normal = self._scene.ground.normal
        off = dynamics.com - self._reference.com[self._clock.row]
        self._torques = None
        self._heft.reset()
        self._heft.resume(self._clock.row, off - (off @ normal) * normal)

    def _rolling(
        self,
        step: int,
        moment: RollMoment,
        state: State,
        dynamics: DynamicsState,
        contacts: Contacts,
        assist: Assist,
    ) -> Problem:
        g = self._gains
        surface = self._scene.surface(step / self._reference.rate)
        land = lie_under(surface, dynamics.com[None], _REACH * self._body.height)
        frame = frame_on(moment.span, land.normals[0])
        turning = self._turning(moment, frame)
        carried = self._carry(moment, dynamics, frame)
        wishes = [
            _turn(moment, dynamics, turning, g.w_turn),
            *carried.wishes,
            *self._head.wishes(dynamics, surface, frame.up, g.k_head, g.w_head),
        ]
        joints = self._pose(moment, state)
        found = touching(contacts, self._scene, self._head.links)
        found = self._soles.and_others(moment.row, found, dynamics, surface)
        above = float((dynamics.com[2] - land.heights[0]) * frame.up[2])
        if moment.span.is_led:
            wishes += self._under.wishes(moment.row, dynamics, above, found, frame, g.k_under, g.w_under)

        def problem(with_: Touching) -> Problem:
            moving = contact_velocities(self._body, self._reference, moment, with_, dynamics, surface, frame.up)
            return self._problem(wishes, joints, with_, moving, state, dynamics, assist)

        if found.number > g.most_contacts and g.choose == "pressure":
            force = self._body.mass * carried.acceleration + self._weight * np.array([0.0, 0.0, 1.0])
            moment_of_force = moment.spin.inertia @ turning
            place = centre_of_pressure(dynamics.com, above, force, moment_of_force, frame, self._weight)
            found = nearest(found, place, frame.up, g.most_contacts)
        elif found.number > g.most_contacts and g.choose == "force":
            first = solve_whole_body(dynamics, problem(found))
            if first is not None:
                found = strongest(found, first.edge_forces.reshape(found.number, -1).sum(axis=1), g.most_contacts)
        return problem(found)

    def _turning(self, moment: RollMoment, frame: RollFrame) -> Floats:
        """(3,) the angular acceleration that the whole body is to have: that of the reference, and what brings it to
        be turned like that."""
        own = moment.pace**2 * np.linalg.solve(moment.spin.inertia, self._path.moments[moment.row])
        wanted: Floats = own + moment.turning(self._gains, self._other_spin(moment, frame))
        return wanted

    def _other_spin(self, moment: RollMoment, frame: RollFrame) -> Floats:
        """(3,) by how much faster a variation has it turn [rad/s]."""
        by = self._variation
        return np.linalg.solve(
            moment.spin.inertia, self._body.mass * (by.roll * frame.ahead + by.pitch * frame.axis + by.yaw * frame.up)
        )

    def _carry(self, moment: RollMoment, dynamics: DynamicsState, frame: RollFrame) -> _Carried:
        """Along its way as fast as the reference, across and up where the reference is (eq. 3.34 to 3.36)."""
        g, row, h, path = self._gains, moment.row, self._h, self._path
        off = path.places[row] - dynamics.com
        faster = max(moment.pace, 1.0) * path.velocities[row] - dynamics.com_velocity
        faster += frame.rows.T @ [self._variation.ahead_m_s, self._variation.aside_m_s, self._variation.up_m_s]
        off_up = off @ frame.up + self._variation.up_m
        self._beside = self._strayed(moment, off, dynamics, frame)
        com = dynamics.com_jacobian
        slant = abs(float(frame.aside[2]))  # of the land across the way, as a sine
        k_aside, w_aside = (1.0 + g.k_slant * slant) * g.k_aside, (1.0 + g.w_slant * slant) * g.w_aside
        most_aside = g.most_aside_m + slant * g.more_aside_m
        aside = float(np.clip(off @ frame.aside, -most_aside, most_aside))
        w_height = g.w_led_height if moment.span.is_led and self._is_level else g.w_height
        speeding_up = moment.pace**2 * path.accelerations[row]
        wishes, total = [], np.zeros(3)
        for direction, away, stiffness, damping, weight in (
            (frame.ahead, 0.0, 0.0, g.g_speed, g.w_speed),
            (frame.aside, aside, k_aside, 2.0 * np.sqrt(k_aside), w_aside),
            (frame.up, off_up, g.k_height, 2.0 * np.sqrt(g.k_height), w_height),
        ):
            wanted = implicit_spring(np.array([away]), np.array([faster @ direction]), stiffness, damping, h)
            wanted += speeding_up @ direction
            wishes.append(Objective(direction @ com.J, wanted - com.drift @ direction, weight))
            total += wanted[0] * direction
        return _Carried(wishes, total)

    def _strayed(self, moment: RollMoment, off: Floats, dynamics: DynamicsState, frame: RollFrame) -> Floats:
        """(3,) how far it is from its row: along its way however far, beside it by a share of how far it came."""
        came = float((dynamics.com - self._reference.com[moment.span.first]) @ frame.ahead)
        most = _STRAYS * max(came, 0.0)
        return -(off @ frame.ahead) * frame.ahead - float(np.clip(off @ frame.aside, -most, most)) * frame.aside

    def _pose(self, moment: RollMoment, state: State) -> JointObjective:
        """Any blend of the poses a little ahead and behind (eq. 3.13 to 3.24), in accelerations."""
        g, reference = self._gains, self._reference
        damping = 2.0 * np.sqrt(g.k_joints)
        faster = moment.pace * reference.v[moment.row] - state.v
        own = moment.pace**2 * self._path.joints[moment.row]
        behind, ahead = (
            own
            + implicit_spring(difference(self._body, reference.q[row], state.q), faster, g.k_joints, damping, self._h)
            for row in (moment.behind, moment.ahead)
        )
        behind[:ROOT_DOFS] = ahead[:ROOT_DOFS] = 0.0
        return JointObjective(self._joint_weights, behind, ahead - behind)

    def _problem(
        self,
        wishes: list[Objective],
        joints: JointObjective,
        found: Touching,
        moving: Floats,  # (K, 3) velocities that contacts are to have
        state: State,
        dynamics: DynamicsState,
        assist: Assist,
    ) -> Problem:
        """With contacts that move as they are to, as far as they can (eq. 3.7)."""
        g, limit = self._gains, self._body.torque_limit
        edges = np.zeros((0, self._body.nv))
        if found.number:
            task = dynamics.point_jacobian(found.links, found.points)
            edges = (found.edges(g.friction_share) @ task.J).reshape(-1, self._body.nv)
            still = accelerate(task, g.g_no_slip * (moving - task.velocity), g.w_no_slip / found.number)
            wishes = [*wishes, still]
        return Problem(
            wishes,
            joints,
            Pushes(edges, np.full(len(edges), np.inf), assist.rows, assist.limit, g.assist_cost),
            [],
            Bounds(-limit, limit, *self._limits.bounds(state.q, state.v)),
        )


def _turn(moment: RollMoment, dynamics: DynamicsState, turning: Floats, weight: float) -> Objective:
    """The whole body turns with an angular acceleration (3,) (eq. 3.37 to 3.39, over its inertia)."""
    rows = np.linalg.solve(
        moment.spin.inertia,
        np.column_stack([dynamics.momentum_matrix[ANGULAR], dynamics.momentum_drift[ANGULAR]]),
    )
    return Objective(rows[:, :-1], turning - rows[:, -1], weight)
