"""The second controller: no QP, but virtual forces, stable PD, and feet that do not topple.

After da Silva, Nunes, Vidal, Cavalcante-Neto, Kry and Zordan 2017, "Tunable Robustness". Beyond the paper: the
reference's own accelerations are fed forward, hands and knees bear where the clip has them bear, and support comes and
goes in ramps.
"""

from typing import NamedTuple

import numpy as np

from ... import rotations
from ...arrays import Bools, Floats
from ...body.body import Body
from ...dynamics import kinematics
from ...dynamics.dynamics import Dynamics
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.state_space import integrate
from ...engines.engine import ROOT_DOFS, Contacts, State, Wrench
from ...reference.reference import Reference
from ...scene import Scene
from ...settings import VaSettings
from ..controller import Command
from ..tracking.footing import Footings
from ..tracking.heft_aims import aims_of, character_axes
from ..tracking.row import Row, row_at
from ..tracking.stance import feet_on_loose, soles_of
from ..tracking.tracked_motion import track_motion
from ..variation import AS_IT_IS, Variation
from .level_links import levelling
from .pose_control import PoseControl
from .standing_pose import PoseAim, StandingPose
from .supervisor import Supervisor, SupervisorMemory
from .supports import Borne, Supports, generalised, shared_out, whole_body_torque
from .swing_leg import SwingLeg
from .topple_free_foot import FootMemory, Hold, ToppleFreeFoot
from .va_gains import VaGains
from .virtual_wrench import Aim, towards_step, virtual_wrench

_COMES_TO_REST_S = 0.2
_TICK = 5  # physics steps between two looks at the whole body


class _Memory(NamedTuple):
    anchor: Floats
    falls: bool
    supervisor: SupervisorMemory
    feet: FootMemory


class _Plan(NamedTuple):
    """What the last tick decided."""

    aim: PoseAim
    torques: Floats  # (nv,) besides the pose's
    hold: Hold
    slippery: tuple[int, ...]


