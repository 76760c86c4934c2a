"""Rolls made by code alone, for any biped body: from a stand down into a crouch, over as often as asked, and up again.

Nothing here is physical but the ground: the motion is one for a controller to follow.
"""

from typing import Literal, TypeAlias

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..dynamics.state_space import difference, integrate
from ..errors import SettingsError
from ..roll_span import RollSpan
from .key_poses import KINDS, RollKind, frame_of
from .pose_cycle import TURN, PoseCycle, cycle_of_kind
from .repeat_roll import Rolled
from .roll_path import RollPath
from .roll_times import RollTimes, eased, like_a_ball
from .stand_feet import feet_of, half_stride, lowest, middle_of_ankles, planted, standing

End: TypeAlias = Literal["stand", "roll", "lie"]

_DOWN_S, _UP_S, _STILL_S = 0.7, 0.8, 0.3
_SETTLES_S = 1.0  # at the end of who lies: a body rolls a little too far, and back
_PACES = {"stand": 0.6, "lie": 0.0, "roll": 1.0}  # shares of its usual rate at which a roll begins and ends
_FEET_LEAVE = 0.6  # of the way down, and up: from where on the feet need not be as they stand


def made_roll(
    body: Body,
    kind: str,
    rolls: int,
    *,
    fps: float,
    begin_q: Floats | None = None,
    heading: float = 0.0,
    place: Floats | None = None,
    speed: float = 1.0,
    cycle: PoseCycle | None = None,
    begins: End | None = None,
    ends: End | None = None,
    to_right: bool = False,
) -> Rolled:
    """A motion that rolls along a heading [rad] (0 is world X) from a place on the ground.

    It stands with the ankles about that place at first, in the pose begin_q (turned to the heading) or its own; what
    rolls sideways lies there, and turns to its left unless told otherwise. A speed of 2 is twice as fast.
    """
    made = _kind(kind)
    begins, ends = _ends(made, kind, begins, ends)
    path = RollPath(
        body,
        cycle or cycle_of_kind(body, kind),
        frame_of(made, to_right),
        made.hands,
        limbs_give_way=made.lies and cycle is not None,
    )
    along = _lying(body, path, made, rolls, fps / speed, begins, ends) if made.lies else None
    if along is None:
        along = _from_stand(body, path, made, rolls, fps / speed, begins, ends, begin_q)
    q, first, last = along
    turn = rotations.about_axis(2, np.array(heading))
    q[:, :3] = rotations.rotate(turn, q[:, :3])
    q[:, 3:7] = rotations.continuous(rotations.multiply(turn, q[:, 3:7]))
    q[:, :3] += np.zeros(3) if place is None else place
    axis, ahead = rotations.rotate(turn, np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))
    return Rolled(
        q=q,
        source=np.zeros(len(q), dtype=np.int64),
        spans=(RollSpan(first, last, rolls, axis, ahead, is_led=not made.lies),),
    )


def _kind(kind: str) -> RollKind:
    if kind not in KINDS:
        raise SettingsError(f"There is no roll '{kind}'. Choose one of: {', '.join(KINDS)}.")
    return KINDS[kind]


def _ends(made: RollKind, kind: str, begins: End | None, ends: End | None) -> tuple[End, End]:
    usual: End = "lie" if made.lies else "stand"
    for end in (begins, ends):
        if end not in (None, "roll", usual):
            raise SettingsError(
                f"A {kind} roll cannot begin or end with '{end}': it can '{usual}' or 'roll'"
                + (", since who rolls sideways lies." if made.lies else ".")
            )
    return begins or usual, ends or usual


_Along: TypeAlias = tuple[Floats, int, int]  # the motion, and the frames at which its rolling begins and ends


def _lying(body: Body, path: RollPath, made: RollKind, rolls: int, fps: float, begins: End, ends: End) -> _Along:
    """From lying still to lying still."""
    still_in = _STILL_S if begins == "lie" else 0.0
    still_out = _SETTLES_S if ends == "lie" else 0.0
    times = _times(path, made, rolls, begins, ends)
    frames = np.arange(round((still_in + times.whole + still_out) * fps) + 1) / fps - still_in
    q = path.at(times.phases(frames))
    q[:, :3] -= pose(body, q[0]).com * np.array([1.0, 1.0, 0.0])
    return q, round(still_in * fps), round((still_in + times.rolling) * fps)


def _times(path: RollPath, made: RollKind, rolls: int, begins: End, ends: End) -> RollTimes:
    return RollTimes(
        before=_DOWN_S if begins == "stand" else 0.0,
        a_roll=made.seconds,
        after=_UP_S if ends == "stand" else 0.0,
        rolls=rolls,
        paces=(_PACES[begins], _PACES[ends]),
        law=like_a_ball(path.weight(np.linspace(0.0, TURN, 361)), made.evenness, made.rests),
    )


def _from_stand(
    body: Body,
    path: RollPath,
    made: RollKind,
    rolls: int,
    fps: float,
    begins: End,
    ends: End,
    begin_q: Floats | None,
) -> _Along:
    times = _times(path, made, rolls, begins, ends)
    still = _STILL_S if ends == "stand" else 0.0
    frames = np.arange(round((times.whole + still) * fps) + 1) / fps
    q = path.at(times.phases(frames))
    crouches = path.at(np.array([0.0, TURN * rolls]))
    stand = standing(body, frame_of(made), begin_q)
    stride = half_stride(body, stand)
    ankles = middle_of_ankles(body, crouches) - np.array([stride, 0.0, 0.0])
    q[:, :3] -= ankles[0] * np.array([1.0, 1.0, 0.0])
    end = stand.copy()
    end[:2] += (ankles[1] - ankles[0])[:2] + np.array([2.0 * stride, 0.0])
    if begins == "stand":
        q = _led(body, q, stand, 1.0 - frames / times.before)
    if ends == "stand":
        q = _led(body, q, end, (frames - times.before - times.rolling) / times.after)
    return q, round(times.before * fps), round((times.before + times.rolling) * fps)


def _led(body: Body, q: Floats, stand: Floats, shares: Floats) -> Floats:
    """The motion q, which becomes a stand as shares (T,) go from 0 to 1; feet that stand stay."""
    rows = np.flatnonzero(shares > 0.0)
    led = q.copy()
    weights = eased(shares[rows])
    blended = integrate(body, q[rows], weights[:, None] * difference(body, stand, q[rows]))
    # The weight goes straight from one to the other, not with the hips back and forth.
    com = pose(body, q[rows]).com
    wanted = com + weights[:, None] * (pose(body, stand).com - com)
    blended[:, :2] += (wanted - pose(body, blended).com)[:, :2]
    firm = eased(shares[rows] / (1.0 - _FEET_LEAVE))
    on_feet = planted(body, blended, feet_of(body, stand), firm)
    on_feet[:, 2] -= (1.0 - firm) * lowest(body, on_feet)
    led[rows] = on_feet
    return led
