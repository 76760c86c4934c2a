"""Flights that spin freely: in the air nothing changes a body's angular momentum, and captured ones change it all the same.

The whole body is turned about its centre of mass, by as little as makes its angular momentum the same all through the
flight, and not at all where it leaves the ground and where it lands.
"""

import numpy as np
from scipy.ndimage import label

from .. import rotations
from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics.dynamics import Dynamics
from ..dynamics.spatial import ANGULAR
from ..dynamics.state_space import central_velocities

_SHORTEST_S = 0.1  # in less time a spin goes nowhere
_EASE_S = 0.03  # in which the turning sets in, and ends
_FARTHEST_RAD = 0.6  # a turn beyond this would be another performance


def free_spin(q: Floats, body: Body, air: Bools, rate: float) -> Floats:
    """The motion q (S, nq) with flights, where nothing bears (S,), turned to spin freely."""
    turned = q.copy()
    velocities = central_velocities(body, q, rate)
    flights, count = label(air)
    for flight in range(1, count + 1):
        rows = np.flatnonzero(flights == flight)
        if len(rows) >= _SHORTEST_S * rate and rows[0] > 0 and rows[-1] < len(q) - 1:
            _turn_flight(turned, velocities, rows, body, rate)
    return turned


def _turn_flight(q: Floats, velocities: Floats, rows: Floats, body: Body, rate: float) -> None:
    """Turns the poses of one flight, in place."""
    dynamics = Dynamics(body)
    momenta, inverses, coms = np.empty((len(rows), 3)), np.empty((len(rows), 3, 3)), np.empty((len(rows), 3))
    for i, row in enumerate(rows):
        now = dynamics.evaluate(q[row], velocities[row])
        inertia = now.momentum_matrix[ANGULAR, 3:6] @ now.R_world_link[0].T  # of the body as one piece
        momenta[i], inverses[i], coms[i] = now.momentum[ANGULAR], np.linalg.inv(inertia), now.com
    away = np.minimum(np.arange(len(rows)), np.arange(len(rows))[::-1]) / rate
    eased = np.clip(away / _EASE_S, 0.0, 1.0)[:, None]
    # The momentum whose spin leads to the same pose at the end.
    constant = np.linalg.solve((eased[..., None] * inverses).sum(axis=0), (eased * _apply(inverses, momenta)).sum(axis=0))
    spins = eased * _apply(inverses, constant - momenta)
    turns = np.empty((len(rows), 4))
    turn = rotations.IDENTITY
    for i, spin in enumerate(spins):
        turns[i] = turn
        turn = rotations.multiply(rotations.exp(spin / rate), turn)
    back = rotations.log(rotations.inverse(turns[-1]))  # turns do not quite add up
    turns = rotations.multiply(rotations.exp(np.linspace(0.0, 1.0, len(rows))[:, None] * back), turns)
    if np.linalg.norm(rotations.log(turns), axis=-1).max() > _FARTHEST_RAD:
        return
    q[rows, :3] = coms + rotations.rotate(turns, q[rows, :3] - coms)
    q[rows, 3:7] = rotations.multiply(turns, q[rows, 3:7])


def _apply(matrices: Floats, vectors: Floats) -> Floats:
    applied: Floats = (matrices @ np.broadcast_to(vectors, matrices.shape[:-1])[..., None])[..., 0]
    return applied
