"""Reads DeepMimic's motion files (JSON, Y up, a quaternion or an angle a joint) onto the samples' figure.

A row holds its duration [s], the root's place [m] and rotation (wxyz), then the joints. Body frames there have x
forward, y up and z right; here x left and z forward, so that every rotation is seen through one quarter turn.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

from .. import rotations
from ..arrays import Floats
from ..errors import MotionFileError, SettingsError
from ..motion.clip import Clip
from .figure import ANKLE_HEIGHT, STANDING, make_figure

FPS = 60.0  # the files have 16 to 60, some unevenly
_THEIR_ANKLE_HEIGHT = 0.05  # [m] above the sole of DeepMimic's box feet
_FIGURE_FROM_FILE = rotations.about_axis(1, np.array(-0.5 * np.pi))

_ROOT_PLACE, _ROOT_TURN = slice(1, 4), slice(4, 8)
_BALLS = {
    "Chest": slice(8, 12),
    "RightUpLeg": slice(16, 20),
    "RightFoot": slice(21, 25),
    "RightArm": slice(25, 29),
    "LeftUpLeg": slice(30, 34),
    "LeftFoot": slice(35, 39),
    "LeftArm": slice(39, 43),
}
_NECK = slice(12, 16)
_HINGES = {"RightLeg": 20, "RightForeArm": 29, "LeftLeg": 34, "LeftForeArm": 43}
_COLUMNS = 44


@dataclass(frozen=True, kw_only=True, eq=False)
class Motion:
    """The rows of a file on the figure, at the file's own times."""

    times: Floats  # (T,) [s]
    positions: Floats  # (T, 3) the root in the world [m]
    rotations: Floats  # (T, J, 4) as a clip has them
    loops: bool


def read_deepmimic(path: Path) -> Motion:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        rows = np.array(content["Frames"], dtype=float)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise MotionFileError(f"'{path.name}' is no DeepMimic motion ({error}); install PyBullet again.") from error
    if rows.ndim != 2 or len(rows) < 2 or rows.shape[1] != _COLUMNS or not np.all(np.isfinite(rows)):
        raise MotionFileError(f"'{path.name}' is no DeepMimic motion of a humanoid; install PyBullet again.")
    place = rotations.rotate(STANDING, rotations.rotate(_FIGURE_FROM_FILE, rows[:, _ROOT_PLACE]))
    return Motion(
        times=np.concatenate([[0.0], np.cumsum(rows[:-1, 0])]),  # the last row's duration is not used
        positions=place + np.array([0.0, 0.0, ANKLE_HEIGHT - _THEIR_ANKLE_HEIGHT]),
        rotations=_turns(rows),
        loops=content.get("Loop") == "wrap",
    )


def _turns(rows: Floats) -> Floats:
    skeleton = make_figure()
    turns = np.tile(rotations.IDENTITY, (len(rows), len(skeleton), 1))
    turns[:, 0] = rotations.multiply(STANDING, _seen_from_figure(rows[:, _ROOT_TURN]))
    for name, columns in _BALLS.items():
        turns[:, skeleton.index(name)] = _seen_from_figure(rows[:, columns])
    for name, column in _HINGES.items():
        turns[:, skeleton.index(name)] = _seen_from_figure(rotations.about_axis(2, rows[:, column]))
    half = rotations.exp(0.5 * rotations.log(_seen_from_figure(rows[:, _NECK])))  # neck and head share one joint
    turns[:, skeleton.index("Neck")] = turns[:, skeleton.index("Head")] = half
    return rotations.continuous(turns)


def _seen_from_figure(q: Floats) -> Floats:
    unit = rotations.normalise(q)  # some files are off by up to 40 %
    turned = rotations.rotate(np.broadcast_to(_FIGURE_FROM_FILE, unit.shape), unit[:, 1:])
    return np.concatenate([unit[:, :1], turned], axis=-1)


def clip_of(motion: Motion, seconds: float | None = None) -> Clip:
    """The motion as a clip, cut or repeated to so many seconds."""
    length = float(motion.times[-1])
    if seconds is not None and seconds > length + 1e-9:
        if not motion.loops:
            raise SettingsError(f"This motion lasts {length:.1f} s and does not repeat; ask for no more seconds.")
        motion = _repeated(motion, int(np.ceil(seconds / length - 1e-9)))
    end = float(motion.times[-1]) if seconds is None else seconds
    times = np.arange(int(np.floor(end * FPS + 1e-6)) + 1) / FPS
    skeleton = make_figure()
    positions = np.tile(skeleton.offsets, (len(times), 1, 1))
    positions[:, 0] = CubicSpline(motion.times, motion.positions)(times)
    turns = rotations.normalise(CubicSpline(motion.times, motion.rotations)(times))
    return Clip(skeleton=skeleton, fps=FPS, positions=positions, rotations=turns)


def _repeated(motion: Motion, cycles: int) -> Motion:
    """Cycle after cycle along the root's path, which keeps its heading.

    The files' cycles do not quite close: what is missing from last to first row is shared out evenly over the cycle.
    """
    share = motion.times / motion.times[-1] - 0.5  # of the gap: taken back at the start, given at the end
    gap = rotations.log(rotations.multiply(rotations.inverse(motion.rotations[-1]), motion.rotations[0]))
    closed = rotations.multiply(motion.rotations, rotations.exp(share[:, None, None] * gap))
    travel = motion.positions[-1] - motion.positions[0]
    places = motion.positions - share[:, None] * np.array([0.0, 0.0, travel[2]])
    along = travel * np.array([1.0, 1.0, 0.0])
    later = range(1, cycles)
    return Motion(
        times=np.concatenate([motion.times, *(motion.times[1:] + k * motion.times[-1] for k in later)]),
        positions=np.concatenate([places, *(places[1:] + k * along for k in later)]),
        rotations=rotations.continuous(np.concatenate([closed, *(closed[1:] for _ in later)])),
        loops=True,
    )
