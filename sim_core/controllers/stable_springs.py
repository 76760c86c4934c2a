"""Springs and dampers on every joint that stay calm however stiff they are: both as they will be at the step's end.

Tan, Liu and Turk 2011, with the motion ahead by the damping alone.
"""

import numpy as np
from scipy.linalg import lapack

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.dynamics import Dynamics
from ..dynamics.state_space import difference
from ..engines.engine import ROOT_DOFS, State

_WEIGHED_EVERY = 5  # steps


class StableSprings:
    def __init__(self, body: Body, gravity: float, step_s: float, stiffness: Floats, damping: Floats) -> None:
        """Stiffness and damping are (nv,) [N m/rad, N m s/rad]."""
        self._body, self._dynamics, self._step_s = body, Dynamics(body, gravity), step_s
        self._stiffness, self._damping = stiffness, damping
        self._factor: Floats | None = None
        self._firmer = 1.0

    def torques(self, step: int, state: State, pose: Floats, more: Floats | None = None, firmer: float = 1.0) -> Floats:
        """(nv,) towards a pose (nq,), and more (nv,) of others; zero for the root. All may be firmer for a while."""
        if self._factor is None or step % _WEIGHED_EVERY == 0:
            M = self._dynamics.evaluate(state.q, state.v).M
            self._firmer = firmer  # both must know of the same dampers
            self._factor, _ = lapack.dpotrf(M + np.diag(firmer * self._damping * self._step_s), lower=True)
        stiffness, damping = self._firmer * self._stiffness, self._firmer * self._damping
        away = difference(self._body, pose, state.q) - self._step_s * state.v
        wanted = stiffness * away - damping * state.v
        if more is not None:
            wanted = wanted + more
        wanted[:ROOT_DOFS] = 0.0
        ahead, _ = lapack.dpotrs(self._factor, wanted, lower=True)
        torques: Floats = wanted - damping * self._step_s * ahead
        torques[:ROOT_DOFS] = 0.0
        return torques
