"""Getting up: from the pose in which a body lies, over key poses, to a quiet stand; a motion to be followed."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.dynamics import Dynamics
from ..dynamics.kinematics import pose
from ..filters import low_pass
from ..posing.body_motion import normalised
from ..posing.heading import axes_facing
from ..rolling.anatomical_pose import Angles, posed
from ..rolling.level_feet import root_axes
from ..rolling.roll_times import eased
from ..rolling.stand_feet import lowest, standing
from .get_up_poses import ALL_FOURS_TO_FEET, ON_BACK, ON_FRONT, ON_SIDE, Beside, GetUpKey
from .settle import Aims, limited, points_of, settled

_LAST_STEP_S, _STILL_S = 0.5, 0.5
_ON_FRONT_DEG, _ON_BACK_DEG = 40.0, 110.0  # of twist: less lies on the front, more on the back
_KEY_ROUNDS, _ROUNDS = 60, 4
_RATE = 30.0  # at which it is worked out
_CUTOFF_HZ = 5.0
_ROOT_STAYS = (3.0, 3.0, 3.0)  # how much the root's way between keys counts, as a radian of joints does
_LIES = (3.0, 3.0, 100.0)  # and while the trunk bears, which limbs that are drawn in do not lift
_OF_TRUNK = ("shoulder", "hip")  # which come down with it
_LIFTED = 0.05  # of body height: how high hands and feet are lifted on their way
_UP = np.array([0.0, 0.0, 1.0])
_LEVEL = np.array([1.0, 1.0, 0.0])


class Lying(NamedTuple):
    heading: float  # [rad] where the head is, seen from the pelvis
    twist: float  # [rad] of the pelvis about its own up axis; 0 on the front, positive over the right side
    side: float  # 1 where it turns over its right side, else -1


def lying_in(body: Body, q: Floats) -> Lying:
    """How a pose lies."""
    right, front, head = rotations.rotate(q[3:7], root_axes(body))
    heading = float(np.arctan2(head[1], head[0]))
    twist = float(np.arctan2(-right[2], -front[2]))
    return Lying(heading, twist, 1.0 if twist >= 0.0 else -1.0)


def get_up(body: Body, q: Floats, ground_m: float, fps: float) -> Floats:
    """(T, nq) from a pose (nq,) that lies on level ground to a stand; its first row is that pose."""
    lies = lying_in(body, q)
    here = q.copy()
    here[2] -= ground_m
    keys = [_sided(key, lies.side) for key in _keys(lies)]
    solved = _solved(body, here, keys, lies)
    keys_there = [_Solved(0.0, here, (), (), _middles(body, here)), *solved]
    way = _Way(body, keys_there)
    motion = [here]
    for time in np.arange(1, round(way.seconds * _RATE) + 1) / _RATE:
        motion.append(way.at(motion[-1], float(time)))
    motion += [motion[-1]] * round(_STILL_S * _RATE)
    whole = np.array(motion)
    whole[:, 2] += ground_m
    for part in _rotations(body):
        whole[:, part] = rotations.continuous(whole[:, part])
    smooth = low_pass(whole, _RATE, _CUTOFF_HZ)
    times = np.arange(len(whole)) / _RATE
    frames = np.arange(int(times[-1] * fps + 1e-6) + 1) / fps
    resampled = limited(body, normalised(CubicSpline(times, smooth, axis=0)(frames), body))
    resampled[0] = q
    return resampled


def _rotations(body: Body) -> list[slice]:
    balls = [body.q_slice[link.name] for link in body.links[1:] if link.joint.kind == "ball"]
    return [slice(3, 7), *balls]


def _keys(lies: Lying) -> tuple[GetUpKey, ...]:
    twist = abs(np.degrees(lies.twist))
    if twist < _ON_FRONT_DEG:
        return (*ON_FRONT, *ALL_FOURS_TO_FEET)
    return (*(ON_BACK if twist > _ON_BACK_DEG else ()), *ON_SIDE, *ALL_FOURS_TO_FEET)


_OTHER = {"_l": "_r", "_r": "_l"}
_MIDDLE = ("trunk", "neck")  # which are no limbs


def _sided(key: GetUpKey, side: float) -> GetUpKey:
    """The key, or its mirror image."""
    if side > 0.0:
        return key
    mirrored: Angles = {
        _other(name): (pitch, -roll, -twist) if name in _MIDDLE else (pitch, roll, twist)
        for name, (pitch, roll, twist) in key.angles.items()
    }
    return key._replace(
        twist=-key.twist,
        angles=mirrored,
        bears=tuple(_other(name) for name in key.bears),
        over=None if key.over is None else {_other(name): share for name, share in key.over.items()},
        beside={
            _other(name): Beside(_other(there.support), there.ahead, -there.right) for name, there in key.beside.items()
        },
    )


def _other(name: str) -> str:
    return name[:-2] + _OTHER[name[-2:]] if name[-2:] in _OTHER else name


class _Solved(NamedTuple):
    """A key as this body has it, where it is."""

    seconds: float
    q: Floats
    bears: tuple[str, ...]
    stays: tuple[str, ...]  # of these, where they were in the key before
    middles: Mapping[str, Floats]  # (3,) of all supports


def _solved(body: Body, q: Floats, keys: Sequence[GetUpKey], lies: Lying) -> list[_Solved]:
    solved: list[_Solved] = []
    before = _Solved(0.0, q, (), (), {})
    for key in keys:
        wanted = posed(body, key.angles)
        wanted[3:7] = _turned(body, lies.heading, key.pitch, key.twist)
        guess = _placed(body, wanted, before.q)
        stays = tuple(name for name in key.bears if name in before.bears and name not in key.beside)
        places = _places(body, before.q, stays)
        aims = Aims(
            pose=guess,
            root_place=(0.0,) * 3 if stays else (1.0,) * 3,
            places=places,
            lands=frozenset(key.bears) - set(stays),
            moving=_spots(body, key, stays, before, lies),
            over=key.over,
        )
        done = settled(body, guess, aims, _KEY_ROUNDS)
        if not key.bears:
            done[2] -= lowest(body, done)
        before = _Solved(key.seconds, done, key.bears, stays, _middles(body, done))
        solved.append(before)
    return [*solved, _stand(body, before, lies)]


def _spots(body: Body, key: GetUpKey, stays: Sequence[str], before: _Solved, lies: Lying) -> dict[str, Floats]:
    """(3,) where supports come down whose place is told."""
    axes = axes_facing(lies.heading)
    return {
        name: before.middles[there.support] + body.height * (there.ahead * axes[:, 0] - there.right * axes[:, 1])
        for name, there in key.beside.items()
        if name not in stays and there.support in before.bears
    }


def _stand(body: Body, before: _Solved, lies: Lying) -> _Solved:
    """Upright on the foot that bears, the other one beside it."""
    (foot,) = (name for name in before.bears if name.startswith("foot"))
    axes = axes_facing(lies.heading)
    frame = np.stack([-axes[:, 1], axes[:, 0], axes[:, 2]])
    q = standing(body, frame, None)
    place = _places(body, before.q, (foot,))[foot]
    q[:3] += (place.mean(axis=0) - _middles(body, q)[foot]) * _LEVEL
    stays = (foot, foot.replace("foot", "ball"))
    return _Solved(_LAST_STEP_S, q, ("ball_l", "ball_r", "foot_l", "foot_r"), stays, _middles(body, q))


def _turned(body: Body, heading: float, pitch: float, twist: float) -> Floats:
    """(4,) the root's rotation."""
    axes = axes_facing(heading)
    upright = rotations.from_matrix(np.stack([-axes[:, 1], axes[:, 0], axes[:, 2]]).T @ root_axes(body))
    own = rotations.exp(np.radians(twist) * root_axes(body)[2])
    turned: Floats = rotations.multiply(rotations.multiply(rotations.exp(np.radians(pitch) * axes[:, 1]), upright), own)
    return turned


