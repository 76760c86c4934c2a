"""What a motion file leaves open: how large a unit is, which way is up, whether a rest pose comes first.

All guesses look at a clip in the file's own units and axes, and none at names.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..errors import MotionFileError
from .clip import Clip, rest_pose, world_pose
from .skeleton import Skeleton

UpAxis: TypeAlias = Literal["y", "z"]
JointPositions: TypeAlias = Literal["replace", "add"]

_SAMPLED_FRAMES = 48
_DIRECTIONS = 64
CMU_UNIT = 0.0254 / 0.45  # CMU's skeletons were fitted at 0.45 units an inch
_EVERYDAY_UNITS = (("centimetres", 0.01), ("metres", 1.0))
_COMMON_UNITS = (*_EVERYDAY_UNITS, ("the CMU library's units", CMU_UNIT))
_RARE_UNITS = (("millimetres", 0.001), ("inches", 0.0254), ("feet", 0.3048))
_PERSON = (1.2, 2.2)  # [m] end to end, child to tall adult
_STYLISED = (0.6, 3.2)  # [m] dwarfs and giants, believed only in everyday units
_USUAL_SIZE, _FITTED_SIZE = 1.7, 1.75  # [m]

_REST_MEAN, _REST_MAX = np.radians(12.0), np.radians(40.0)  # CMU's T-pose: 3.5 and 21 degrees
_SMALLEST_CUT = np.radians(2.0)  # a smaller jump hurts nobody
_CUT_RATIO = 2.0  # the least found in 38 CMU clips is 10.7, and 2.5 when they are thinned to 24 fps


@dataclass(frozen=True, kw_only=True)
class Guess:
    """Something assumed about a file; `reason` is a sentence for a person."""

    name: str
    value: float | int | str
    reason: str


class FigurePoints(NamedTuple):
    """Joints and tips of the figure in the file's own units and axes."""

    rest: Floats  # (P, 3)
    moving: Floats  # (S, P, 3) in frames spread over the clip


def figure_points(clip: Clip) -> FigurePoints:
    rest = rest_pose(clip.skeleton)
    frames = np.unique(np.linspace(0, len(clip) - 1, _SAMPLED_FRAMES).astype(int))
    moving = world_pose(clip.skeleton, clip.positions[frames], clip.rotations[frames])
    return FigurePoints(
        _points(clip.skeleton, rest.positions, rest.rotations),
        _points(clip.skeleton, moving.positions, moving.rotations),
    )


def _points(skeleton: Skeleton, positions: Floats, turns: Floats) -> Floats:
    """Every joint and tip of the figure, without the lone joints above it that only place it in the scene."""
    first = 0
    while len(skeleton.children[first]) == 1:
        first = skeleton.children[first][0]
    first = first if skeleton.children[first] else 0
    on_figure = skeleton.tip_parents >= first  # depth first: what is listed later hangs below
    parents = skeleton.tip_parents[on_figure]
    tips = positions[..., parents, :] + rotations.rotate(
        turns[..., parents, :],
        np.broadcast_to(skeleton.tip_offsets[on_figure], (*turns[..., parents, 0].shape, 3)),
    )
    return np.concatenate([positions[..., first:, :], tips], axis=-2)


def figure_size(points: FigurePoints, source_name: str) -> float:
    """The largest distance between two points, in file units: a person's height, or arm span, or both.

    A rest pose may be folded up and a clip may crouch; the larger of the two is nearer to the truth.
    """
    moving = np.array([_diameter(pose) for pose in points.moving])
    size = max(_diameter(points.rest), float(np.percentile(moving, 90)))
    if not size > 1e-6:
        raise MotionFileError(f"{source_name}: all joints lie in one point, so there is no figure to move.")
    return size


def _diameter(points: Floats) -> float:
    extents = np.ptp(points @ _DIRECTIONS_ON_HALF_SPHERE.T, axis=0)
    return float(np.max(extents))


def _half_sphere(count: int) -> Floats:
    """Directions spread evenly by the golden angle."""
    z = (np.arange(count) + 0.5) / count
    angle = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(count)
    radius = np.sqrt(1.0 - z * z)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), z], axis=-1)


_DIRECTIONS_ON_HALF_SPHERE = np.concatenate([np.eye(3), _half_sphere(_DIRECTIONS)])


