"""What the clip says of each foot: which way its sole faces, and how far the sole lies below ankle and ball.

Rest poses rarely have exact feet, and a sole that is off by five degrees stands on two corners. So the sole is measured
where the foot stands still and low; the rest pose serves where a clip has no such frames.
"""

from dataclasses import dataclass, replace

import numpy as np

from .. import rotations
from ..arrays import Bools, Floats
from .anthropometry import ANKLE_HEIGHT, BALL_AHEAD_OF_ANKLE, BALL_HEIGHT, TOE_LENGTH
from .rig_geometry import RigGeometry

_STILL_SPEED = 0.2  # m/s
_STILL_SECONDS = 0.1  # needed in all to trust the measurement
_LOW = 0.04  # m above the foot's own low level
_NEAREST_BALL = 0.02  # of height: a ball nearer to the ankle than this does not say where the foot points
_FARTHEST_FROM_REST = np.radians(35.0)
_MOST_DIFFERENCE = 0.015  # of height: what one sole may be thicker than the tables say


@dataclass(frozen=True, kw_only=True, eq=False)
class Foot:
    """In the frame of the foot's bone; `toe_up` and `toe_forward` in that of the toes (the foot's without toes)."""

    up: Floats  # (3,) away from the sole
    forward: Floats  # (3,) from heel to toe, along the sole
    ball: Floats  # (3,) the ball of the foot, where toes bend
    ankle_height: float  # of the ankle above the sole [m]
    toe_up: Floats
    toe_forward: Floats
    toe_length: float  # beyond the ball [m]


def measure_feet(rig: RigGeometry, height: float) -> dict[str, Foot]:
    """The feet by side, "l" and "r", standing on one floor.

    A leg's bones are rarely as long as the other's to the centimetre, and a straight knee bends by 18 degrees for a
    foot that is one centimetre too low: so the soles take up what the standing ankles differ.
    """
    still = {side: _still_frames(rig, side) for side in "lr"}
    feet = {side: _measure_foot(rig, side, height, still[side]) for side in "lr"}
    standing = [side for side in "lr" if _enough(rig, still[side])]
    if len(standing) < 2:
        return feet
    ankles = {side: float(np.median(_foot_positions(rig, side)[still[side], 0, 2])) for side in "lr"}
    floor = np.mean([ankles[side] - feet[side].ankle_height for side in "lr"])
    most = _MOST_DIFFERENCE * height
    changes = {
        side: float(np.clip(ankles[side] - floor - foot.ankle_height, -most, most)) for side, foot in feet.items()
    }
    return {
        side: replace(foot, ankle_height=max(foot.ankle_height + changes[side], _thinnest(foot, height)))
        for side, foot in feet.items()
    }


def _thinnest(foot: Foot, height: float) -> float:
    """The least height of the ankle that leaves the toes some thickness below the ball."""
    return 0.5 * BALL_HEIGHT * height - float(foot.ball @ foot.up)


def _measure_foot(rig: RigGeometry, side: str, height: float, still: Bools) -> Foot:
    foot, toes = f"foot_{side}", f"toes_{side}"
    has_toes = toes in rig.bones
    rest_up = rig.direction(foot, rig.axes.up)
    ball = rig.offset(toes) if has_toes else _ball_without_toes(rig, foot, height, rest_up)
    up = _sole_normal(rig, rig.bones[foot], still, rest_up)
    forward = _forward(rig, foot, ball, up, height)
    toe_up, toe_forward = up, forward
    if has_toes:
        toe_up = _sole_normal(rig, rig.bones[toes], still, rig.direction(toes, rig.axes.up))
        in_world = rotations.rotate(rig.rest.rotations[rig.bones[foot]], forward)
        toe_forward = _across(rig.direction(toes, in_world), toe_up)
    return Foot(
        up=up,
        forward=forward,
        ball=ball,
        ankle_height=max(BALL_HEIGHT * height - float(ball @ up), 0.5 * ANKLE_HEIGHT * height),
        toe_up=toe_up,
        toe_forward=toe_forward,
        toe_length=_toe_length(rig, toes if has_toes else foot, height, ball),
    )


