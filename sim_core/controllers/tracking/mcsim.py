"""McSim as published: da Silva, Abe, Popovic 2008, "Simulation of Human Motion Data using Short-Horizon
Model-Predictive Control"; equation numbers are those of da Silva's thesis of the same name.

Every joint and the root follow the reference's accelerations; nothing anchors the motion to the ground, places feet or
guides the centre of mass, unless a balance strategy of the thesis's chapter 5 is chosen.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from ... import rotations
from ...arrays import Bools, Floats
from ...body.body import Body
from ...dynamics.contact_fit import cone_edges
from ...dynamics.dynamics_state import DynamicsState, TaskJacobian
from ...dynamics.state_space import difference
from ...engines.engine import GROUND, Contacts, State
from ...reference.reference import Reference
from ...scene import Scene
from ...settings import BalanceName
from ..whole_runs import WholeRuns
from .full_state_feedback import FullStateFeedback, FullStateGains
from .mcsim_pd import McSimPd
from .objectives import JointObjective, Objective, accelerate, spring
from .three_link_balance import ThreeLinkBalance, ThreeLinkGains
from .tracker import Assist, Plan
from .whole_body_qp import Bounds, Problem, Pushes

_FACETS = 4  # of a friction cone, section 3.1.3
_ROOT_TRANSLATION = slice(0, 3)


@dataclass(frozen=True, kw_only=True)
class McSimGains:
    """The published parameters; of those below the first three the papers give no values."""

    k_os: float = 1000.0  # [1/s^2] of eq. 3.4; 300 to 2000 typically work, Table A.1
    pd_scale: float = (
        0.05  # k of Table A.1 (of its march, which is in 3D) on the joints' stiffnesses; 0.005 to 0.5 work
    )
    solves_per_s: float = 100.0  # 40 to 100, figure 1-2

    swing_hip_distance: float = 0.0  # [rad/m] c_d of eq. 3.11, which the papers use for some planar motions only
    swing_hip_velocity: float = 0.0  # [rad s/m] c_v
    touching_m: float = 0.001  # a sole point this near to the ground touches, where no contact of the engine is known
    # Eq. 3.7e is an equality. The corners of a foot that turns cannot all be without acceleration, so it is met as
    # nearly as can be: so heavy a weight leaves an error of thousandths where an exact solution exists.
    no_slip_weight: float = 1e5
    assist_cost: float = 1e-4
    full_state: FullStateGains = field(default_factory=FullStateGains)
    three_link: ThreeLinkGains = field(default_factory=ThreeLinkGains)

    def stiffer(self, factor: float) -> "McSimGains":
        """Both gains of the joints scaled; their dampings go with them."""
        return replace(self, k_os=factor * self.k_os, pd_scale=factor * self.pd_scale)


class McSim(WholeRuns):
    """The preset; `body` and `scene` are what the controller believes, whatever is simulated."""

    def __init__(
        self, body: Body, reference: Reference, scene: Scene, gains: McSimGains, balance: BalanceName = "none"
    ) -> None:
        self.tick = max(1, round(reference.rate / gains.solves_per_s))
        self._body, self._scene, self._gains, self._reference = body, scene, gains, reference
        self._edges = cone_edges(scene.ground.normal, scene.friction, _FACETS)
        self._pd = McSimPd(body, gains.pd_scale, 1.0 / reference.rate)
        self._thighs = np.array([body.index("thigh" + side) for side in ("_l", "_r")])
        self._steered = gains.swing_hip_distance != 0.0 or gains.swing_hip_velocity != 0.0
        self._steering = np.zeros(body.nv)
        self._feedback = (
            FullStateFeedback(body, reference, scene.gravity, gains.full_state) if balance == "full-state" else None
        )
        self._three_link = (
            ThreeLinkBalance(body, reference, scene, gains.three_link, self.tick / reference.rate)
            if balance == "three-link"
            else None
        )

    def reset(self) -> None:
        self._steering = np.zeros(self._body.nv)

    def hold(self, plan: Plan, step: int, state: State) -> Floats:
        """Eq. 3.1: the predicted forces are kept between solves, and the PD component comes on top at every step."""
        return plan.solution.torques + self._pd.torques(plan, state, self._error(step, state), self._reference.v[step])

    def problem(self, step: int, state: State, dynamics: DynamicsState, contacts: Contacts, assist: Assist) -> Problem:
        """Eq. 3.7a to 3.7e."""
        soles = dynamics.points(self._body.soles.links, self._body.soles.local)
        touching = self._scene.ground.distance(soles) < self._gains.touching_m
        if self._steered:
            self._steering = self._swing_hip(state, dynamics, soles, touching)
        task = self._contact_points(dynamics, contacts, soles, touching)
        wishes = [self._no_slip(task)]
        joints = JointObjective(np.ones(self._body.nv), self._wanted(step, state))
        if self._feedback is not None:
            wishes.append(self._full_state(step, state, dynamics))
            joints = JointObjective(
                np.full(self._body.nv, self._gains.full_state.follow_weight), self._reference.a[step]
            )
        if self._three_link is not None:
            wishes += self._three_link.objectives(step, dynamics, touching)
        limit = self._body.torque_limit  # U of eq. 3.7c
        return Problem(
            wishes,
            joints,
            self._pushes(task, assist),
            [],
            Bounds(-limit, limit, np.zeros((0, self._body.nv)), np.zeros(0), np.zeros(0)),
        )

    def _error(self, step: int, state: State) -> Floats:
        """d(q_r, q) of eq. 3.4, with the swing hip's target moved as eq. 3.11 says."""
        return difference(self._body, self._reference.q[step], state.q) + self._steering

    def _wanted(self, step: int, state: State) -> Floats:
        """(nv,) the desired accelerations of eq. 3.4."""
        error, velocity_error = self._error(step, state), self._reference.v[step] - state.v
        error[_ROOT_TRANSLATION] = 0.0  # k_os = 0 for the root's translation, whose velocity is corrected all the same
        wanted: Floats = self._reference.a[step] + spring(error, velocity_error, self._gains.k_os)
        return wanted

    def _full_state(self, step: int, state: State, dynamics: DynamicsState) -> Objective:
        """Section 5.2: the force of the regulator on top of that of the reference's accelerations, M qdd = M a + u."""
        assert self._feedback is not None
        force = self._feedback.force(step, self._error(step, state), self._reference.v[step] - state.v)
        return Objective(dynamics.M, dynamics.M @ self._reference.a[step] + force, self._gains.full_state.force_weight)

    def _contact_points(
        self, dynamics: DynamicsState, contacts: Contacts, soles: Floats, touching: Bools
    ) -> TaskJacobian | None:
        """The contact state of the simulation (section 4.4): what touches, whatever the reference says.

        An engine that has just started knows of no contact; then soles on the ground are what touches.
        """
        ground = contacts.others == GROUND
        links, points = contacts.links[ground], contacts.positions[ground]
        if not len(links):
            links, points = self._body.soles.links[touching], soles[touching]
        return dynamics.point_jacobian(links, points) if len(links) else None

    def _no_slip(self, task: TaskJacobian | None) -> Objective:
        """Eq. 3.5: contacts do not accelerate."""
        if task is None:
            return Objective(np.zeros((0, self._body.nv)), np.zeros(0), 1.0)
        return accelerate(task, np.zeros_like(task.drift), self._gains.no_slip_weight)

    def _pushes(self, task: TaskJacobian | None, assist: Assist) -> Pushes:
        """Eq. 3.7b and 3.7d: non-negative amounts of the edges V of every contact's friction cone."""
        nv = self._body.nv
        edges = np.zeros((0, nv)) if task is None else (self._edges @ task.J).reshape(-1, nv)
        return Pushes(edges, np.full(len(edges), np.inf), assist.rows, assist.limit, self._gains.assist_cost)

    def _swing_hip(self, state: State, dynamics: DynamicsState, soles: Floats, touching: Bools) -> Floats:
        """(nv,) by how much the swing hip's target turns, eq. 3.11, in every upright plane alike; none on both feet."""
        steering = np.zeros(self._body.nv)
        down = np.array([touching[self._body.soles.left].any(), touching[~self._body.soles.left].any()])
        if down.all() or not down.any():
            return steering
        support = soles[self._body.soles.left == down[0]].mean(axis=0)
        normal = self._scene.ground.normal
        lean = self._gains.swing_hip_distance * (dynamics.root - support) + self._gains.swing_hip_velocity * state.v[:3]
        thigh = int(self._thighs[~down][0])
        turn = -rotations.cross(normal, lean)  # takes a hanging leg to where the body goes
        steering[self._body.v_slice[self._body.names[thigh]]] = dynamics.R_world_link[thigh].T @ turn
        return steering
