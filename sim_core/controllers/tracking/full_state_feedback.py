"""Full-state feedback, thesis section 5.2: a linear quadratic regulator around the whole reference motion.

The dynamics are linearised along the reference and taken to be fully actuated, as if motors drove the root too. The
regulator's force is then what the QP comes as near to as contacts allow.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics import Dynamics
from ...dynamics.state_space import integrate
from ...reference.reference import Reference

_NUDGE = 1e-6  # of the differences that linearise


@dataclass(frozen=True, kw_only=True)
class FullStateGains:
    """The thesis gives the ratio of its costs (1, 1, 1: terminal, position, control) and not their scale."""

    position_cost: float = 1.0  # q, of every dof's angle and velocity but the root's position
    terminal_cost: float = 1.0
    control_cost: float = 1e-5  # r [1/(N m)^2]
    force_weight: float = 1.0  # of meeting the regulator's force in the QP
    follow_weight: float = 1.0  # of the reference's accelerations alone
    sample_s: float = 0.02  # of the Euler steps of eq. 5.3
    linearise_s: float = 0.06  # not at every sample, for the sake of time


class LinearDynamics(NamedTuple):
    """Eq. 5.3: x' = A x + B u, with x = [q - q_r, v - v_r] and u the generalised force beyond the reference's."""

    A: Floats  # (2 nv, 2 nv)
    B: Floats  # (2 nv, nv)


def linearise(dynamics: Dynamics, q: Floats, v: Floats, a: Floats, step_s: float) -> LinearDynamics:
    """Around one moment of the reference, under the force that its acceleration needs, for one Euler step."""
    body, nv = dynamics.body, dynamics.body.nv
    nudges = _NUDGE * np.concatenate([np.zeros((1, nv)), np.eye(nv), np.zeros((nv, nv))])
    force = dynamics.inverse_dynamics(  # of the moment itself, with every angle nudged, then with every rate
        integrate(body, q, nudges), v + np.roll(nudges, nv, axis=0), np.broadcast_to(a, (1 + 2 * nv, nv))
    )
    slopes = (force[1:] - force[0]).reshape(2, nv, nv).swapaxes(-1, -2) / _NUDGE
    inverse = np.linalg.inv(dynamics.evaluate(q, v).M)
    eye = np.eye(nv)
    A = np.block([[eye, step_s * eye], [-step_s * inverse @ slopes[0], eye - step_s * inverse @ slopes[1]]])
    return LinearDynamics(A, np.concatenate([np.zeros((nv, nv)), step_s * inverse]))


class RiccatiStep(NamedTuple):
    gain: Floats  # (nv, 2 nv) K of u = -K x
    value: Floats  # (2 nv, 2 nv) P_k


def riccati_step(model: LinearDynamics, value: Floats, state_cost: Floats, control_cost: float) -> RiccatiStep:
    """Eq. 5.5 and 5.6, from the value P_k+1 one step later; the state's cost is diagonal (2 nv,)."""
    valued = value @ model.B
    needed = model.B.T @ valued
    needed[np.diag_indices_from(needed)] += control_cost
    gain: Floats = cho_solve(cho_factor(needed, lower=True), valued.T @ model.A)
    before = model.A.T @ (value @ model.A - valued @ gain)
    before = 0.5 * (before + before.T)
    before[np.diag_indices_from(before)] += state_cost
    return RiccatiStep(gain, before)


class FullStateFeedback:
    def __init__(self, body: Body, reference: Reference, gravity: float, gains: FullStateGains) -> None:
        self._every = max(1, round(gains.sample_s * reference.rate))
        self._gains = self._solve(Dynamics(body, gravity), reference, gains)

    def force(self, step: int, error: Floats, velocity_error: Floats) -> Floats:
        """(nv,) generalised, the root's six included; errors are from the state to the reference."""
        gain = self._gains[min(step // self._every, len(self._gains) - 1)]
        force: Floats = gain @ np.concatenate([error, velocity_error])
        return force

    def _solve(self, dynamics: Dynamics, reference: Reference, gains: FullStateGains) -> Floats:
        """(T, nv, 2 nv) from the last sample backwards."""
        nv = dynamics.body.nv
        step_s = self._every / reference.rate
        cost = np.full(2 * nv, gains.position_cost)
        cost[:3] = 0.0  # where the root is does not matter
        samples = range(0, len(reference), self._every)
        rare = max(1, round(gains.linearise_s / step_s))
        solved = np.empty((len(samples), nv, 2 * nv))
        value = np.diag(cost * (gains.terminal_cost / gains.position_cost))
        model = None
        for k in reversed(range(len(samples))):
            if model is None or k % rare == 0:
                row = samples[k]
                model = linearise(dynamics, reference.q[row], reference.v[row], reference.a[row], step_s)
            solved[k], value = riccati_step(model, value, cost, gains.control_cost)
        return solved
