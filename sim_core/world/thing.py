"""What stands, moves or lies about in a scene."""

from dataclasses import dataclass, field

import numpy as np

from .. import rotations
from ..arrays import Floats, frozen
from ..errors import SettingsError
from .solids import Convex, Cuboid, HeightField, Solid
from .track import Poses, Track

_LOW_M = 0.12  # rubble is no higher


@dataclass(frozen=True, kw_only=True, eq=False)
class Loose:
    """A thing that is simulated, too."""

    mass: float  # [kg]
    velocity: Floats = field(default_factory=lambda: frozen([0.0, 0.0, 0.0]))  # (3,) at the first frame [m/s]
    spin: Floats = field(default_factory=lambda: frozen([0.0, 0.0, 0.0]))  # (3,) in the world [rad/s]
    appears_s: float = 0.0  # until then it is nowhere: a ball that is thrown


@dataclass(frozen=True, kw_only=True, eq=False)
class Thing:
    name: str
    solids: tuple[Solid, ...]
    position: Floats = field(default_factory=lambda: frozen([0.0, 0.0, 0.0]))  # (3,) at the first frame [m]
    turn: Floats = field(default_factory=lambda: frozen(rotations.IDENTITY))  # (4,)
    friction: float | None = None  # None is the scene's
    moves: Track | None = None  # its own animation
    loose: Loose | None = None
    belt: Floats = field(default_factory=lambda: frozen([0.0, 0.0, 0.0]))  # (3,) its surface runs so, own axes [m/s]

    def __post_init__(self) -> None:
        if self.moves is not None and self.loose is not None:
            raise SettingsError(f"'{self.name}' moves by itself and is loose; choose one of both.")
        stays = self.moves is None and self.loose is None and not self.belt.any() and abs(self.turn[0]) == 1.0
        if not stays and any(isinstance(solid, HeightField) for solid in self.solids):
            raise SettingsError(f"'{self.name}' is made of a height field, which stays level where it is; use a hull.")

    @property
    def is_rubble(self) -> bool:
        """Whether it is loose, lies there from the beginning, and is low enough to be stepped on."""
        if self.loose is None or self.loose.appears_s > 0.0 or self.loose.velocity.any():
            return False
        corners = [solid.vertices for solid in self.solids if isinstance(solid, Cuboid | Convex)]
        if len(corners) < len(self.solids):
            return False
        heights = rotations.rotate(self.turn, np.concatenate(corners))[:, 2]
        return bool(np.ptp(heights) < _LOW_M)

    def poses(self, times: Floats) -> Poses:
        """Where it is at some times; where a loose one was at first."""
        if self.moves is not None:
            return self.moves.poses(times)
        shape = (*np.shape(times), 1)
        return Poses(np.tile(self.position, shape), np.tile(self.turn, shape))

    def surface_velocities(self, times: Floats, points: Floats) -> Floats:
        """(..., 3) of what stands on it at points in the world; a loose one is taken to rest."""
        velocities = np.zeros_like(points) if self.moves is None else self.moves.velocities(times, points)
        if self.belt.any():
            velocities = velocities + rotations.rotate(self.poses(times).turns, self.belt)
        return velocities

    def surface_accelerations(self, times: Floats, points: Floats) -> Floats:
        return np.zeros_like(points) if self.moves is None else self.moves.accelerations(times, points)
