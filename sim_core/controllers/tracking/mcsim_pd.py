"""McSim's PD component: low gains towards the reference at every physics step (thesis section 3.2)."""

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.kinematics import pose
from ...dynamics.topology import topology_of
from ...engines.engine import State
from ...rig.segments import HEAD, TRUNK, kind
from .tracker import Plan

# k_s of the joint that holds a segment: Table A.3; the head's from Table A.2, the trunk's is the thorax's.
_STIFFNESS_OF = {
    "thigh": 4000.0,
    "shin": 4000.0,
    "foot": 1000.0,
    "toes": 4000.0,
    "clavicle": 4000.0,
    "upper_arm": 4000.0,
    "forearm": 3000.0,
    "hand": 3000.0,
    **dict.fromkeys((*TRUNK, *HEAD), 3000.0),
}
_STABLE = 0.5  # of the velocity that explicit damping may take in one step


class McSimPd:
    def __init__(self, body: Body, scale: float, step_s: float) -> None:
        self._body, self._step_s = body, step_s
        stiffness = np.array([scale * _STIFFNESS_OF[kind(name)] for name in body.names])
        kinds = np.array([link.joint.kind for link in body.links])
        starts = np.array([body.v_slice[name].start for name in body.names])
        hinges = np.flatnonzero(kinds == "hinge")
        self._balls = np.flatnonzero(kinds == "ball")
        self._hinge_v = starts[hinges]
        self._ball_v = starts[self._balls, None] + np.arange(3)
        self._k_hinge, self._k_ball = stiffness[hinges], stiffness[self._balls, None, None]
        self._inertias = np.stack([link.inertia for link in body.links])

    def torques(self, plan: Plan, state: State, error: Floats, reference_v: Floats) -> Floats:
        """(nv,) none for the root; `error` is from the state to the reference."""
        torques, damping = np.zeros(self._body.nv), np.zeros(self._body.nv)
        hinge, ball = self._hinge_v, self._ball_v
        # Eq. 3.8 as printed: a pin joint is damped towards rest, not towards the reference's velocity.
        damping[hinge] = 2.0 * np.sqrt(self._k_hinge)
        torques[hinge] = self._k_hinge * error[hinge] - damping[hinge] * state.v[hinge]
        R_world_link = pose(self._body, state.q).R_world_link
        stiff, damp = self._in_link_frames(R_world_link)
        damping[ball] = damp.diagonal(axis1=-2, axis2=-1)
        velocity_error = (reference_v - state.v)[ball]
        torques[ball] = (stiff @ error[ball][..., None] + damp @ velocity_error[..., None])[..., 0]  # eq. 3.10
        # The papers simulate in steps of 0.1 ms; in longer ones explicit damping shakes the light ends of limbs.
        most = _STABLE * plan.stiffness / self._step_s
        stable: Floats = torques * np.minimum(1.0, most / np.maximum(damping, 1e-12))
        return stable

    def _in_link_frames(self, R_world_link: Floats) -> tuple[Floats, Floats]:
        """(B, 3, 3) stiffness and damping of ball joints, scaled by the inertia of all that hangs on each."""
        world = R_world_link @ self._inertias @ R_world_link.swapaxes(-1, -2)
        links = len(world)
        hanging = topology_of(self._body).moved_by_link.T @ world.reshape(links, 9)
        stiff = self._k_ball * hanging.reshape(links, 3, 3)[self._balls]  # k_s I_c, eq. 3.9
        # The root of every element; the papers leave open what that is for a negative one: here it keeps its sign.
        damp = 2.0 * np.sign(stiff) * np.sqrt(np.abs(stiff))
        R = R_world_link[self._balls]
        turn = R.swapaxes(-1, -2)
        return turn @ stiff @ R, turn @ damp @ R
