"""Which row of a reference to follow: by time, and within spans that roll by how far the body has turned."""

from typing import NamedTuple

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.kinematics import pose
from ...dynamics.state_space import difference
from ...engines.engine import ROOT_DOFS, State
from ...reference.reference import Reference
from ...roll_span import RollSpan
from ..tracking.objectives import implicit_spring
from .roll_gains import RollGains
from .roll_phase import KnownPoses, PhaseTable, Spin, spin_of


class RollMemory(NamedTuple):
    row: float
    turned: Floats | None  # (3,) the excursion since the span began [rad]; None outside of spans
    pace: float


class RollMoment(NamedTuple):
    """Where in a roll the body is."""

    span: RollSpan
    row: int  # that is followed,
    behind: int  # and those a little before and after it
    ahead: int
    pace: float  # of the reference's own
    spin: Spin
    off: Floats  # (3,) what it is to turn by, to be turned as the row [rad]
    faster: Floats  # (3,) and to turn faster by [rad/s]
    h: float

    def turning(self, g: RollGains, faster: Floats) -> Floats:
        """(3,) the angular acceleration that the whole body is to have (Brown 2012, eq. 3.39), faster by so much."""
        return implicit_spring(self.off, self.faster + faster, g.k_turn, g.g_turn, self.h)


_AT_FIRST = RollMemory(0.0, None, 1.0)


class RollClock:
    def __init__(self, body: Body, reference: Reference, tick: int) -> None:
        self._body, self._reference, self._tick = body, reference, tick
        self._h = tick / reference.rate
        self._tables = [PhaseTable(body, reference, span) for span in reference.rolls]
        self._known = KnownPoses(body)
        self.memory = _AT_FIRST

    def reset(self) -> None:
        self.memory = _AT_FIRST

    def begin_at(self, row: int) -> None:
        self.memory = RollMemory(float(row), None, 1.0)

    @property
    def row(self) -> int:
        return self._near(self.memory.row)

    @property
    def rolls(self) -> bool:
        return self.memory.turned is not None

    def proceed(self, state: State, dynamics: DynamicsState, gains: RollGains) -> RollMoment | None:
        """One tick further; None where it does not roll."""
        row = self.memory.row
        table = next((one for one in self._tables if one.span.first <= row < one.span.last), None)
        if table is None:
            self.memory = RollMemory(min(row + self._tick, len(self._reference) - 1.0), None, 1.0)
            return None
        spin = spin_of(dynamics)
        turned = self._turned(table, state, dynamics, spin, gains)
        lead_s = (table.row_of(float(turned @ table.span.axis)) - row) / self._reference.rate
        pace = float(np.clip(1.0 + lead_s / gains.pace_s, gains.slowest, gains.fastest)) if gains.by_excursion else 1.0
        row += pace * self._tick
        self.memory = RollMemory(min(row, len(self._reference) - 1.0), turned, pace)
        place, phase, blends = table.index(row), table.at(row), float(gains.blends)
        return RollMoment(
            span=table.span,
            row=self._near(row),
            behind=self._near(table.row_of(phase - blends * gains.behind * table.a_roll)),
            ahead=self._near(table.row_of(phase + blends * gains.ahead * table.a_roll)),
            pace=pace,
            spin=spin,
            off=table.turned[place] - turned,
            faster=max(pace, 1.0) * table.spins[place] - spin.velocity,
            h=self._h,
        )

    def _turned(self, table: PhaseTable, state: State, dynamics: DynamicsState, spin: Spin, gains: RollGains) -> Floats:
        """The excursion now (eq. 3.41). A sum of small turns drifts: the nearer the body is to the pose of the row, the
        more it counts how its trunk is turned beside that of the row."""
        place = self._near(self.memory.row)
        row = self._reference.q[place]
        known: Floats = table.turned[table.index(place)] + self._known.beside(
            pose(self._body, row).R_world_link, dynamics.R_world_link
        )
        if self.memory.turned is None:
            return known
        away = difference(self._body, row, state.q)[ROOT_DOFS:].reshape(-1, 3)
        strange = float(np.linalg.norm(away, axis=1).mean()) / gains.known_rad
        drift = known - self.memory.turned
        correction = gains.g_known * np.exp(-(strange**2)) * drift
        turned: Floats = self.memory.turned + self._h * (spin.velocity + correction)
        return turned

    def _near(self, row: float) -> int:
        return min(max(round(row), 0), len(self._reference) - 1)
