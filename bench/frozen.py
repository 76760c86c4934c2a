"""A body that holds its pose, whatever happens: what falls are measured against, beside one that goes limp."""

from collections.abc import Sequence

import numpy as np
from scipy.linalg import lapack

from sim_core.arrays import Floats
from sim_core.body.body import Body
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.state_space import difference
from sim_core.engines.engine import ROOT_DOFS, Contacts, State, make_engine
from sim_core.scene import Scene
from sim_core.settings import EngineName
from sim_core.simulation.impulses import peak_impulses
from sim_core.simulation.outside_forces import OutsideForce, OutsideForces
from sim_core.simulation.stretch import on_ground

_FULL_AT_RAD = 0.5  # from its pose: a joint pulls with all its strength
_DAMPING_S = 0.1
_WEIGHED_EVERY = 5  # steps
STEP_S = 0.002


class _Frozen:
    def __init__(self, body: Body, gravity: float, pose: Floats) -> None:
        self._body, self._pose, self._dynamics = body, pose, Dynamics(body, gravity)
        self._most, self._stiffness = body.torque_limit, body.torque_limit / _FULL_AT_RAD
        self._damping = _DAMPING_S * self._stiffness

    def torques(self, step: int, state: State) -> Floats:
        """(nv,) with the spring and the damping of the step's end (Tan, Liu and Turk 2011)."""
        if step % _WEIGHED_EVERY == 0:
            M = self._dynamics.evaluate(state.q, state.v).M
            self._factor, _ = lapack.dpotrf(M + np.diag(self._damping * STEP_S), lower=True)
        away = difference(self._body, self._pose, state.q) - STEP_S * state.v
        wanted = self._stiffness * away - self._damping * state.v
        wanted[:ROOT_DOFS] = 0.0
        ahead, _ = lapack.dpotrs(self._factor, wanted, lower=True)
        torques: Floats = np.clip(wanted - self._damping * STEP_S * ahead, -self._most, self._most)
        torques[:ROOT_DOFS] = 0.0
        return torques


def frozen_peaks(
    body: Body,
    scene: Scene,
    engine_name: EngineName,
    state: State,
    at_s: float,
    seconds: float,
    outside: Sequence[OutsideForce],
) -> Floats:
    """(N,) [N s] the largest impulse on each link."""
    engine, forces = make_engine(engine_name), OutsideForces(outside, body)
    frozen, borne = _Frozen(body, scene.gravity, state.q), list[Contacts]()
    try:
        engine.load(body, scene, STEP_S)
        now = engine.reset(state, at_s)
        for step in range(round(seconds / STEP_S)):
            now = engine.step(frozen.torques(step, now), forces.wrenches(at_s + step * STEP_S, now))
            borne.append(engine.contacts())
    finally:
        engine.close()
    return peak_impulses(on_ground(borne), len(borne), body, 1.0 / STEP_S)