def _placed(body: Body, wanted: Floats, near: Floats) -> Floats:
    """On the ground, the weight where it is in a pose nearby."""
    placed = wanted.copy()
    placed[:3] = 0.0
    placed[:3] += (pose(body, near).com - pose(body, placed).com) * _LEVEL
    placed[2] -= lowest(body, placed)
    return placed


def _places(body: Body, q: Floats, names: Sequence[str]) -> dict[str, Floats]:
    state = Dynamics(body).evaluate(q, np.zeros(body.nv))
    places = {name: points_of(body, state, name) for name in names}
    return {name: points * _LEVEL if name.startswith("foot") else points for name, points in places.items()}


_NAMES = tuple(part + side for part in ("shoulder", "hand", "hip", "knee", "foot", "ball") for side in ("_l", "_r"))


def _middles(body: Body, q: Floats) -> dict[str, Floats]:
    state = Dynamics(body).evaluate(q, np.zeros(body.nv))
    return {name: points_of(body, state, name).mean(axis=0) for name in _NAMES}


class _Way:
    """From key to key without stopping at each; what bears stays, and hands and feet are lifted from spot to spot."""

    def __init__(self, body: Body, keys: Sequence[_Solved]) -> None:
        self._body, self._keys = body, keys
        self._times = np.cumsum([key.seconds for key in keys])
        self.seconds = float(self._times[-1])
        q = np.array([key.q for key in keys])
        for part in _rotations(body):
            q[:, part] = rotations.continuous(q[:, part])
        self._poses, self._weights = _smooth(self._times, q), _smooth(self._times, pose(body, q).com[:, :2])

    def at(self, before: Floats, time_s: float) -> Floats:
        """(nq,) after the pose a frame before."""
        k = min(int(np.searchsorted(self._times, time_s - 1e-9)), len(self._keys) - 1)
        one, other = self._keys[k - 1], self._keys[k]
        goes = float(eased(np.array((time_s - self._times[k - 1]) / other.seconds)))
        stays = other.stays
        lifted = _LIFTED * self._body.height
        moving = {
            name: one.middles[name]
            + goes * (other.middles[name] - one.middles[name])
            + 4.0 * goes * (1.0 - goes) * max(lifted - one.middles[name][2], 0.0) * _UP
            for name in set(other.bears) - set(stays)
            if not (
                name.startswith(("hip", "shoulder"))
                or (name.startswith("foot") and name.replace("foot", "ball") in stays)
            )
        }
        aims = Aims(
            pose=normalised(self._poses(time_s)[None], self._body)[0],
            root_place=_ROOT_STAYS if stays else _LIES,
            places=_places(self._body, one.q, stays),
            lands=frozenset(),
            moving=moving,
            weight=self._weights(time_s),
        )
        return settled(self._body, before, aims, _ROUNDS)


def _smooth(times: Floats, values: Floats) -> PchipInterpolator:
    """Flat at both ends."""
    around = np.concatenate([[times[0] - 1.0], times, [times[-1] + 1.0]])
    return PchipInterpolator(around, np.concatenate([values[:1], values, values[-1:]]))
