"""The tracking controller: a preset says what the next moment should do, a QP finds how, a PD holds it in between."""

import time
from typing import NamedTuple, Protocol

import numpy as np
from scipy.linalg import lapack

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics import Dynamics
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.state_space import difference, integrate
from ...engines.engine import ROOT_DOFS, Contacts, State, Wrench
from ...scene import Scene
from ..controller import Command, SolveCount
from ..variation import Variation
from .whole_body_qp import Problem, Pushes, Solution, solve_whole_body


class Preset(Protocol):
    """What a published system, or our own, wants of the next moment."""

    tick: int  # physics steps between two solves
    resumable: bool  # see Controller

    def reset(self) -> None:
        """Forget everything that earlier steps left behind."""

    def vary(self, variation: Variation) -> None:
        """From the next solve on; who is not resumable need not heed it."""

    def memory(self) -> object:
        """All that later solves depend on besides the state."""

    def recall(self, memory: object) -> None: ...

    def row(self, step: int) -> int:
        """See Controller."""

    @property
    def displacement(self) -> Floats:
        """See Controller."""

    def resume(self, row: int, displaced: Floats) -> None: ...

    def problem(
        self, step: int, state: State, dynamics: DynamicsState, contacts: Contacts, assist: "Assist"
    ) -> Problem:
        """The QP of this moment."""

    def hold(self, plan: "Plan", step: int, state: State) -> Floats:
        """(nv,) torques between two solves."""


class Plan(NamedTuple):
    """What the last solve decided, and the state it decided it in."""

    step: int
    q: Floats
    v: Floats
    solution: Solution
    stiffness: Floats  # (nv,) torque that accelerates each dof by one, all others free: 1 / diag(M^-1)
    assist: Wrench | None


class _Memory(NamedTuple):
    plan: Plan | None
    preset: object


class Assist(NamedTuple):
    """The pelvis wrench that the QP may use: rows of generalised force, and how much of each."""

    rows: Floats  # (A, nv) A is 6, or 0 where no help is allowed
    limit: Floats  # (A,)


class Tracker:
    def __init__(self, body: Body, scene: Scene, preset: Preset, assist_limit: float, rate: float) -> None:
        self._body = body
        self._dynamics = Dynamics(body, scene.gravity)
        self._preset = preset
        self._assist_limit = assist_limit
        self._rate = rate
        self.reset()

    def reset(self) -> None:
        self._preset.reset()
        self._plan: Plan | None = None
        self._solves = self._failed = 0
        self._seconds = 0.0

    @property
    def resumable(self) -> bool:
        return self._preset.resumable

    def adjust(self, variation: Variation, assist_limit: float) -> None:
        self._preset.vary(variation)
        self._assist_limit = assist_limit

    def memory(self) -> object:
        return _Memory(self._plan, self._preset.memory())

    def recall(self, memory: object) -> None:
        assert isinstance(memory, _Memory)
        self.reset()
        self._plan = memory.plan
        self._preset.recall(memory.preset)

    @property
    def displacement(self) -> Floats:
        return self._preset.displacement

    def row(self, step: int) -> int:
        return self._preset.row(step)

    def resume(self, row: int, displaced: Floats) -> None:
        self._preset.resume(row, displaced)

    @property
    def solve_count(self) -> SolveCount:
        return SolveCount(self._solves, self._failed, self._seconds)

    def compute(self, step: int, state: State, contacts: Contacts) -> Command:
        if self._plan is None or step % self._preset.tick == 0:
            self._plan = self._solved(step, state, contacts)
        torques = self._preset.hold(self._plan, step, state)
        torques[:ROOT_DOFS] = 0.0
        limit = self._body.torque_limit
        return Command(np.clip(torques, -limit, limit), self._plan.assist)

    def _solved(self, step: int, state: State, contacts: Contacts) -> Plan:
        dynamics = self._dynamics.evaluate(state.q, state.v)
        began = time.perf_counter()
        allowed = self._assist(dynamics)
        problem = self._preset.problem(step, state, dynamics, contacts, allowed)
        solution = solve_whole_body(dynamics, problem)
        self._seconds += time.perf_counter() - began
        self._solves += 1
        if solution is None:
            self._failed += 1
            solution = self._last_or_rest(problem.pushes)
        wrench = None
        if len(solution.assist):
            wrench = Wrench(link=0, force=solution.assist[:3], torque=solution.assist[3:], point=state.q[:3])
        return Plan(step, state.q, state.v, solution, _free_inertia(dynamics.M), wrench)

    def _last_or_rest(self, pushes: Pushes) -> Solution:
        """What the last solve found goes on where this one found nothing."""
        if self._plan is not None:
            return self._plan.solution
        still = np.zeros(self._body.nv)
        return Solution(still, still, np.zeros(len(pushes.edges)), np.zeros(len(pushes.assist)))

    def _assist(self, dynamics: DynamicsState) -> Assist:
        if self._assist_limit <= 0.0:
            return Assist(np.zeros((0, self._body.nv)), np.zeros(0))
        rows = np.zeros((6, self._body.nv))
        rows[:3, :3] = np.eye(3)
        rows[3:, 3:6] = dynamics.R_world_link[0]  # a torque in the world, on velocities in the root's frame
        # The size counts a force and a torque together; a box of these sides lies within that limit.
        return Assist(rows, np.full(6, 0.5 * self._assist_limit / np.sqrt(3.0)))


def predicted(body: Body, plan: Plan, seconds: float) -> State:
    """The state that the plan leads to, so long after it."""
    acceleration = plan.solution.accelerations
    q = integrate(body, plan.q, plan.v * seconds + 0.5 * acceleration * seconds**2)
    return State(q, plan.v + acceleration * seconds)


def towards(body: Body, plan: Plan, target: State, state: State, frequency: float) -> Floats:
    """(nv,) critically damped torques that bring the state to a target with this frequency [rad/s].

    Scaled by what each dof weighs alone: fixed gains explode on the light ends of limbs.
    """
    error = difference(body, target.q, state.q)
    torques: Floats = plan.stiffness * (frequency**2 * error + 2.0 * frequency * (target.v - state.v))
    return torques


def _free_inertia(M: Floats) -> Floats:
    factor, _ = lapack.dpotrf(M, lower=True)
    inverse, _ = lapack.dpotri(factor, lower=True)
    return 1.0 / np.diag(inverse)
