"""Where the arrow of a disturbance lies, and the words beside it; no bpy here."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..disturbances.disturbance import Disturbance
from .flat_geometry import Floats

_METRES_PER_NEWTON = 1.0 / 400.0
_SECONDS = 0.15  # the length of a throw's arrow is the way that it flies in this time
_LONGEST_M = 1.5
_ONWARD_M = 0.8  # of the arrow that shows a turn
_MOMENT = 12  # frames for which something is shown that happens at once


class Arrow(NamedTuple):
    """In the world, in Blender's units."""

    tail: Floats  # (3,)
    tip: Floats  # (3,)
    held: str  # the end that stays where it is when a short arrow is lengthened: "tail" or "tip"
    words: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Stance:
    """The character in the frame that is drawn, in Blender's units."""

    place: Floats  # (3,) of the bone
    forward: Floats  # (3,) unit, level
    units_per_metre: float

    @property
    def axes(self) -> Floats:
        """(3, 3) columns: forward, left, up."""
        up = np.array([0.0, 0.0, 1.0])
        return np.stack([self.forward, np.cross(up, self.forward), up], axis=1)


def is_shown(item: Disturbance, frame: int) -> bool:
    """Something thrown is shown before it hits, a turn from its frame on."""
    if item.kind == "KEEP_LEVEL" and item.whole_clip:
        return True
    if item.kind == "THROW":
        return item.frame - _MOMENT < frame <= item.frame
    length = _MOMENT if item.kind == "TURN" else item.frames
    return item.frame <= frame < item.frame + length


def arrow(item: Disturbance, stance: Stance, handle: Floats | None = None) -> Arrow | None:
    """With the matrix (4, 4) of its handle. None for what has no direction, such as a thing that is kept level."""
    if item.kind == "PUSH":
        return _push(item, stance, handle)
    if item.kind == "THROW":
        return _throw(item, stance, handle)
    if item.kind == "PULL":
        tip = np.array(item.points[0]) if handle is None else handle[:3, 3]
        return Arrow(stance.place, tip, "tail", f"{item.strength:.0f} N")
    if item.kind == "TURN":
        angle = np.radians(item.degrees)
        onward = stance.axes @ np.array([np.cos(angle), np.sin(angle), 0.0])
        way = _ONWARD_M * stance.units_per_metre * onward
        return Arrow(stance.place, stance.place + way, "tail", f"{item.degrees:+.0f}°")
    return None


def _push(item: Disturbance, stance: Stance, handle: Floats | None) -> Arrow | None:
    if handle is not None:
        force = item.strength * _unit(handle[:3, 2])
    else:
        force = np.array(item.force)
        force = stance.axes @ force if item.space == "CHARACTER" else force
    newtons = float(np.linalg.norm(force))
    if not newtons:
        return None
    length = min(_METRES_PER_NEWTON * newtons, _LONGEST_M) * stance.units_per_metre
    return Arrow(stance.place - length * force / newtons, stance.place, "tip", f"{newtons:.0f} N")


def _throw(item: Disturbance, stance: Stance, handle: Floats | None) -> Arrow | None:
    length = min(_SECONDS * item.speed, _LONGEST_M) * stance.units_per_metre
    if handle is not None:
        way = handle[:3, 3] - stance.place
        if np.linalg.norm(way) < 0.1 * stance.units_per_metre:
            way = -handle[:3, 2]
    elif item.side == "DIRECTION":
        way = np.array(item.direction)
    else:
        sides = {"LEFT": (0, 1, 0), "RIGHT": (0, -1, 0), "FRONT": (1, 0, 0), "BACK": (-1, 0, 0)}
        way = stance.axes @ np.array(sides[item.side], dtype=float)
    if not np.linalg.norm(way):
        return None
    words = f"{item.mass:.3g} kg, {item.speed:.3g} m/s"
    return Arrow(stance.place + length * _unit(way), stance.place, "tip", words)


def _unit(vector: Floats) -> Floats:
    return vector / max(float(np.linalg.norm(vector)), 1e-12)
