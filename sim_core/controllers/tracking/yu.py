"""Yu's balance control as published: "Balance Control via Adjusting CoM and CoP Reference Trajectories".

The centre of mass is to follow a reference that the feet carry, the centre of pressure an inverted pendulum. Together
they say how momentum is to change, and one linear system finds the joint velocities that do so and track the motion.

The paper leaves the velocities to ODE's velocity motors, which find torques and contact forces together. Here the
ground's forces are the friction-cone forces nearest to the wanted change of momentum; from them follow the torques that
reach the velocities in one control step. What the paper does not give was chosen by trial on standing and three walks.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack

from ...arrays import Floats, Ints
from ...body.body import Body
from ...dynamics.contact_fit import ContactFit, fit_contacts
from ...dynamics.dynamics import Dynamics
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.spatial import ANGULAR, LINEAR
from ...dynamics.state_space import difference
from ...engines.engine import ROOT_DOFS, Contacts, State, Wrench
from ...reference.reference import Reference
from ...rotations import cross
from ...scene import Scene
from ..controller import Command, assist_size
from ..whole_runs import WholeRuns
from .objectives import spring
from .tracked_motion import track_motion
from .yu_references import (
    AdjustedCom,
    Aim,
    ComChoice,
    Load,
    LoadMeter,
    cop_reference,
    locked_inertia,
    support_centre,
    within_support,
)
from .yu_velocities import Goal, Weights, best_velocities, linear_system

_HORIZONTAL: Floats = np.array([1.0, 1.0, 0.0])


@dataclass(frozen=True, kw_only=True)
class YuGains:
    """Of the paper: control_s (figure 4.1), k_joints and d_joints (section 4.3); it is silent on the others."""

    com: ComChoice = "adjusted"  # section 4.1 compares these three
    control_s: float = 0.016  # the step over which accelerations become velocities; the paper's 0.017 s
    tick_s: float = 0.004  # between two decisions; the paper's engine takes no shorter steps than control_s
    k_joints: float = 15.0  # k_t [1/s^2]
    d_joints: float = 8.0  # d_t [1/s]
    k_com: float = 40.0  # k_l [1/s^2]
    d_com: float = 12.6  # d_l [1/s]
    k_cop: float = 1000.0  # k_h [1/s^2]
    d_cop: float = 63.0  # d_h [1/s]
    w_linear: float = 0.1  # beta_l
    w_angular: float = 0.01  # beta_h
    w_joints: float = 1.0  # beta_t
    # W_t of ankles and toes, which give way to the ground (section 3.4.3). With 1, what stops a foot that rocks by a
    # millimetre is asked of the whole body: standing on one leg was lost after 4 s, and with this kept for 9 s.
    ankles: float = 0.03
    pelvis: float = 1.0  # W_t of the pelvis' turn and height
    path: float = 0.03  # W_t of the pelvis' place, which is the momentum's to choose
    motor_rad_s: float = 1.0  # a joint that is off its velocity by this much is driven with all its strength
    near_m: float = 0.01  # a sole point this low can bear
    k_assist: float = 100.0  # [1/s^2] of the pelvis, where help is allowed


class _Stand(NamedTuple):
    """What the body stands on."""

    links: Ints  # (K,)
    points: Floats  # (K, 3) under the feet, in the world
    J: Floats  # (3 K, nv) of them
    felt: Floats  # (nv,) generalised force of all that touches beside them, as last felt


class _Drive(NamedTuple):
    """What the motors do until the next decision."""

    step: int
    v: Floats  # (nv,) at that step
    accelerations: Floats  # (nv,)
    torques: Floats  # (nv,) that bring them about
    forces: Floats  # (nv,) of all that acts beside the motors
    softened: Floats  # (nv, nv) lower Cholesky factor of M + damping x step
    assist: Wrench | None


class YuController(WholeRuns):
    solve_count = None  # there is no QP in it

    def __init__(
        self,
        body: Body,
        reference: Reference,
        scene: Scene,
        gains: YuGains,
        assist_limit: float,  # of assist_size [N]
        *,
        stiffness: float = 1.0,
    ) -> None:
        self._body, self._reference, self._scene, self._gains = body, reference, scene, gains
        self._dynamics = Dynamics(body, scene.gravity)
        self._motion = track_motion(body, reference, scene)
        self._tick = max(1, round(gains.tick_s * reference.rate))
        self._k_joints, self._d_joints = stiffness * gains.k_joints, np.sqrt(stiffness) * gains.d_joints
        self._weights = Weights(gains.w_linear, gains.w_angular, gains.w_joints * _emphasis(body, gains) ** 2)
        self._weight = body.mass * scene.gravity
        self._foot_masses = np.array(
            [body.masses[np.unique(body.soles.links[side])].sum() for side in (body.soles.left, ~body.soles.left)]
        )
        self._hips = np.array([body.index("thigh_l"), body.index("thigh_r")])
        self._damping = body.torque_limit / gains.motor_rad_s
        self._assist_limit = assist_limit
        self._meter = LoadMeter(body, scene.ground, max(1, round(gains.control_s * reference.rate)))
        self._adjusted = AdjustedCom(self._motion, 1e-3 * self._weight)
        self.reset()

    def reset(self) -> None:
        self._meter.reset()
        self._adjusted.reset()
        self._drive: _Drive | None = None
        self._cop: Floats | None = None
        self._cop_aim: Floats | None = None

    def compute(self, step: int, state: State, contacts: Contacts) -> Command:
        row = min(step, len(self._reference) - 1)
        self._meter.add(contacts)
        if self._drive is None or step % self._tick == 0:
            self._drive = self._decide(step, row, state, contacts)
        limit = self._body.torque_limit  # zero for the root
        return Command(np.clip(self._motor_torques(self._drive, step, state), -limit, limit), self._drive.assist)

    def _motor_torques(self, drive: _Drive, step: int, state: State) -> Floats:
        """Implicit, as ODE's motors: damping acts on the speed that it brings about (Tan, Liu, Turk 2011, eq. 9)."""
        step_s = 1.0 / self._reference.rate
        target = drive.v + drive.accelerations * ((step + 1 - drive.step) * step_s)
        wanted = drive.torques + self._damping * (target - state.v)
        ahead, _ = lapack.dpotrs(drive.softened, wanted + drive.forces, lower=True)
        torques: Floats = wanted - self._damping * step_s * ahead
        return torques

    def _decide(self, step: int, row: int, state: State, contacts: Contacts) -> _Drive:
        dynamics = self._dynamics.evaluate(state.q, state.v)
        stand = self._stand(row, dynamics, contacts)
        goal = self._goal(row, state, dynamics, stand)
        velocities = best_velocities(linear_system(dynamics, goal, self._weights), stand.J)
        accelerations = (velocities - state.v) / self._gains.control_s
        return self._reach(step, row, state, dynamics, stand, accelerations)

    def _stand(self, row: int, dynamics: DynamicsState, contacts: Contacts) -> _Stand:
        """The supports are sole points near the ground, of feet that the reference puts down too."""
        body, down = self._body, self._reference.contacts.feet[row]
        points = dynamics.points(body.soles.links, body.soles.local)
        bears = (self._scene.ground.distance(points) < self._gains.near_m) & down[np.where(body.soles.left, 0, 1)]
        links, points = body.soles.links[bears], points[bears]
        held = np.zeros((0, body.nv))
        if len(points):
            held = dynamics.point_jacobian(links, points).J.reshape(-1, body.nv)
        beside = ~np.isin(contacts.links, links)
        felt = dynamics.generalised_force(contacts.links[beside], contacts.positions[beside], contacts.forces[beside])
        return _Stand(links, points, held, felt)

    def _goal(self, row: int, state: State, dynamics: DynamicsState, stand: _Stand) -> Goal:
        g, seconds = self._gains, self._gains.control_s
        load = self._meter.read()
        aim = self._com_aim(row, dynamics, stand, load)
        acceleration: Floats = _HORIZONTAL * (
            g.k_com * (aim.place - dynamics.com) + g.d_com * (aim.velocity - dynamics.com_velocity)
        )  # eq. 3.13
        linear = dynamics.momentum[LINEAR] + dynamics.mass * acceleration * seconds  # eq. 3.14
        angular = dynamics.momentum[ANGULAR]
        if len(stand.points):
            pressed_at = self._wanted_cop(acceleration, dynamics, stand, load)
            force = dynamics.mass * acceleration
            force[2] += self._weight
            angular = angular + seconds * cross(pressed_at - dynamics.com, force)  # eq. 3.20, 3.21
        error = difference(self._body, self._reference.q[row], state.q)
        error[:3] += _HORIZONTAL * (aim.place - self._reference.com[row])  # the feet carry the pelvis along as well
        wanted = (
            self._k_joints * error + self._d_joints * (self._reference.v[row] - state.v) + self._reference.a[row]
        )  # eq. 3.26
        return Goal(linear[:2], angular, state.v + wanted * seconds)

    def _com_aim(self, row: int, dynamics: DynamicsState, stand: _Stand, load: Load) -> Aim:
        if self._gains.com == "raw":
            return Aim(self._reference.com[row], self._reference.com_velocity[row])  # eq. 3.1
        if self._gains.com == "support-centre":
            return support_centre(dynamics.com, stand.points)
        feet = dynamics.origins[self._motion.feet]
        velocities = dynamics.point_jacobian(self._motion.feet, feet).velocity
        return self._adjusted.aim(row, feet, velocities, load.feet)

    def _wanted_cop(self, acceleration: Floats, dynamics: DynamicsState, stand: _Stand, load: Load) -> Floats:
        """(3,) where the centre of pressure is to be a control step from now: eq. 3.19, integrated."""
        g, seconds = self._gains, self._gains.control_s
        hips = dynamics.origins[self._hips]
        aim = within_support(
            cop_reference(
                dynamics,
                acceleration,
                to_left=hips[0] - hips[1],
                ankle=dynamics.origins[self._motion.feet[int(np.argmax(load.feet))]],
                weight=self._weight - self._scene.gravity * float(self._foot_masses[load.feet > 0.0].sum()),
            ),
            stand.points,
            self._scene.ground,
        )
        tick_s = self._tick / self._reference.rate
        cop = aim if load.cop is None else load.cop
        aim_velocity = np.zeros(3) if self._cop_aim is None else (aim - self._cop_aim) / tick_s
        velocity = np.zeros(3) if self._cop is None or load.cop is None else (cop - self._cop) / tick_s
        self._cop, self._cop_aim = load.cop, aim
        pull = g.k_cop * (aim - cop) + g.d_cop * (aim_velocity - velocity)
        wanted: Floats = cop + (velocity + pull * seconds) * seconds
        return wanted

    def _reach(
        self, step: int, row: int, state: State, dynamics: DynamicsState, stand: _Stand, accelerations: Floats
    ) -> _Drive:
        """The torques that turn the joints so, with what the ground gives and what help may come."""
        rate = dynamics.momentum_matrix @ accelerations + dynamics.momentum_drift
        rate[2] += self._weight
        fit = fit_contacts(
            rate[LINEAR],
            rate[ANGULAR],
            dynamics.com,
            stand.points,
            np.ones(len(stand.points), dtype=bool),
            self._weight,
            self._scene,
        )
        given = stand.felt + dynamics.generalised_force(stand.links, stand.points, fit.forces)
        assist = self._assist(row, state, dynamics, fit)
        if assist is not None:
            given[:3] += assist.force
            given[3:ROOT_DOFS] += dynamics.R_world_link[0].T @ assist.torque
        reached = accelerations.copy()
        M, root = dynamics.M, slice(0, ROOT_DOFS)
        reached[root] = np.linalg.solve(
            M[root, root], (given - dynamics.bias)[root] - M[root, ROOT_DOFS:] @ accelerations[ROOT_DOFS:]
        )
        torques = M @ reached + dynamics.bias - given
        torques[root] = 0.0  # but for rounding they are
        softened, _ = lapack.dpotrf(M + np.diag(self._damping / self._reference.rate), lower=True)
        return _Drive(step, state.v, reached, torques, given - dynamics.bias, softened, assist)

    def _assist(self, row: int, state: State, dynamics: DynamicsState, fit: ContactFit) -> Wrench | None:
        """What the ground cannot give, and a pull on the pelvis to its path, both within the limit."""
        if self._assist_limit <= 0.0:
            return None
        error = difference(self._body, self._reference.q[row], state.q)[:ROOT_DOFS]
        pull = spring(error, (self._reference.v[row] - state.v)[:ROOT_DOFS], self._gains.k_assist)
        force = fit.force_left + dynamics.mass * pull[:3]
        torque = fit.torque_left + cross(dynamics.com - state.q[:3], fit.force_left)
        torque = torque + locked_inertia(dynamics) @ dynamics.R_world_link[0] @ pull[3:]
        share = min(1.0, self._assist_limit / max(float(assist_size(force, torque)), 1e-9))
        return Wrench(link=0, force=share * force, torque=share * torque, point=state.q[:3])


def _emphasis(body: Body, gains: YuGains) -> Floats:
    """(nv,) the diagonal of W_t, eq. 3.27."""
    emphasis = np.ones(body.nv)
    emphasis[:2], emphasis[2:ROOT_DOFS] = gains.path, gains.pelvis
    for link in np.unique(body.soles.links):
        emphasis[body.v_slice[body.links[link].name]] = gains.ankles
    return emphasis