def guess_scale(size: float) -> Guess:
    """The unit that makes the figure a person; `size` from end to end in file units."""
    stages = (
        (_COMMON_UNITS, _PERSON),
        (_RARE_UNITS, _PERSON),
        (_EVERYDAY_UNITS, _STYLISED),
    )
    for units, (shortest, tallest) in stages:
        fitting = [unit for unit in units if shortest <= size * unit[1] <= tallest]
        if fitting:
            name, metres = min(fitting, key=lambda unit: abs(np.log(size * unit[1] / _USUAL_SIZE)))
            reason = f"Units: {name} (one is {metres:.4g} m); it measures {size * metres:.2f} m from end to end."
            return Guess(name="metres_per_unit", value=metres, reason=reason)
    metres = _FITTED_SIZE / size
    reason = f"At {size:.4g} units the figure is a person in no usual unit; it is scaled to {_FITTED_SIZE} m."
    return Guess(name="metres_per_unit", value=metres, reason=reason)


def guess_up(points: FigurePoints, size: float) -> Guess:
    """Y or Z, by three votes from Z (negative) to Y: rest pose, poses of the clip, a steady lowest point.

    Motion alone errs on clips spent lying down, the rest pose alone on files whose root turns the figure up:
    the weight of the motion is the one that settles both rightly for standing and for lying CMU clips.
    """
    rest = np.ptp(points.rest, axis=0)
    moving = np.mean(np.ptp(points.moving, axis=1), axis=0)
    low = np.ptp(np.percentile(np.min(points.moving, axis=1), [5, 95], axis=0), axis=0)
    votes = [
        (rest[1] - rest[2]) / size,
        2.0 * (moving[1] - moving[2]) / size,
        (low[2] - low[1]) / (low[1] + low[2] + 0.1 * size),
    ]
    total = sum(votes)
    if abs(total) < 0.1:
        reason = "Nothing in the clip says which way is up; Y is taken, as most BVH files have it."
        return Guess(name="up", value="y", reason=reason)
    up = "y" if total > 0 else "z"
    seen_in = ("its rest pose", "the poses of the clip", "the level of its lowest point")
    witnesses = [what for what, vote in zip(seen_in, votes, strict=True) if vote * total > 0]
    reason = f"Up is {up.upper()}, by {' and '.join(witnesses)}."
    return Guess(name="up", value=up, reason=reason)


def count_t_pose_frames(clip: Clip) -> int:
    """How many first frames are a rest pose that was put in front of the motion.

    They are near the rest pose, much nearer than the motion is, and end in a cut: one jump far above all
    that follows. A performance that starts from a rest-like stance has no cut, and keeps its frames.
    """
    if len(clip) < 4 or len(clip.skeleton) < 2:
        return 0
    from_rest = rotations.angle_between(clip.skeleton.rest_rotations[1:], clip.rotations[:, 1:])  # (T, J - 1)
    jumps = np.mean(rotations.angle_between(clip.rotations[:-1, 1:], clip.rotations[1:, 1:]), axis=1)
    mean = np.mean(from_rest, axis=1)
    at_rest = (mean < min(_REST_MEAN, 0.5 * float(np.median(mean)))) & (np.max(from_rest, axis=1) < _REST_MAX)
    leading = len(at_rest) if np.all(at_rest) else int(np.argmin(at_rest))
    for count in range(min(leading, len(clip) - 3), 0, -1):
        cut, later = jumps[count - 1], jumps[count:]
        usual = max(np.percentile(later[:24], 90), np.percentile(later, 90))
        if cut > max(_SMALLEST_CUT, _CUT_RATIO * usual):
            return count
    return 0


def guess_t_pose(count: int) -> Guess:
    which = "Frame 1 is a T-pose" if count == 1 else f"Frames 1 to {count} are a T-pose"
    reason = f"{which} and stays as it is; the motion starts at frame {count + 1}."
    return Guess(name="t_pose_frames", value=count, reason=reason)


def guess_joint_positions(offsets: Floats, median_positions: Floats) -> Guess:
    """Whether position channels below the root (rows of both arrays) contain the OFFSET or come on top."""
    whole = np.linalg.norm(median_positions - offsets, axis=-1)
    on_top = np.linalg.norm(median_positions, axis=-1)
    if np.count_nonzero(on_top < whole) > np.count_nonzero(whole < on_top):
        reason = "The positions below the root stay around zero, so they are added to the joints' offsets."
        return Guess(name="joint_positions", value="add", reason=reason)
    reason = "The positions below the root look like the joints' offsets, so they take their place."
    return Guess(name="joint_positions", value="replace", reason=reason)
