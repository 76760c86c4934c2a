"""The world around the body: the ground it stands on, friction, gravity, and what pushes it."""

from dataclasses import dataclass, field

import numpy as np

from .arrays import Floats, frozen
from .constants import GRAVITY
from .errors import SettingsError


@dataclass(frozen=True, kw_only=True, eq=False)
class Ground:
    """An endless plane; everything on the side of the normal is air."""

    point: Floats = field(default_factory=lambda: frozen([0.0, 0.0, 0.0]))  # (3,) any point of the plane [m]
    normal: Floats = field(default_factory=lambda: frozen([0.0, 0.0, 1.0]))  # (3,) unit, out of the ground

    def __post_init__(self) -> None:
        length = float(np.linalg.norm(self.normal))
        if not 0.0 < length < np.inf or not np.isfinite(self.point).all():
            raise SettingsError(
                f"The ground needs a finite point and normal, but has {self.point} and {self.normal};"
                " give three numbers for each."
            )
        object.__setattr__(self, "point", frozen(self.point))
        object.__setattr__(self, "normal", frozen(np.asarray(self.normal) / length))

    def distance(self, points: Floats) -> Floats:
        """(...,) along the normal, negative inside the ground [m]; points are (..., 3)."""
        result: Floats = (points - self.point) @ self.normal
        return result

    def height(self, points: Floats) -> Floats:
        """(...,) height of the ground straight above or below the points [m]; never on an upright wall."""
        across = (points[..., :2] - self.point[:2]) @ self.normal[:2]
        result: Floats = self.point[2] - across / self.normal[2]
        return result


@dataclass(frozen=True, kw_only=True)
class GroundPlane:
    """A ground as files tell it: in the clip's own axes, metres."""

    point_m: tuple[float, float, float]
    normal: tuple[float, float, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    ground: Ground = field(default_factory=Ground)
    friction: float = 0.8  # Coulomb coefficient of every contact
    # A touching point stands for a patch of flesh, which also holds against turning on the spot, like a ring of this
    # radius [m]. Heel and ball of the foot press on about 30 cm^2 each: a disc of 3 cm, which turns like a ring of 2/3.
    patch_m: float = 0.02
    gravity: float = GRAVITY  # along -Z [m/s^2]


@dataclass(frozen=True, kw_only=True)
class Push:
    """A steady force on a segment for a while, at its centre of mass."""

    bone: str  # a segment of the body, or any bone of the rig
    at_s: float  # seconds after the first simulated frame
    for_s: float
    force: tuple[float, float, float]  # world, Z-up [N]

    def __post_init__(self) -> None:
        if not (self.at_s >= 0 and self.for_s > 0 and np.isfinite([self.at_s, self.for_s, *self.force]).all()):
            raise SettingsError(
                f"A push on '{self.bone}' needs at >= 0 s, for > 0 s and a force of plain numbers; "
                f"found at={self.at_s:g}, for={self.for_s:g}, force={self.force}."
            )


@dataclass(frozen=True, kw_only=True)
class PushInFrames:
    """A push as an animator times it: whatever frame rate the clip turns out to have, it comes at this frame."""

    bone: str
    frame: int  # of the clip, counted from 1
    frames: int
    force: tuple[float, float, float]  # world, Z-up [N]
