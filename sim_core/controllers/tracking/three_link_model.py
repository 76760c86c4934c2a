"""The three-link balance model, thesis section 5.3: support leg, upper body and swing leg as a small inverted pendulum.

The support leg turns on the ground, which nothing drives; upper body and swing leg turn on the hip, where torques act.
Upright, the model splits into two upright planes that know nothing of each other.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import expm, solve_discrete_are

from ...arrays import Floats, Ints

LINKS = 3  # support leg, upper body, swing leg


@dataclass(frozen=True, kw_only=True, eq=False)
class ThreeLinkModel:
    """In one upright plane. An angle leans a link's upper end ahead; the swing leg hangs, so it leans back for that.

    A body on both feet has no swing leg: that link then weighs nothing.
    """

    masses: Floats  # (3,)
    inertias: Floats  # (3,) about their own centres of mass, in the plane
    leg_com: float  # from the ground up to the support leg's centre of mass [m]
    hip: float  # from the ground up [m]
    upper_com: float  # from the hip up
    swing_com: float  # from the hip down

    @property
    def mass(self) -> float:
        return float(self.masses.sum())

    @property
    def com_height(self) -> float:
        heights = np.array([self.leg_com, self.hip + self.upper_com, self.hip - self.swing_com])
        return float(self.masses @ heights) / self.mass

    @property
    def shifts(self) -> Floats:
        """(3, 3) how far the links' centres of mass move ahead for the angles of the links, near upright."""
        return np.array(
            [
                [self.leg_com, 0.0, 0.0],
                [self.hip, self.upper_com, 0.0],
                [self.hip, 0.0, -self.swing_com],
            ]
        )

    @property
    def inertia(self) -> Floats:
        """(3, 3) the mass matrix at the upright."""
        shifts = self.shifts
        weighed: Floats = shifts.T @ np.diag(self.masses) @ shifts
        return weighed + np.diag(self.inertias)

    def potential(self, angles: Floats, gravity: float) -> float:
        """[J] of the links at any angles."""
        up = np.cos(angles)
        heights = np.array(
            [self.leg_com * up[0], self.hip * up[0] + self.upper_com * up[1], self.hip * up[0] - self.swing_com * up[2]]
        )
        return float(gravity * self.masses @ heights)

    def toppling(self, gravity: float) -> Floats:
        """(3, 3) torques of gravity for small angles: what leans falls, what hangs comes back."""
        swung = self.masses * gravity
        return np.diag(
            [
                swung[0] * self.leg_com + (swung[1] + swung[2]) * self.hip,
                swung[1] * self.upper_com,
                -swung[2] * self.swing_com,
            ]
        )


_HIP_TORQUES = np.array([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]])  # (3, 2) a torque at the hip pushes back on the leg


class Regulator(NamedTuple):
    gain: Floats  # (2, 6) of torques = -gain [angles, rates]
    closed: Floats  # (6, 6) the state's map over one step with these torques
    answer: Floats  # (3, 6) accelerations of the links' centres of mass ahead, for a state, with these torques


def regulate(
    model: ThreeLinkModel, gravity: float, step_s: float, *, angle_cost: float, rate_cost: float, control_cost: float
) -> Regulator:
    """Eq. 5.6 for endless time, around the upright where the model is statically balanced."""
    used = np.flatnonzero(model.masses > 0.0)
    count = len(used)
    inverse = np.linalg.inv(model.inertia[np.ix_(used, used)])
    torques = _HIP_TORQUES[np.ix_(used, used[1:] - 1)]
    fall, drive = inverse @ model.toppling(gravity)[np.ix_(used, used)], inverse @ torques
    A, B = _over_one_step(fall, drive, step_s)
    Q = np.diag(np.repeat([angle_cost, rate_cost], count))
    R = control_cost * np.eye(count - 1)
    P = solve_discrete_are(A, B, Q, R)
    gain = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    turning = np.concatenate([fall, np.zeros((count, count))], axis=1) - drive @ gain
    answer = model.shifts[np.ix_(used, used)] @ turning
    states = np.concatenate([used, LINKS + used])
    return Regulator(
        _spread(gain, (LINKS - 1, 2 * LINKS), used[1:] - 1, states),
        _spread(A - B @ gain, (2 * LINKS, 2 * LINKS), states, states),
        _spread(answer, (LINKS, 2 * LINKS), used, states),
    )


def _over_one_step(fall: Floats, drive: Floats, step_s: float) -> tuple[Floats, Floats]:
    """The linear motion over a step in which the torques stay as they are, exactly."""
    count, motors = drive.shape
    whole = np.zeros((2 * count + motors, 2 * count + motors))
    whole[:count, count : 2 * count] = np.eye(count)
    whole[count : 2 * count, :count] = fall
    whole[count : 2 * count, 2 * count :] = drive
    over = expm(step_s * whole)
    return over[: 2 * count, : 2 * count], over[: 2 * count, 2 * count :]


def _spread(matrix: Floats, shape: tuple[int, int], rows: Ints, columns: Ints) -> Floats:
    whole = np.zeros(shape)
    whole[np.ix_(rows, columns)] = matrix
    return whole
