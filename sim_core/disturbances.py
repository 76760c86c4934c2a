"""What a person asks to happen to the character: pushes, pulls and throws, a hand kept level, a way that bends, a foot
that stands or does not.

All times are seconds after the first simulated frame. Who counts in frames has the same thing `InFrames`, until the
clip's rate is known.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from .errors import SettingsError

Triple: TypeAlias = tuple[float, float, float]
Space: TypeAlias = Literal["world", "character"]
Side: TypeAlias = Literal["left", "right", "front", "back"]
FootSide: TypeAlias = Literal["left", "right"]
FootDoes: TypeAlias = Literal["stands", "swings", "slides"]


@dataclass(frozen=True, kw_only=True)
class Push:
    """A steady force on a segment for a while, at its centre of mass."""

    bone: str  # a segment of the body, or any bone of the rig
    at_s: float
    for_s: float
    force: Triple  # [N] in the world, Z-up; or along the character's forward, left and up
    space: Space = "world"  # of the character: by where the pelvis faces when the push begins

    def __post_init__(self) -> None:
        if not (self.at_s >= 0 and self.for_s > 0 and np.isfinite([self.at_s, self.for_s, *self.force]).all()):
            raise SettingsError(
                f"A push on '{self.bone}' needs at >= 0 s, for > 0 s and a force of plain numbers; "
                f"found at={self.at_s:g}, for={self.for_s:g}, force={self.force}."
            )

    @property
    def words(self) -> str:
        return f"push on '{self.bone}'"


@dataclass(frozen=True, kw_only=True)
class Pull:
    """A segment drawn towards a point by a spring from outside, with no more than a force."""

    bone: str
    at_s: float
    for_s: float
    to: tuple[Triple, ...] = ()  # points in the clip's own axes [m], passed one after another in even times
    by: str | None = None  # or a thing of the scene, wherever it goes
    force: float  # [N] the most

    def __post_init__(self) -> None:
        numbers = [self.at_s, self.for_s, self.force, *(value for point in self.to for value in point)]
        if not (self.at_s >= 0 and self.for_s > 0 and self.force > 0 and np.isfinite(numbers).all()):
            raise SettingsError(
                f"A pull on '{self.bone}' needs at >= 0 s, for > 0 s, a force above 0 and points of plain numbers; "
                f"found at={self.at_s:g}, for={self.for_s:g}, force={self.force:g}, to={self.to}."
            )
        if bool(self.to) == (self.by is not None):
            raise SettingsError(f"A pull on '{self.bone}' goes to points or by a thing of the scene; give one of them.")

    @property
    def words(self) -> str:
        return f"pull on '{self.bone}'"


@dataclass(frozen=True, kw_only=True)
class Throw:
    """A ball that hits a segment at a moment, if the segment is where the reference has it."""

    bone: str
    at_s: float  # when it hits
    mass: float  # [kg]
    speed: float  # [m/s] when it hits
    comes_from: Side | Triple  # seen from the character, or the way to there in the clip's own axes
    radius: float | None = None  # [m] None is that of a ball as dense as water

    def __post_init__(self) -> None:
        numbers = [self.at_s, self.mass, self.speed, 1.0 if self.radius is None else self.radius]
        if not (self.at_s >= 0 and min(numbers[1:]) > 0 and np.isfinite(numbers).all()):
            raise SettingsError(
                f"A throw at '{self.bone}' needs at >= 0 s, and mass, speed and radius above 0; "
                f"found at={self.at_s:g}, mass={self.mass:g}, speed={self.speed:g}"
                f"{'' if self.radius is None else f', radius={self.radius:g}'}."
            )
        if isinstance(self.comes_from, tuple) and not 0.0 < np.linalg.norm(self.comes_from) < np.inf:
            raise SettingsError(f"A throw at '{self.bone}' comes from {self.comes_from}, which is no direction.")

    @property
    def words(self) -> str:
        return f"throw at '{self.bone}'"


@dataclass(frozen=True, kw_only=True)
class KeepLevel:
    """What of a segment points up when this begins stays up, as if it held a cup."""

    bone: str
    at_s: float = 0.0
    for_s: float | None = None  # None is to the clip's end

    def __post_init__(self) -> None:
        for_s = 1.0 if self.for_s is None else self.for_s
        if not (self.at_s >= 0 and for_s > 0 and np.isfinite([self.at_s, for_s]).all()):
            raise SettingsError(
                f"Keeping '{self.bone}' level needs at >= 0 s and for > 0 s; found at={self.at_s:g}, for={for_s:g}."
            )

    @property
    def words(self) -> str:
        return f"keep-level of '{self.bone}'"


@dataclass(frozen=True, kw_only=True)
class Turn:
    """The way bends, to the left where the angle is positive."""

    angle_deg: float
    at_s: float

    def __post_init__(self) -> None:
        if not (self.at_s >= 0 and np.isfinite(self.at_s) and abs(self.angle_deg) <= 180.0):
            raise SettingsError(
                f"A turn needs an angle from -180 to 180 degrees and at >= 0 s; found {self.angle_deg:g} degrees, "
                f"at={self.at_s:g}."
            )

    @property
    def words(self) -> str:
        return f"turn by {self.angle_deg:g} degrees"


@dataclass(frozen=True, kw_only=True)
class Stance:
    """A foot stands on the ground, is off it, or slides over it without bearing, whatever the clip looks like."""

    foot: FootSide
    at_s: float
    for_s: float
    what: FootDoes

    def __post_init__(self) -> None:
        if not (self.at_s >= 0 and self.for_s > 0 and np.isfinite([self.at_s, self.for_s]).all()):
            raise SettingsError(
                f"A stance of the {self.foot} foot needs at >= 0 s and for > 0 s; found at={self.at_s:g}, "
                f"for={self.for_s:g}."
            )

    @property
    def words(self) -> str:
        return f"stance of the {self.foot} foot"


Disturbance: TypeAlias = Push | Pull | Throw | KeepLevel | Turn | Stance


@dataclass(frozen=True, kw_only=True)
class InFrames:
    """A disturbance as an animator times it: whatever rate the clip turns out to have, it comes at this frame."""

    of: Disturbance  # its own times stand for nothing
    frame: int  # of the clip, counted as the person does
    frames: int | None  # None where it has no length of its own
