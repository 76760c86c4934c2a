"""From what is asked for to a motion that rolls: in from a clip, over, and out again."""

import numpy as np

from .. import rotations
from ..arrays import Floats, Ints
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..errors import SettingsError
from ..posing.heading import facing_of
from ..settings import RollSettings
from .find_roll import find_roll
from .given_poses import cycle_with
from .half_roll import round_from_half
from .join import joined
from .made_rolls import End, made_roll
from .pose_cycle import PoseCycle
from .repeat_roll import Rolled, repeat_roll

_FADE_S = 0.35  # in which a clip becomes a roll, and a roll the clip
_FAST_M_S = 1.2  # who comes or leaves faster than this does not stop for the roll
_LIES = 0.25  # of body height: a centre of mass as low as this lies
_AROUND_S = 0.1
_NEARLY = 0.5  # [rad]


def plan_roll(
    body: Body,
    q: Floats,
    fps: float,
    floor_m: float,
    roll: RollSettings,
    *,
    first_number: int,  # that the person gives to the first frame
    poses: Floats | None = None,  # (K, nq) to roll through, of a roll that is made
) -> Rolled:
    """The motion q (T, nq) of a clip with its roll repeated, or a roll that begins in it."""
    if roll.kind == "clip":
        rows = _at_speed(len(q), roll.speed)
        found = find_roll(body, q[rows], fps)
        if found.turn < np.pi + _NEARLY:
            return round_from_half(body, q, fps, floor_m, find_roll(body, q, fps), roll.rolls or 1, roll.speed)
        rolled = repeat_roll(body, q[rows], fps, found, roll.rolls or 1)
        rolled = rolled._replace(source=rows[rolled.source])
        return _ended(rolled) if roll.then == "roll" else rolled
    frame = 0 if roll.at is None else roll.at - first_number
    if not 0 <= frame < len(q):
        raise SettingsError(
            f"Frame {roll.at} is none to roll from: choose one from {first_number} to {first_number + len(q) - 1}."
        )
    _check_lying(body, q[frame], floor_m, roll)
    return _within_clip(
        body, q, fps, floor_m, roll, frame, None if poses is None else cycle_with(body, roll.kind, poses)
    )


def _within_clip(
    body: Body, q: Floats, fps: float, floor_m: float, roll: RollSettings, frame: int, cycle: PoseCycle | None
) -> Rolled:
    here = pose(body, q[frame])
    usual = np.pi if roll.kind == "backward" else 0.0
    turn = 0.0 if roll.direction_deg is None else float(np.radians(roll.direction_deg)) - usual
    heading = facing_of(body, here) + usual + turn
    fast = _speed(body, q, fps, frame) > _FAST_M_S and roll.kind != "sideways"
    comes: End | None = "roll" if fast and frame > 0 else None
    leaves: End | None = "roll" if roll.then == "roll" else None

    def made(rolls: int) -> Rolled:
        return made_roll(
            body,
            roll.kind,
            rolls,
            fps=fps,
            begin_q=q[frame],
            heading=heading,
            place=np.array([*here.com[:2], floor_m]),
            speed=roll.speed,
            cycle=cycle,
            begins=comes,
            ends=leaves,
        )

    rolled = made(roll.rolls or _rolls_of(body, made(1), roll.distance_m))
    source = np.full(len(rolled.q), frame)
    overlap = max(2, round(_FADE_S * fps))
    if frame > 0:
        on = np.minimum(np.arange(frame + overlap), len(q) - 1)
        rolled = Rolled(
            q=joined(body, q[on], rolled.q, overlap),
            source=np.concatenate([np.arange(frame), source]),
            spans=tuple(span._replace(first=span.first + frame, last=span.last + frame) for span in rolled.spans),
        )
    if roll.then == "clip":
        rows = np.maximum(np.arange(frame - overlap, len(q)), 0)
        after = _turned(body, q[rows], turn, q[frame])
        rolled = rolled._replace(
            q=joined(body, rolled.q, after, overlap),
            source=np.concatenate([rolled.source, rows[overlap:]]),
        )
    rolled.q[:, 3:7] = rotations.continuous(rolled.q[:, 3:7])
    return rolled


def _at_speed(count: int, speed: float) -> Ints:
    rows: Ints = np.round(np.arange(0.0, count - 1 + 1e-9, speed)).astype(np.int64)
    return rows


def _ended(rolled: Rolled) -> Rolled:
    """Without what follows the last roll."""
    stop = rolled.spans[-1].last + 1
    return rolled._replace(q=rolled.q[:stop], source=rolled.source[:stop])


def _rolls_of(body: Body, one: Rolled, distance_m: float | None) -> int:
    if distance_m is None:
        return 1
    com = pose(body, one.q).com
    span = one.spans[0]
    return max(1, round(distance_m / max(float((com[span.last] - com[span.first]) @ span.ahead), 0.1)))


def _speed(body: Body, q: Floats, fps: float, frame: int) -> float:
    """[m/s] along the ground."""
    around = max(1, round(_AROUND_S * fps))
    first, last = max(frame - around, 0), min(frame + around, len(q) - 1)
    com = pose(body, q[[first, last]]).com
    return float(np.linalg.norm((com[1] - com[0])[:2]) * fps / max(last - first, 1))


def _turned(body: Body, q: Floats, angle: float, about: Floats) -> Floats:
    pivot, turn = pose(body, about).com, rotations.about_axis(2, np.array(angle))
    turned = q.copy()
    turned[:, :3] = pivot + rotations.rotate(turn, q[:, :3] - pivot)
    turned[:, 3:7] = rotations.multiply(turn, q[:, 3:7])
    return turned


def _check_lying(body: Body, q: Floats, floor_m: float, roll: RollSettings) -> None:
    lies = pose(body, q).com[2] - floor_m < _LIES * body.height
    if roll.kind == "sideways" and (roll.at is not None or roll.then in ("clip", "stand")) and not lies:
        raise SettingsError(
            "A sideways roll begins and ends lying, and the character stands there; choose a frame at which it lies, "
            "or leave out --roll-at and --then."
        )
