"""How far a whole body has turned: the integral of its mean angular velocity (Brown 2012, eq. 3.40 and 3.41)."""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import Motion, Pose


def whole_inertia(body: Body, pose: Pose) -> Floats:
    """(..., 3, 3) of the body as if it were rigid, about its centre of mass, in the world [kg m^2]."""
    own = np.array([link.inertia for link in body.links])
    turned = pose.R_world_link @ own @ pose.R_world_link.swapaxes(-1, -2)
    arms = pose.link_coms - pose.com[..., None, :]
    outer = arms[..., :, None] * arms[..., None, :]
    spread = np.trace(outer, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - outer
    inertia: Floats = (turned + body.masses[:, None, None] * spread).sum(axis=-3)
    return inertia


def mean_spin(body: Body, motion: Motion) -> Floats:
    """(..., 3) the angular velocity with which a rigid body of this shape would have the same angular momentum."""
    spin: Floats = np.linalg.solve(whole_inertia(body, motion.pose), motion.angular_momentum[..., None])[..., 0]
    return spin


def excursion(spin: Floats, rate: float) -> Floats:
    """(T, 3) how far it has turned about each axis of the world since the first row [rad], by Riemann sums."""
    turned = np.zeros_like(spin)
    turned[1:] = np.cumsum(0.5 * (spin[1:] + spin[:-1]), axis=0) / rate
    return turned
