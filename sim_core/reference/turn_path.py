"""A way that bends: the body goes on in another direction, and every foothold lies on the new way.

What the pelvis does is done in the direction that is reached by then, so its path is the old one, bent. A foot that
stands when a turn begins stays put; each later stance is placed as the body has it halfway through, so that hips turn
as little as can be over feet that stand, and a little outside of the bend, for the body to lean into it. Swinging feet
go through the bend from one to the next, and legs are bent to fit.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.ndimage import label

from .. import rotations
from ..arrays import Bools, Floats
from ..body.body import Body
from ..disturbances import Stance, Turn
from ..dynamics.kinematics import motion, pose
from ..dynamics.momentum import required_wrench
from ..dynamics.state_space import central_velocities
from ..errors import SettingsError
from ..filters import without_blinks
from ..motion.clip import Clip
from ..posing.body_motion import body_positions
from ..posing.recover_clip import recover_clip
from ..scene import Scene
from ..settings import ReferenceSettings
from .contacts import label_contacts
from .out_of_ground import set_turns
from .place_ankles import place_ankles

_FASTEST_RAD_S = np.radians(50.0)  # on average over a turn
_SHORTEST_S = 1.1  # two steps
_FARTHEST_OUT_M = 0.15
_INNER_SHARE = 0.5  # of that for the foot inside the bend, which has the other one in its way
_SHORTEST_SWING_S = 0.12  # a foot that is down again sooner stands where it stood
_SHORTEST_STANCE_S = 0.035
_TIGHTEST_S = 0.4  # what is left of a clip must be longer
_FORCE_WINDOW_S = 0.05


class _Bend(NamedTuple):
    """Where the plane is moved to, at every frame: turned about the origin, then shifted."""

    angles: Floats  # (T,) [rad], to the left
    shifts: Floats  # (T, 2) [m]

    def at(self, rows: Floats) -> "_Bend":
        """At rows, of which any may be between two."""
        known = np.arange(len(self.angles))
        x, y = (np.interp(rows, known, column) for column in self.shifts.T)
        return _Bend(np.interp(rows, known, self.angles), np.stack([x, y], axis=-1))

    def moved(self, points: Floats) -> Floats:
        """Points (T, 3) of every frame."""
        shifted: Floats = rotations.rotate(rotations.about_axis(2, self.angles), points)
        shifted[:, :2] += self.shifts
        return shifted


def turn_path(clip: Clip, body: Body, scene: Scene, turns: Sequence[Turn], stances: tuple[Stance, ...] = ()) -> Clip:
    """The same clip where nothing turns."""
    if not turns:
        return clip
    q = body_positions(clip, body)
    down = _feet_down(q, body, scene, clip.fps, stances)
    for turn in turns:
        _check_steps(turn, down, clip.fps)
    angles = sum((_angles(turn, clip) for turn in turns), np.zeros(len(clip)))
    before = pose(body, q)
    bend = _bend_of(angles, q[:, :2])
    outward = _outward(angles, bend.moved(before.com), scene, clip.fps)
    bent = q.copy()
    bent[:, :3] = bend.moved(q[:, :3])
    bent[:, 3:7] = rotations.continuous(rotations.multiply(rotations.about_axis(2, angles), q[:, 3:7]))
    first = round(min(turn.at_s for turn in turns) * clip.fps)
    targets = np.empty((len(q), 2, 3))
    for k, side in enumerate("lr"):
        inside = np.gradient(angles) * (1.0, -1.0)[k] > 0.0
        aside = np.where(inside[:, None], _INNER_SHARE, 1.0) * outward
        foot = _foot_bend(down[:, k], bend, aside, first)
        targets[:, k] = foot.moved(before.origins[:, body.index(f"foot_{side}")])
        _turn_leg(bent, body, side, foot.angles - angles)
    ankles = pose(body, bent).origins[:, [body.index("foot_l"), body.index("foot_r")]]
    placed = place_ankles(bent, body, scene.ground, clip.fps, targets - ankles, down.astype(float))
    return recover_clip(clip, body, placed)


def _check_steps(turn: Turn, down: Bools, fps: float) -> None:
    lands = down[1:] & ~down[:-1]
    if not lands[round(turn.at_s * fps) :].any():
        raise SettingsError(
            f"The {turn.words} finds no step to turn with, as no foot lands after {turn.at_s:.2f} s; let it begin "
            "earlier."
        )


def _angles(turn: Turn, clip: Clip) -> Floats:
    """(T,) how far a turn has come; its rate rises and falls softly."""
    whole = np.radians(turn.angle_deg)
    left_s = clip.duration_s - turn.at_s
    if left_s < _TIGHTEST_S:
        raise SettingsError(
            f"The {turn.words} begins {max(left_s, 0.0):.2f} s before the clip ends; let it begin at least "
            f"{_TIGHTEST_S:g} s before."
        )
    takes_s = min(max(abs(whole) / _FASTEST_RAD_S, _SHORTEST_S), left_s)
    u = np.clip((np.arange(len(clip)) / clip.fps - turn.at_s) / takes_s, 0.0, 1.0)
    angles: Floats = whole * u**3 * (10.0 - 15.0 * u + 6.0 * u**2)
    return angles


def _bend_of(angles: Floats, path: Floats) -> _Bend:
    """The pelvis' path (T, 2), each of its little ways turned by the angle that is reached there."""
    halfway = 0.5 * (angles[1:] + angles[:-1])
    ways = _turned(halfway, np.diff(path, axis=0))
    bent = np.concatenate([path[:1], path[:1] + np.cumsum(ways, axis=0)])
    return _Bend(angles, bent - _turned(angles, path))


