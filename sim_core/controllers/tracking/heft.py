"""Heft's own preset: what tracks best of the published systems, with balance that knows the whole clip.

Joints and pelvis after McSim eq. 3.4, feet that stand as the origin of balance after Yu eq. 3.2 and 3.3, momentum
objectives of both, and footholds and pressures from a regulator over the clip's landings, which neither has.
"""

from typing import NamedTuple

import numpy as np

from ... import rotations
from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.spatial import ANGULAR
from ...dynamics.state_space import difference
from ...engines.engine import ROOT_DOFS, Contacts, State
from ...reference.reference import Reference
from ...rig.segments import ARM, kind
from ...scene import Scene
from ...world.surface import Surface
from ..joint_limits import JointLimits
from ..variation import AS_IT_IS, Variation
from .balance_plan import FEET, plan_balance
from .footing import FACETS, Footing, Footings, kept_on
from .heft_aims import Aims, aims_of, character_axes
from .heft_gains import Gains
from .levelling import stay_level
from .objectives import (
    JointObjective,
    Objective,
    accelerate,
    accelerate_along,
    change_angular_momentum,
    spring,
    turn_root,
)
from .reaction import Following, Reaction, ReactionMemory
from .resting import Resting
from .row import Row
from .stance import Others, Soles, feet_on_loose, others_touching, soles_of
from .tracked_motion import track_motion
from .tracker import Assist, Plan, predicted, towards
from .whole_body_qp import Bounds, Problem, Pushes

_LEAST = 1e-6  # weight of the root's own accelerations, which other objectives decide
_TUNED_MASS = 45.0  # [kg] of the body that the weight of angular momentum is given for
_ROOT_TURN = slice(3, 6)
_LONG_AGO_S = 1.0
_RAMP_FROM, _RAMP_TO = 0.1, 3.0  # of body weight: what each edge may bear at the end of a stance, and beyond the ramp


class _Force(NamedTuple):
    """The edges of friction cones at some contacts, and the most that each may bear."""

    edges: Floats  # (F, nv)
    limit: Floats  # (F,) [N]


class _Memory(NamedTuple):
    torques: Floats | None
    stood_s: Floats
    beside: Floats
    reaction: ReactionMemory