class VirtualActuators:
    solve_count = None
    resumable = True

    def __init__(
        self,
        body: Body,
        reference: Reference,
        scene: Scene,
        settings: VaSettings,
        gains: VaGains,
        assist_limit: float,  # of assist_size [N]
        *,
        has_reference: bool = True,
    ) -> None:
        self._body, self._reference, self._scene = body, reference, scene
        self._usual, self._has_reference = gains, has_reference
        self._dynamics = Dynamics(body, scene.gravity)
        self._motion = track_motion(body, reference, scene)
        moving = kinematics.motion(body, reference.q, reference.v)
        self._chest = body.index("chest")
        self._chest_turns = moving.pose.R_world_link[:, self._chest]
        self._chest_spins = moving.angular_velocities[:, self._chest]
        self._axes = character_axes(body, reference, scene)
        self._footings = Footings(scene, reference.rate, 1.0)
        self._loose = np.array([thing.loose is not None for thing in scene.things], dtype=bool)
        step_s = 1.0 / reference.rate
        self._tick_s = _TICK * step_s
        self._standing = StandingPose(body, self._motion, scene.ground.normal, _TICK)
        self._pose = PoseControl(body, step_s)
        self._supervisor = Supervisor(body, self._tick_s, has_reference=has_reference)
        self._foot = ToppleFreeFoot(body, settings, gains, step_s)
        self._swing = SwingLeg(body)
        self._mine = (body.soles.left, ~body.soles.left)
        self._foot_parts = [[int(link) for link in np.unique(body.soles.links[mine])] for mine in self._mine]
        self.adjust(AS_IT_IS, assist_limit)
        self.reset()

    def adjust(self, variation: Variation, assist_limit: float) -> None:
        self._variation, self._gains = variation, self._usual.varied(variation)
        self._lead = _TICK * round(variation.lead_s * self._reference.rate / _TICK)
        self._assist_limit = assist_limit

    def reset(self) -> None:
        self._anchor = np.zeros(3)
        self._falls = False
        self._plan: _Plan | None = None
        self._supervisor.reset()
        self._foot.reset()

    def memory(self) -> object:
        return _Memory(self._anchor, self._falls, self._supervisor.memory, self._foot.memory)

    def recall(self, memory: object) -> None:
        assert isinstance(memory, _Memory)
        self._anchor, self._falls = memory.anchor, memory.falls
        self._supervisor.memory, self._foot.memory = memory.supervisor, memory.feet
        self._plan = None

    @property
    def displacement(self) -> Floats:
        return self._anchor

    def row(self, step: int) -> int:
        return step

    def resume(self, row: int, displaced: Floats) -> None:
        self._anchor = displaced

    def compute(self, step: int, state: State, contacts: Contacts) -> Command:
        last = len(self._reference) - 1
        at = min(max(step + self._lead, 0), last)
        if self._plan is None or step % _TICK == 0:
            self._plan = self._decided(at, state, contacts)
            self._pose.begin(*self._plan.aim, state)
        plan, target = self._plan, min(at + 1, last)
        torques = plan.torques + self._pose.torques(state)
        limit = self._body.torque_limit
        torques = np.clip(torques, -limit, limit)
        steadied = self._foot.steadied(torques, plan.hold)
        return Command(
            np.clip(steadied.torques, -limit, limit), self._assist(target, state), steadied.foot_torques, plan.slippery
        )

    def _decided(self, step: int, state: State, contacts: Contacts) -> _Plan:
        gains, normal = self._gains, self._scene.ground.normal
        dynamics = self._dynamics.evaluate(state.q, state.v)
        # Who is held up does not give up.
        self._falls = (self._falls or self._foot.gives_up) and self._assist_limit <= 0.0
        self._pose.set_gains(gains, limp=self._falls)
        row = row_at(self._motion, step)
        surface = self._footings.surface(step)
        on_loose = feet_on_loose(self._body, contacts, self._loose)
        down = self._supervisor.feet_down(row, contacts, normal)
        anchored = row._replace(soles=row.soles + self._anchor, down=down)
        soles = soles_of(self._body, dynamics, surface, anchored, gains.near_m, on_loose)
        labels = self._reference.contacts.links[step]
        supports = self._supervisor.supports(self._motion.load_shares[step], labels, soles, dynamics, contacts, gains)
        self._re_anchor(row, soles.points, supports)
        flat = self._foot.flatness(surface.distance(row.soles))
        supports.levers[:2] *= np.maximum(flat, 0.01)
        self._pose.ease_ankles(supports.trust[:2] * flat, gains)
        self._pose.weigh(dynamics.M)
        borne = Borne(np.zeros((len(supports.links), 3)), np.zeros((len(supports.links), 3)))
        torques = dynamics.M @ row.a + dynamics.bias
        if not gains.gravity:
            torques -= whole_body_torque(dynamics, self._body.mass * self._scene.gravity * _UP, np.zeros(3))
        if supports.exist and not self._falls:
            aims = aims_of(self._axes[step], self._variation)
            left = self._clip_left(step)
            over = self._along(_middle(supports) - row.com - self._anchor)
            aim = Aim(
                row.com + self._anchor + aims.com + (1.0 - left) * over,
                left * (row.com_velocity + aims.com_velocity),
                row.angular_momentum + self._body.mass * aims.angular_momentum,
                self._chest_turns[step],
                self._chest_spins[step],
            )
            wish = virtual_wrench(aim, dynamics, self._chest, normal, gains)
            force = self._towards_step(wish.force, supports, dynamics, normal)
            torques = torques + whole_body_torque(dynamics, force, wish.torque)
            whole = _at_com(torques, dynamics)
            borne = shared_out(supports, dynamics.com, whole[:3], whole[3:], normal)
            borne = self._foot.bearable(dynamics, borne, normal, self._scene.friction)
            trusted = min(1.0, float(supports.trust.sum()))
            borne = Borne(trusted * borne.forces, trusted * borne.moments)
            torques = torques - generalised(dynamics, supports, borne)
        elif self._falls:
            torques = np.zeros(self._body.nv)
        torques = torques + self._stepping(row, supports, dynamics)
        levels, stiffness = self._reference.levels, gains.k_level * self._body.mass
        torques = torques + levelling(levels, step, self._body, dynamics, stiffness)
        torques[:ROOT_DOFS] = 0.0
        planned = np.maximum(borne.forces[:2] @ normal, 1.0)
        felt = np.clip(self._supervisor.loads(planned) / planned, 0.0, 1.0)
        really = np.maximum(felt, supports.trust[:2] ** 2)[:, None] * borne.forces[:2]
        hold = self._foot.hold(
            dynamics,
            really,
            supports.shares[:2],
            flat,
            normal,
            self._body.mass * self._scene.gravity,
            self._scene.friction,
        )
        pose_aim = self._aim(step, row, dynamics, supports.shares[:2] > 0.0)
        slides = self._reference.contacts.slides[step]
        slippery = tuple(link for parts, slips in zip(self._foot_parts, slides, strict=True) if slips for link in parts)
        return _Plan(pose_aim, torques, hold, slippery)

    def _aim(self, step: int, row: Row, dynamics: DynamicsState, stands: Bools) -> PoseAim:
        """Every other tick, and whenever a foot comes to stand or leaves: legs cost more than all else to bend."""
        before = self._plan
        if before is not None and step % (2 * _TICK) != 0 and np.array_equal(before.hold.stands, stands):
            q = integrate(self._body, before.aim.q, before.aim.v * self._tick_s)
            return PoseAim(q, before.aim.v)
        swung = np.array([self._anchor * (1.0 - self._gains.returns * _swung(row, side)) for side in range(2)])
        return self._standing.aim(step, row, dynamics, self._anchor, swung, stands)

    def _clip_left(self, step: int) -> float:
        """From 1 to 0 after the clip's last frame: from then on the body is to come to rest over its feet, as the paper
        has it without a reference (after eq. 8)."""
        over_s = (step - self._reference.clip_steps) / self._reference.rate
        return float(np.clip(1.0 - over_s / _COMES_TO_REST_S, 0.0, 1.0))

    def _towards_step(self, force: Floats, supports: Supports, dynamics: DynamicsState, normal: Floats) -> Floats:
        stands = supports.shares > 0.0
        if stands[:2].sum() != 1 or stands[2:].any():
            return force
        stance = int(np.argmax(stands[:2]))
        along = force - (force @ normal) * normal
        freed = towards_step(along, supports.points[stance], supports.points[1 - stance], dynamics.com, normal)
        return force + freed - along

    def _re_anchor(self, row: Row, soles: Floats, supports: Supports) -> None:
        """The reference goes along with the feet that stand (the paper's relative positions, eq. 8)."""
        shares = supports.trust[:2] * self._supervisor.loads(np.ones(2))
        if shares.sum() < 1e-6:
            return
        normal = self._scene.ground.normal
        beside = np.array([(soles[mine] - row.soles[mine]).mean(axis=0) for mine in self._mine])
        mean = shares @ beside / shares.sum()
        mean = mean - (mean @ normal) * normal
        keep = 0.5 ** (self._tick_s * float(supports.trust[:2].max()) / self._gains.anchor_s)
        self._anchor = mean + keep * (self._anchor - mean)

    def _stepping(self, row: Row, supports: Supports, dynamics: DynamicsState) -> Floats:
        """Feet that swing are drawn to where they go, and farther by what balance needs (eq. 16, of what is beside the
        reference)."""
        torques = np.zeros(self._body.nv)
        if self._falls:
            return torques
        gains, mass = self._gains, self._body.mass
        off = self._along(dynamics.com - row.com - self._anchor)
        drifting = self._along(dynamics.com_velocity - row.com_velocity)
        for side in np.flatnonzero(supports.shares[:2] <= 0.0):
            foot = self._motion.feet[side : side + 1]
            task = dynamics.point_jacobian(foot, dynamics.origins[foot])
            place = row.foot_places[side] + self._anchor * (1.0 - gains.returns * _swung(row, int(side)))
            force = gains.k_foot * (place - dynamics.origins[foot[0]])
            force = force + gains.d_foot * (row.foot_velocities[side] - task.velocity[0])
            if np.isfinite(row.until_landing[side]):
                force = force + gains.k_sp * off + gains.k_sd * drifting
            torques += self._swing.torques(int(side), task.J[0], mass * force)
        return torques

    def _along(self, vector: Floats) -> Floats:
        normal = self._scene.ground.normal
        along: Floats = vector - (vector @ normal) * normal
        return along

    def _assist(self, target: int, state: State) -> Wrench | None:
        if self._assist_limit <= 0.0:
            return None
        omega = 1.678 / self._gains.pelvis_half_life_s
        q, v = self._reference.q[target], self._reference.v[target]
        mass, turning = self._body.mass, self._body.mass * (0.25 * self._body.height) ** 2
        R = rotations.to_matrix(state.q[3:7])
        # After the last frame it brakes: a clip that ends in a run would carry the body on and on.
        left, off = self._clip_left(target), q[:3] + self._anchor - state.q[:3]
        off = off - (1.0 - left) * self._along(off)
        force = mass * (omega**2 * off + 2.0 * omega * (v[:3] - (1.0 - left) * self._along(v[:3]) - state.v[:3]))
        lean = R @ rotations.log(rotations.multiply(rotations.inverse(state.q[3:7]), q[3:7]))
        spin = R @ (v[3:6] - state.v[3:6])
        torque = turning * (omega**2 * lean + 2.0 * omega * spin)
        half = 0.5 * self._assist_limit
        return Wrench(0, _shortened(force, half), _shortened(torque, half), state.q[:3])


_UP = np.array([0.0, 0.0, 1.0])


def _middle(supports: Supports) -> Floats:
    """(3,) of all that bears: the paper's support point."""
    middle: Floats = supports.trust @ supports.points / supports.trust.sum()
    return middle


def _swung(row: Row, side: int) -> float:
    """How much of its way a foot has swung, from 0 to 1; none where it has no way."""
    since, until = row.since_leaving[side], row.until_landing[side]
    if not np.isfinite(since + until):
        return 0.0
    share = since / max(since + until, 1e-9)
    return float(share**2 * (3.0 - 2.0 * share))


def _shortened(vector: Floats, limit: float) -> Floats:
    length = float(np.linalg.norm(vector))
    return vector if length <= limit else vector * (limit / length)


def _at_com(torques: Floats, dynamics: DynamicsState) -> Floats:
    """(6,) force and torque about the centre of mass that the root's part of a generalised force stands for."""
    force = torques[:3]
    torque = dynamics.R_world_link[0] @ torques[3:6] - rotations.cross(dynamics.com - dynamics.root, force)
    return np.concatenate([force, torque])