def _outward(angles: Floats, com: Floats, scene: Scene, fps: float) -> Floats:
    """(T, 2) how much further outside the ground must carry a centre of mass (T, 3) than on a straight way [m].

    A pendulum of its height that is drawn inwards with an acceleration a stands a h / g outside of its middle.
    """
    speed = np.gradient(com[:, :2], 1.0 / fps, axis=0)
    inward = np.gradient(angles, 1.0 / fps)[:, None] * np.stack([-speed[:, 1], speed[:, 0]], axis=-1)
    outward: Floats = -inward * scene.ground.distance(com)[:, None] / scene.gravity
    length = np.linalg.norm(outward, axis=1, keepdims=True)
    bounded: Floats = outward * np.minimum(1.0, _FARTHEST_OUT_M / np.maximum(length, 1e-9))
    return bounded


def _turned(angles: Floats, vectors: Floats) -> Floats:
    """Vectors (T, 2) in the plane."""
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([c * vectors[:, 0] - s * vectors[:, 1], s * vectors[:, 0] + c * vectors[:, 1]], axis=-1)


class _Place(NamedTuple):
    """Where a stance is put."""

    row: float  # whose bend it is moved by
    aside: Floats  # (2,) besides [m]


def _foot_bend(down: Bools, bend: _Bend, outward: Floats, first: int) -> _Bend:
    """How one foot is moved: as the body is halfway through each stance, or not at all where one begins before `first`.

    A foot that swings goes through the bend from one such moment to the next, and so passes the other leg where the
    body does.
    """
    count = len(down)
    rows, aside = np.arange(count, dtype=float), np.zeros((count, 2))
    stances, stance_count = label(down)
    ended, last = 0, None  # where the swing before a stance begins, and the place that it comes from
    for stance in range(1, stance_count + 2):
        mine = np.flatnonzero(stances == stance)
        begin, end = (int(mine[0]), int(mine[-1]) + 1) if len(mine) else (count, count)
        place = None
        if len(mine):
            place = _Place(float(mine.mean()), outward[mine].mean(axis=0))
            if begin <= first:
                place = _Place(min(place.row, float(first)), np.zeros(2))
        swing = np.arange(ended, begin)
        u = (swing - ended + 1.0) / (begin - ended + 1.0)
        share = u**3 * (10.0 - 15.0 * u + 6.0 * u**2)
        comes_from, goes_to = (swing if one is None else one.row for one in (last, place))
        rows[ended:begin] = comes_from + share * (goes_to - comes_from)
        left, right = (np.zeros(2) if one is None else one.aside for one in (last, place))
        aside[ended:begin] = left + share[:, None] * (right - left)
        if place is not None:
            rows[begin:end], aside[begin:end] = place
        ended, last = end, place
    found = bend.at(rows)
    return found._replace(shifts=found.shifts + aside)


def _turn_leg(q: Floats, body: Body, side: str, angles: Floats) -> None:
    """Turns one leg of q in place about the upright line through its hip, by angles (T,)."""
    world = rotations.from_matrix(pose(body, q).R_world_link)
    thigh = body.index(f"thigh_{side}")
    world[:, thigh] = rotations.multiply(rotations.about_axis(2, angles), world[:, thigh])
    set_turns(q, body, world, [thigh])


def _feet_down(q: Floats, body: Body, scene: Scene, fps: float, stances: tuple[Stance, ...]) -> Bools:
    """(T, 2) left, right."""
    moving = motion(body, q, central_velocities(body, q, fps))
    needed = required_wrench(
        moving.pose.com,
        moving.angular_momentum,
        mass=body.mass,
        rate=fps,
        gravity=scene.gravity,
        window_s=_FORCE_WINDOW_S,
    )
    vertical = needed.force @ scene.ground.normal / (body.mass * scene.gravity)
    feet = label_contacts(body, moving, scene.ground, vertical, fps, ReferenceSettings(stances=stances)).feet
    return without_blinks(feet, fps, gap_s=_SHORTEST_SWING_S, touch_s=_SHORTEST_STANCE_S)
