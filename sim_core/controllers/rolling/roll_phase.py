"""Where in its roll a body is: by how far it has turned, corrected by the poses it passes (Brown 2012, section 3.3)."""

from typing import NamedTuple

import numpy as np

from ... import rotations
from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.kinematics import motion
from ...dynamics.spatial import ANGULAR
from ...reference.reference import Reference
from ...rig.segments import TRUNK
from ...roll_span import RollSpan
from ...rolling.excursion import excursion, mean_spin

_LEAST_RISE = 1e-5  # [rad] a step: what a phase grows at least, so that every phase has its row


class Spin(NamedTuple):
    """Of the whole body as if it were rigid."""

    inertia: Floats  # (3, 3) about the centre of mass, in the world
    velocity: Floats  # (3,) [rad/s]


def spin_of(dynamics: DynamicsState) -> Spin:
    """What turning the root alone does to angular momentum is the inertia of the body as it is."""
    inertia = dynamics.momentum_matrix[ANGULAR][:, 3:6] @ dynamics.R_world_link[0].T
    return Spin(inertia, np.linalg.solve(inertia, dynamics.momentum[ANGULAR]))


class PhaseTable:
    """The phases of one span of a reference: how far it has turned about the axis at each row, never backwards."""

    def __init__(self, body: Body, reference: Reference, span: RollSpan) -> None:
        self.span = span
        rows = slice(span.first, span.last + 1)
        moving = motion(body, reference.q[rows], reference.v[rows])
        self.spins = mean_spin(body, moving)
        self.turned = excursion(self.spins, reference.rate)  # (R, 3) since the span began
        along = self.turned @ span.axis
        rising = np.maximum.accumulate(along + _LEAST_RISE * np.arange(len(along)))
        self._phases = rising + _LEAST_RISE * np.arange(len(along))
        self.a_roll = float(self._phases[-1] / span.rolls)

    def at(self, row: float) -> float:
        """The phase of a row [rad] since the span began."""
        return float(np.interp(row - self.span.first, np.arange(len(self._phases)), self._phases))

    def row_of(self, phase: float) -> float:
        place = float(np.interp(phase, self._phases, np.arange(len(self._phases))))
        return self.span.first + place

    def index(self, row: float) -> int:
        return min(max(round(row) - self.span.first, 0), len(self.turned) - 1)


class KnownPoses:
    """How the whole body is turned beside a reference, where its pose is known."""

    def __init__(self, body: Body) -> None:
        links = [body.index(name) for name in TRUNK if name in body.names]
        self._links = np.array(links)
        self._shares = body.masses[links] / body.masses[links].sum()

    def beside(self, turns: Floats, R_world_link: Floats) -> Floats:
        """(3,) the mean turn [rad] from the trunk of a reference's row, with turns (N, 3, 3), to that of the body."""
        away = R_world_link[self._links] @ turns[self._links].swapaxes(-1, -2)
        mean: Floats = self._shares @ rotations.log(rotations.from_matrix(away))
        return mean
