"""A clip whose roll is repeated: its way to the roll, the roll so many times, and what follows it."""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats, Ints
from ..body.body import Body
from ..dynamics.kinematics import motion, pose
from ..dynamics.state_space import central_velocities, difference, integrate
from ..roll_span import RollSpan
from .excursion import excursion, mean_spin
from .find_roll import FoundRoll, heading_change

_FADE_S = 0.25  # in which the end of a roll becomes the beginning of the next
_MOST_FADE = 0.35  # of a roll
_FROM, _TO = 0.12, 0.93  # of its turn: what is followed by how far it turns
_VERTICAL = np.array([0.0, 0.0, 1.0])


class Rolled(NamedTuple):
    """A motion that rolls, one row a frame."""

    q: Floats  # (T, nq)
    source: Ints  # (T,) the frame that each comes from, for whatever is not simulated
    spans: tuple[RollSpan, ...]  # frames that are followed by how far they turn


def repeat_roll(body: Body, q: Floats, fps: float, found: FoundRoll, rolls: int) -> Rolled:
    """The motion q (T, nq) with its roll repeated, each in the direction of the first."""
    whole = _whole_turn(body, q, found)
    straight = _straightened(body, whole.q, whole.first, whole.last)
    length = whole.last - whole.first
    fade = min(round(_FADE_S * fps), round(_MOST_FADE * length), whole.first)
    com = pose(body, straight).com
    step = (com[whole.last] - com[whole.first]) * (1.0 - _VERTICAL)
    out = [straight[: whole.last]]
    source = [whole.source[: whole.last]]
    for k in range(1, rolls):
        before = slice(whole.first - fade, whole.first)
        moved = _moved(straight, k * step)
        out[-1][-fade or len(out[-1]) :] = _faded(body, out[-1][-fade or len(out[-1]) :], moved[before])
        out.append(moved[whole.first : whole.last])
        source.append(whole.source[whole.first : whole.last])
    out.append(_moved(straight, (rolls - 1) * step)[whole.last :])
    source.append(whole.source[whole.last :])
    joined = np.concatenate(out)
    joined[:, 3:7] = rotations.continuous(joined[:, 3:7])
    return Rolled(
        q=joined,
        source=np.concatenate(source),
        spans=_spans(body, joined, fps, whole.first, length, rolls, found.axis, _ahead(step, found.axis)),
    )


def _spans(
    body: Body, q: Floats, fps: float, first: int, length: int, rolls: int, axis: Floats, ahead: Floats
) -> tuple[RollSpan, ...]:
    """Of each roll, the part in which it turns: what comes before and after stands, walks or runs."""
    turned = excursion(mean_spin(body, motion(body, q, central_velocities(body, q, fps))), fps) @ axis
    spans = []
    for begin in range(first, first + rolls * length, length):
        phase = np.maximum.accumulate(turned[begin : begin + length] - turned[begin])
        start, end = np.searchsorted(phase, np.array([_FROM, _TO]) * phase[-1])
        spans.append(RollSpan(begin + int(start), begin + int(end), _TO - _FROM, axis, ahead))
    return tuple(spans)


class _Whole(NamedTuple):
    q: Floats
    source: Ints
    first: int
    last: int


def _whole_turn(body: Body, q: Floats, found: FoundRoll) -> _Whole:
    return _Whole(q.copy(), np.arange(len(q)), found.first, found.last)


def _straightened(body: Body, q: Floats, first: int, last: int) -> Floats:
    """Turned back about the vertical, more and more, so that the roll ends facing as it began."""
    away = heading_change(q[first], q[last])
    share = np.clip((np.arange(len(q)) - first) / max(last - first, 1), 0.0, 1.0)
    return _turned(body, q, -away * share, last)


def _turned(body: Body, q: Floats, angles: Floats, last: int) -> Floats:
    """Each row turned about the vertical through its centre of mass; after the last about that of the last."""
    com = pose(body, q).com
    pivot = com[np.minimum(np.arange(len(q)), last)]
    turn = rotations.about_axis(2, angles)
    turned = q.copy()
    turned[:, :3] = pivot + rotations.rotate(turn, q[:, :3] - pivot)
    turned[:, 3:7] = rotations.multiply(turn, q[:, 3:7])
    return turned


def _moved(q: Floats, by: Floats) -> Floats:
    moved = q.copy()
    moved[:, :3] += by
    return moved


def _faded(body: Body, old: Floats, new: Floats) -> Floats:
    """From one motion to another, smoothly."""
    share = (np.arange(len(old)) + 1.0) / (len(old) + 1.0)
    eased = share**2 * (3.0 - 2.0 * share)
    return integrate(body, old, eased[:, None] * difference(body, new, old))


def _ahead(step: Floats, axis: Floats) -> Floats:
    """Where a body goes that turns about an axis: across it, or along its own way where that is clear."""
    across = rotations.cross(axis, _VERTICAL)
    along = step / max(float(np.linalg.norm(step)), 1e-9)
    ahead: Floats = along if along @ across > np.cos(np.radians(40.0)) else across
    return ahead
