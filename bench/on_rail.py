"""A controller with its body on a rail: free to walk, sink and pitch, held across its path, as a planar model is."""

import numpy as np

from sim_core import rotations
from sim_core.arrays import Floats
from sim_core.constants import GRAVITY
from sim_core.controllers.controller import Command, Controller, SolveCount
from sim_core.controllers.whole_runs import WholeRuns
from sim_core.engines.engine import Contacts, State, Wrench
from sim_core.reference.reference import Reference

_ACROSS, _ACROSS_DAMPED = 100.0, 20.0  # [1/s^2, 1/s] on the whole mass
_TURN, _TURN_DAMPED = 600.0, 30.0  # [N m/rad, N m s/rad] stiffer ones shake the light pelvis at steps of 2 ms
_STRONGEST_TURN = 300.0  # [N m]


class OnRail(WholeRuns):
    """Adds a wrench on the pelvis towards the reference, but none along the path, upwards, or in pitch.

    The controller inside does not know of it. It is recorded as assist.
    """

    def __init__(self, controller: Controller, reference: Reference, mass: float) -> None:
        self._controller, self._reference, self._mass = controller, reference, mass
        path = reference.q[reference.clip_steps - 1, :2] - reference.q[0, :2]
        self._across = np.array([-path[1], path[0], 0.0]) / np.linalg.norm(path)

    @property
    def solve_count(self) -> SolveCount | None:
        return self._controller.solve_count

    def reset(self) -> None:
        self._controller.reset()

    def compute(self, step: int, state: State, contacts: Contacts) -> Command:
        command = self._controller.compute(step, state, contacts)
        return Command(command.torques, self._wrench(self._reference.q[step], self._reference.v[step], state))

    def _wrench(self, q: Floats, v: Floats, state: State) -> Wrench:
        across, weight = self._across, self._mass * GRAVITY
        pull = self._mass * (_ACROSS * (q[:3] - state.q[:3]) + _ACROSS_DAMPED * (v[:3] - state.v[:3])) @ across
        wanted, here = rotations.to_matrix(q[3:7]), rotations.to_matrix(state.q[3:7])
        error = rotations.log(rotations.from_matrix(wanted @ here.T))
        torque = _TURN * error + _TURN_DAMPED * (wanted @ v[3:6] - here @ state.v[3:6])
        torque = np.clip(torque - (torque @ across) * across, -_STRONGEST_TURN, _STRONGEST_TURN)
        return Wrench(0, np.clip(pull, -weight, weight) * across, torque, state.q[:3])
