"""Where the centre of mass and the centre of pressure are to be: Yu, "Balance Control via Adjusting CoM and CoP
Reference Trajectories", section 3.2, and the two choices of others that it is compared with.
"""

from collections import deque
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...constants import GRAVITY
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.spatial import ANGULAR
from ...engines.engine import GROUND, Contacts
from ...qp import nonnegative_least_squares
from ...rotations import cross
from ...scene import Ground
from .tracked_motion import TrackedMotion

ComChoice: TypeAlias = Literal["adjusted", "raw", "support-centre"]

_UP = np.array([0.0, 0.0, 1.0])
_LEAST_LOAD = 1e-3  # of body weight: less is no support
_LOWEST_PENDULUM = 0.1  # [m] the formula has the height below the line; a body that lies has none
_TO_ONE = 1e3  # how firmly the shares of corners in a point add up to one
_RIDGE = 1e-4


class Aim(NamedTuple):
    place: Floats  # (3,)
    velocity: Floats  # (3,)


class Load(NamedTuple):
    """What the ground bears, along its normal."""

    feet: Floats  # (2,) left, right [N]
    cop: Floats | None  # (3,) the centre of pressure of everything; None in the air


class LoadMeter:
    """Means over the last steps, as many as a control step has: single ones are noisy."""

    def __init__(self, body: Body, ground: Ground, steps: int) -> None:
        self._normal = ground.normal
        self._least = _LEAST_LOAD * body.mass * GRAVITY
        self._side_of_link = np.full(len(body), -1)
        self._side_of_link[body.soles.links] = np.where(body.soles.left, 0, 1)
        self._rows: deque[Floats] = deque(maxlen=steps)

    def reset(self) -> None:
        self._rows.clear()

    def add(self, contacts: Contacts) -> None:
        ground = contacts.others == GROUND
        pressure = contacts.forces[ground] @ self._normal
        sides = self._side_of_link[contacts.links[ground]]
        feet = [pressure[sides == side].sum() for side in (0, 1)]
        self._rows.append(np.array([*feet, pressure.sum(), *(pressure @ contacts.positions[ground])]))

    def read(self) -> Load:
        left, right, total, *moment = np.mean(self._rows, axis=0)
        return Load(np.array([left, right]), np.array(moment) / total if total > self._least else None)


class AdjustedCom:
    """The reference's centre of mass, carried by the feet that bear.

    Eq. 3.2 with the vectors from feet to the centre of mass written out: c_r = c + sum of w (x - x of the reference).
    """

    def __init__(self, motion: TrackedMotion, least_load: float) -> None:
        self._motion, self._least = motion, least_load
        self.reset()

    def reset(self) -> None:
        self._offset = np.zeros(3)

    def aim(self, step: int, feet: Floats, velocities: Floats, load: Floats) -> Aim:
        """Feet (2, 3) and load (2,) as they are; in the air the feet's last word stands."""
        motion, reference = self._motion, self._motion.reference
        drift = np.zeros(3)
        if load.sum() > self._least:
            shares = load / load.sum()  # eq. 3.3
            self._offset = shares @ (feet - motion.foot_places[step])
            # A load that goes from one foot to the other is no movement of the reference, so the shares stand still.
            drift = shares @ (velocities - motion.foot_velocities[step])
        return Aim(reference.com[step] + self._offset, reference.com_velocity[step] + drift)


def support_centre(com: Floats, support: Floats) -> Aim:
    """Macchietto, Zordan, Shelton 2009: the middle of the points (K, 3) that bear, at rest; here where none does."""
    return Aim(support.mean(axis=0) if len(support) else com, np.zeros(3))


def locked_inertia(dynamics: DynamicsState) -> Floats:
    """(3, 3) of the body as it is, all joints locked, about its centre of mass in the world."""
    turning = dynamics.momentum_matrix[ANGULAR, 3:6]
    inertia: Floats = turning @ dynamics.R_world_link[0].T
    return inertia


def cop_reference(
    dynamics: DynamicsState,
    acceleration: Floats,  # (3,) that is wanted of the centre of mass
    *,
    to_left: Floats,  # (3,) from the right hip to the left
    ankle: Floats,  # (3,) of the foot that bears most
    weight: float,  # of all but the supporting feet [N]
) -> Floats:
    """(3,) at the height of the centre of mass: an inverted pendulum over the ankle, eq. 3.4 and 3.5."""
    arm = dynamics.com - ankle
    about_com = locked_inertia(dynamics)
    place = dynamics.com.copy()
    left = _level(to_left)
    for along in (cross(left, _UP), left):  # the sagittal plane, the frontal plane
        axis = cross(_UP, along)
        inertia = axis @ about_com @ axis + dynamics.mass * (arm @ arm - (arm @ axis) ** 2)
        share = inertia / (weight * max(float(arm[2]), _LOWEST_PENDULUM))
        place -= share * (acceleration @ along) * along
    return place


def within_support(place: Floats, support: Floats, ground: Ground) -> Floats:
    """(3,) the point nearest to a place in the region around the points (K, 3) that bear, K > 0."""
    middle = support.mean(axis=0)
    down = place - ground.distance(place) * ground.normal
    rows = np.concatenate([(support - middle).T, np.full((1, len(support)), _TO_ONE)])
    shares = nonnegative_least_squares(rows, np.append(down - middle, _TO_ONE), _RIDGE)
    inside: Floats = shares @ support / shares.sum()
    return inside


def _level(vector: Floats) -> Floats:
    level = vector - vector[2] * _UP
    length = float(np.linalg.norm(level))
    return level / length if length > 1e-6 else np.array([1.0, 0.0, 0.0])
