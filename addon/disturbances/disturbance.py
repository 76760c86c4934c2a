"""One disturbance as the worker is told of it: SI units, the world's axes, the scene's frames; no bpy here."""

from dataclasses import dataclass
from math import pi
from typing import NamedTuple

from .kinds import NAMES, Foot, FootDoes, Kind, Side, Space

Triple = tuple[float, float, float]
_WATER = 1000.0  # [kg/m^3]


class Handle(NamedTuple):
    """An object of Blender by name and number."""

    name: str
    uid: int


@dataclass(frozen=True, kw_only=True)
class Disturbance:
    """Each kind looks at some of it. A handle is still to be looked up: see handles.py."""

    kind: Kind
    segment: str = "chest"
    frame: int = 1
    frames: int = 1
    whole_clip: bool = False  # of what is kept level
    force: Triple = (0.0, 0.0, 0.0)  # of a push [N]
    space: Space = "WORLD"  # of that force
    strength: float = 0.0  # of a pull, at most, or of a push along its handle [N]
    mass: float = 0.0  # of what is thrown [kg]
    speed: float = 0.0  # [m/s]
    side: Side = "LEFT"  # where it comes from
    direction: Triple = (0.0, 0.0, 0.0)
    points: tuple[Triple, ...] = ()  # where a pull leads to, passed in even times [m]
    by: str = ""  # or by which object of the scene
    degrees: float = 0.0  # of a turn, to the left
    foot: Foot = "LEFT"  # of a stance
    foot_does: FootDoes = "STANDS"
    handle: Handle | None = None

    @property
    def word(self) -> str:
        """As in a sentence: "push"."""
        return NAMES[self.kind].lower()

    @property
    def ball_radius(self) -> float:
        """Of what is thrown: as dense as water, as the worker has it [m]."""
        return (0.75 * self.mass / (pi * _WATER)) ** (1.0 / 3.0)