def _forward(rig: RigGeometry, foot: str, ball: Floats, up: Floats, height: float) -> Floats:
    """Where the ball lies; where a rig has its toes at the ankle or straight below, where the body faces."""
    flat = ball - (ball @ up) * up
    known = float(np.linalg.norm(flat)) > _NEAREST_BALL * height
    return _across(ball if known else rig.direction(foot, rig.axes.forward), up)


def _across(vector: Floats, normal: Floats) -> Floats:
    """The unit direction of a vector within the plane across the normal."""
    flat = vector - (vector @ normal) * normal
    result: Floats = flat / np.linalg.norm(flat)
    return result


def _ball_without_toes(rig: RigGeometry, foot: str, height: float, up: Floats) -> Floats:
    """The ball from the foot's tip where the rig has one, else straight ahead of the ankle."""
    tip = rig.tip(foot)
    ahead = rig.direction(foot, rig.axes.forward) if tip is None else tip - (tip @ up) * up
    if np.linalg.norm(ahead) < _NEAREST_BALL * height:
        ahead = rig.direction(foot, rig.axes.forward)
    ahead = ahead / np.linalg.norm(ahead)
    return ahead * BALL_AHEAD_OF_ANKLE * height - up * (ANKLE_HEIGHT - BALL_HEIGHT) * height


def _toe_length(rig: RigGeometry, segment: str, height: float, ball: Floats) -> float:
    tip = rig.tip(segment)
    if tip is None:
        return TOE_LENGTH * height
    length = np.linalg.norm(tip if segment.startswith("toes") else tip - ball)
    return float(np.clip(length, 0.75 * TOE_LENGTH * height, 1.25 * TOE_LENGTH * height))


def _still_frames(rig: RigGeometry, side: str) -> Bools:
    """Frames in which the whole foot stands: ankle and ball slow, the foot low and its ankle not raised."""
    if len(rig.clip) < 3:
        return np.zeros(len(rig.clip), dtype=bool)
    positions = _foot_positions(rig, side)
    speeds = np.linalg.norm(np.gradient(positions, 1.0 / rig.clip.fps, axis=0), axis=-1)
    lower_foot = np.minimum(*(_foot_positions(rig, either)[:, -1, 2] for either in "lr"))
    low = positions[:, -1, 2] < np.percentile(lower_foot, 5) + _LOW
    still: Bools = np.all(speeds < _STILL_SPEED, axis=1) & low
    if still.any():
        still &= positions[:, 0, 2] < np.median(positions[still, 0, 2]) + 0.015
    return still


def _foot_positions(rig: RigGeometry, side: str) -> Floats:
    """(T, 1 or 2, 3) the ankle and, where the rig has toes, the ball."""
    bones = [rig.bones[name] for name in (f"foot_{side}", f"toes_{side}") if name in rig.bones]
    positions: Floats = rig.world.positions[:, bones]
    return positions


def _enough(rig: RigGeometry, still: Bools) -> bool:
    return bool(still.sum() >= _STILL_SECONDS * rig.clip.fps)


def _sole_normal(rig: RigGeometry, bone: int, still: Bools, rest_up: Floats) -> Floats:
    """The direction in the bone's frame that points up while the foot stands."""
    if not _enough(rig, still):
        return rest_up
    world_up = np.broadcast_to([0.0, 0.0, 1.0], (int(still.sum()), 3))
    up = np.median(rotations.rotate(rotations.inverse(rig.world.rotations[still, bone]), world_up), axis=0)
    up = up / np.linalg.norm(up)
    return up if np.arccos(np.clip(up @ rest_up, -1, 1)) < _FARTHEST_FROM_REST else rest_up
