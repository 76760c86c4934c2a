"""The world around the body: the ground it stands on, what else is there, friction and gravity."""

from dataclasses import dataclass, field, replace

import numpy as np

from .arrays import Floats
from .constants import GRAVITY
from .world.ground import GROUND
from .world.ground import Ground as Ground
from .world.surface import Surface, Terrain
from .world.thing import Thing


@dataclass(frozen=True, kw_only=True)
class GroundPlane:
    """A ground as files tell it: in the clip's own axes, metres."""

    point_m: tuple[float, float, float]
    normal: tuple[float, float, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    ground: Ground = field(default_factory=Ground)
    things: tuple[Thing, ...] = ()
    friction: float = 0.8  # Coulomb coefficient of every contact with what has none of its own
    # A touching point stands for a patch of flesh, which also holds against turning on the spot, like a ring of this
    # radius [m]. Heel and ball of the foot press on about 30 cm^2 each: a disc of 3 cm, which turns like a ring of 2/3.
    patch_m: float = 0.02
    gravity: float = GRAVITY  # along -Z [m/s^2]

    def friction_of(self, thing: int) -> float:
        """Of a contact with the thing of this number, or with the ground."""
        own = None if thing == GROUND else self.things[thing].friction
        return self.friction if own is None else own

    def to_walk_on(self) -> "Scene":
        """The scene as one who walks plans for it: rubble is stepped on as it lies; what is higher is pushed aside."""
        return replace(self, things=tuple(replace(t, loose=None) if t.is_rubble else t for t in self.things))

    def surface(self, times: Floats | float) -> Surface:
        """What can be walked on at a time, or at every one of some times [s] after the first simulated frame."""
        firm = any(thing.loose is None for thing in self.things)
        return Terrain(self.ground, self.things, np.asarray(times)) if firm else self.ground