class Heft:
    tick = 5
    resumable = True

    def __init__(self, body: Body, reference: Reference, scene: Scene, gains: Gains) -> None:
        self._body, self._scene, self._usual = body, scene, gains
        self._motion = track_motion(body, reference, scene)
        self._reference = reference
        self._footings = Footings(scene, reference.rate, gains.friction_share)
        self._balance_plan = plan_balance(self._motion, gains.balance, self.tick)
        self._resting = Resting(body, reference, scene)
        self._loose = np.array([thing.loose is not None for thing in scene.things], dtype=bool)
        self._limits = JointLimits(body)
        self._axes = character_axes(body, reference, scene)
        self._reaction = Reaction(body, self._motion, scene, self._axes, self.tick)
        self._arms = np.zeros(body.nv, dtype=bool)
        for name in body.names:
            self._arms[body.v_slice[name]] = kind(name) in ARM
        self.vary(AS_IT_IS)
        self.reset()

    def vary(self, variation: Variation) -> None:
        self._variation, self._gains = variation, self._usual.varied(variation)
        self._lead = self.tick * round(variation.lead_s * self._reference.rate / self.tick)
        weights = np.where(self._arms, variation.arms, 1.0) * self._gains.w_joints
        weights[:ROOT_DOFS] = _LEAST
        self._joint_weights = weights

    @property
    def displacement(self) -> Floats:
        return self._reaction.displacement

    def row(self, step: int) -> int:
        return step

    def resume(self, row: int, displaced: Floats) -> None:
        self._reaction.displace(displaced)

    def memory(self) -> object:
        return _Memory(self._torques, self._stood_s, self._beside.copy(), self._reaction.memory)

    def reset(self) -> None:
        self._torques: Floats | None = None  # of the last step, without what holds the plan
        self._stood_s = np.full(2, _LONG_AGO_S)  # for how long each foot has borne
        self._beside = np.zeros((2, 3))  # how far each foot stands, or stood last, beside its mark
        self._reaction.reset()

    def recall(self, memory: object) -> None:
        assert isinstance(memory, _Memory)
        self._torques, self._stood_s, self._beside = memory.torques, memory.stood_s, memory.beside.copy()
        self._reaction.memory = memory.reaction

    def hold(self, plan: Plan, step: int, state: State) -> Floats:
        ahead = predicted(self._body, plan, (step - plan.step) / self._reference.rate)
        holding = towards(self._body, plan, ahead, state, self._gains.hold_frequency)
        self._torques = self._no_jump(plan.solution.torques)
        return self._torques + holding

    def _no_jump(self, torques: Floats) -> Floats:
        if self._torques is None:
            return torques
        most = self._body.torque_limit / (self._gains.full_torque_s * self._reference.rate)
        return np.clip(torques, self._torques - most, self._torques + most)

    def problem(self, step: int, state: State, dynamics: DynamicsState, contacts: Contacts, assist: Assist) -> Problem:
        g, reference = self._gains, self._reference
        step = min(max(step + self._lead, 0), len(reference) - 1)
        aims = aims_of(self._axes[step], self._variation)
        following = self._reaction.follow(step, dynamics, contacts, self._beside)
        row = following.row
        surface = self._footings.surface(step)
        on_loose = feet_on_loose(self._body, contacts, self._loose)
        soles = soles_of(self._body, dynamics, surface, row, g.near_m, on_loose)
        self._stood_s = np.where(soles.stands, self._stood_s + self.tick / reference.rate, 0.0)
        others = others_touching(self._body, contacts)
        off = self._off(row, dynamics, soles, aims)
        error = difference(self._body, row.q, state.q)
        error[_ROOT_TURN] += dynamics.R_world_link[0].T @ aims.turn
        velocity_error = row.v - state.v
        spin = row.angular_momentum + self._body.mass * aims.angular_momentum
        wishes = [
            turn_root(
                self._body.nv,
                row.a[_ROOT_TURN] + spring(error[_ROOT_TURN], velocity_error[_ROOT_TURN], g.k_root),
                g.w_root,
            ),
            self._balance(step, following, dynamics, off, aims),
            change_angular_momentum(
                dynamics,
                row.momentum_rate + g.g_momentum * (spin - dynamics.momentum[ANGULAR]),
                g.w_momentum * (_TUNED_MASS / self._body.mass) ** 2,
            ),
            *self._stand(soles, dynamics, surface),
            *self._swing(step, following, dynamics, soles, off, aims.foothold, surface),
            *self._rest(step, others, dynamics, surface),
            *(wish for one in reference.levels for wish in stay_level(one, step, dynamics, g.k_level, g.w_level)),
        ]
        forces = [*self._under_feet(row, soles, dynamics, surface), *self._under_others(dynamics, others, surface)]
        return Problem(
            wishes,
            JointObjective(self._joint_weights, row.a + spring(error, velocity_error, g.k_joints)),
            self._pushes(forces, assist),
            [],
            self._bounds(state),
        )

    def _off(self, row: Row, dynamics: DynamicsState, soles: Soles, aims: Aims) -> Floats:
        """(4, 3) along the ground: the centre of mass, its velocity, and both feet, beside where they are to be."""
        beside = self._along(soles.points - row.soles)
        for side, mine in enumerate((self._body.soles.left, ~self._body.soles.left)):
            bearing = soles.bearing & mine
            if bearing.any():
                self._beside[side] = beside[bearing].mean(axis=0)
            elif row.down[side]:
                self._beside[side] = beside[mine].mean(axis=0)
        away = self._along(
            np.stack(
                [
                    dynamics.com - row.com - aims.com,
                    dynamics.com_velocity - row.com_velocity - aims.com_velocity,
                ]
            )
        )
        return np.concatenate([away, self._beside])

    def _balance(self, step: int, following: Following, dynamics: DynamicsState, off: Floats, aims: Aims) -> Objective:
        g, row, normal = self._gains, following.row, self._scene.ground.normal
        height = (row.com + aims.com - dynamics.com) @ normal
        rise = (row.com_velocity + aims.com_velocity - dynamics.com_velocity) @ normal
        wanted = row.com_acceleration + spring(height, rise, g.k_height) * normal
        if following.leading is not None:
            wanted = wanted - self._along(wanted) + following.leading
        elif self._motion.load_shares[step].any():
            wanted = wanted + self._balance_plan.acceleration(step // self.tick, off)
        else:  # in the air it cannot be helped; on hands and knees the body is no pendulum
            wanted = wanted + spring(-off[0], -off[1], g.k_com)
        return accelerate(dynamics.com_jacobian, wanted[None], g.w_com)

    def _stand(self, soles: Soles, dynamics: DynamicsState, surface: Surface) -> list[Objective]:
        """What stands goes along with what it stands on; what is to stand is put down."""
        g, links, normal = self._gains, self._body.soles.links, self._scene.ground.normal
        wishes = []
        if soles.bearing.any():
            points = soles.borne[soles.bearing]
            task, under = dynamics.point_jacobian(links[soles.bearing], points), self._footings.under(points, surface)
            wishes.append(
                accelerate(task, under.accelerations + g.g_no_slip * (under.velocities - task.velocity), g.w_no_slip)
            )
        if soles.raised.any():
            points = soles.borne[soles.raised]
            task, under = dynamics.point_jacobian(links[soles.raised], points), self._footings.under(points, surface)
            down = spring(-soles.heights[soles.raised], (under.velocities - task.velocity) @ normal, g.k_put_down)
            wishes.append(accelerate_along(task, normal, down + under.accelerations @ normal, g.w_put_down))
        return wishes

    def _rest(self, step: int, others: Others, dynamics: DynamicsState, surface: Surface) -> list[Objective]:
        """What else is to bear stays where it touches, and is put down where it does not."""
        g, normal = self._gains, self._scene.ground.normal
        wishes = []
        held, raised = self._resting.held(step, others), self._resting.raised(step, others, dynamics, surface)
        if len(held.links):
            task, under = dynamics.point_jacobian(held.links, held.points), self._footings.under(held.points, surface)
            wishes.append(
                accelerate(task, under.accelerations + g.g_no_slip * (under.velocities - task.velocity), g.w_rest)
            )
        if len(raised.links):
            task = dynamics.point_jacobian(raised.links, raised.points)
            down = spring(raised.lacking, raised.rising - task.velocity @ normal, g.k_put_down)
            wishes.append(accelerate_along(task, normal, down, g.w_rest_down))
        return wishes

    def _swing(
        self,
        step: int,
        following: Following,
        dynamics: DynamicsState,
        soles: Soles,
        off: Floats,
        foothold: Floats,
        surface: Surface,
    ) -> list[Objective]:
        g, row = self._gains, following.row
        wishes = []
        for side in np.flatnonzero(~soles.stands):
            link = self._motion.feet[side : side + 1]
            offset, drifting = np.zeros(3), np.zeros(3)
            if not following.steered[side]:
                offset, drifting = self._step(step, row, int(side), off, foothold, surface)
            place = dynamics.origins[link]
            task = dynamics.point_jacobian(link, place)
            wanted = row.foot_accelerations[side] + spring(
                row.foot_places[side] + offset - place,
                row.foot_velocities[side] + drifting - task.velocity,
                g.k_swing,
            )
            wishes.append(accelerate(task, wanted, g.w_swing))
            task = dynamics.rotation_jacobian(link)
            turn = row.foot_turns[side] @ dynamics.R_world_link[link[0]].T
            wanted = spring(rotations.log(rotations.from_matrix(turn)), row.foot_spins[side] - task.velocity, g.k_swing)
            wishes.append(accelerate(task, wanted, g.w_swing_turn))
        return wishes

    def _step(
        self, step: int, row: Row, side: int, off: Floats, foothold: Floats, surface: Surface
    ) -> tuple[Floats, Floats]:
        """How far beside its reference a foot is to be that swings from one foothold to the next, and how fast so."""
        until, since = row.until_landing[side], row.since_leaving[side]
        left = off[FEET[side]]
        if until == 0.0 or not np.isfinite(until):  # to be put down right here, or never
            return left, np.zeros(3)
        landing = np.zeros(3)
        if self._gains.steps:
            landing = self._variation.steps * self._balance_plan.landing(step // self.tick, side, off) + foothold
            apart = landing - off[0]
            length = float(np.linalg.norm(apart))
            landing = off[0] + apart * min(1.0, self._gains.farthest_step_m / max(length, 1e-9))
            landing = kept_on(surface, self._landing_soles(step, until, side), landing)
        if not np.isfinite(since):
            return landing, np.zeros(3)
        whole = since + until
        share = since / whole
        eased, rate = share**2 * (3.0 - 2.0 * share), 6.0 * share * (1.0 - share) / whole
        return left + eased * (landing - left), rate * (landing - left)

    def _landing_soles(self, step: int, until_s: float, side: int) -> Floats:
        """(P, 3) of a foot, where it is to land."""
        landing = min(step + round(until_s * self._reference.rate), len(self._reference) - 1)
        soles: Floats = self._motion.soles[landing, self._body.soles.left == (side == 0)]
        return soles

    def _under_feet(self, row: Row, soles: Soles, dynamics: DynamicsState, surface: Surface) -> list[_Force]:
        """A foot that has just landed, or is about to leave, bears little: its force ramps."""
        if not soles.bearing.any():
            return []
        points = soles.borne[soles.bearing]
        J = dynamics.point_jacobian(self._body.soles.links[soles.bearing], points).J
        g, weight = self._gains, self._body.mass * self._scene.gravity
        from_edge_s = np.minimum(self._stood_s, row.until_leaving)
        most = np.where(from_edge_s > g.ramp_s, np.inf, weight * (_RAMP_FROM + _RAMP_TO * from_edge_s / g.ramp_s))
        foot = np.where(self._body.soles.left, 0, 1)[soles.bearing]
        edges = _cones(self._footings.under(points, surface), J)
        return [_Force(edges, np.repeat(most[foot], FACETS))]

    def _under_others(self, dynamics: DynamicsState, others: Others, surface: Surface) -> list[_Force]:
        """Hands, knees and whatever else touches bear as they can."""
        if not len(others.links):
            return []
        J = dynamics.point_jacobian(others.links, others.points).J
        edges = _cones(self._footings.under(others.points, surface), J)
        return [_Force(edges, np.full(len(edges), np.inf))]

    def _along(self, vectors: Floats) -> Floats:
        normal = self._scene.ground.normal
        along: Floats = vectors - (vectors @ normal)[..., None] * normal
        return along

    def _pushes(self, forces: list[_Force], assist: Assist) -> Pushes:
        edges = np.concatenate([np.zeros((0, self._body.nv)), *(force.edges for force in forces)])
        limit = np.concatenate([np.zeros(0), *(force.limit for force in forces)])
        return Pushes(edges, limit, assist.rows, assist.limit, self._gains.assist_cost)

    def _bounds(self, state: State) -> Bounds:
        limit = self._body.torque_limit
        if not self._gains.joint_limits:
            return Bounds(-limit, limit, np.zeros((0, self._body.nv)), np.zeros(0), np.zeros(0))
        return Bounds(-limit, limit, *self._limits.bounds(state.q, state.v))


def _cones(under: Footing, J: Floats) -> Floats:
    """(K E, nv) the generalised force of a unit of every cone edge at points with Jacobians (K, 3, nv)."""
    return (under.edges @ J).reshape(-1, J.shape[-1])
