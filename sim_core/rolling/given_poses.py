"""Poses that a person gives for a roll, taken into the cycle of its kind.

Two poses tell how a body is tucked (Brown 2012, section 6.1.1), not how it comes round: hands that bear, legs that come
down onto the feet. So the kind's own cycle is changed until it passes them, and changed alike wherever none is near.
"""

import numpy as np
from scipy.optimize import linear_sum_assignment

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..errors import SettingsError
from .anatomical_pose import nearest_turns, to_joint_angles, within_limits
from .key_poses import KINDS, frame_of
from .level_feet import root_axes
from .pose_cycle import TURN, Keys, PoseCycle, keys_of, through

_CLEARLY = np.radians(20.0)  # apart: poses as far turned as this are turned; keys nearer than this give way to poses
_TILTED = 0.75  # of how far its axis may rise: who is turned farther is not turned about it
_PITCH_COUNTS = 6.0  # as so many joints
_SLOTS = 72  # phases of a turn where a pose may belong


def cycle_with(body: Body, kind: str, poses: Floats) -> PoseCycle:
    """The cycle of a kind of roll that passes K poses (K, nq), in any order."""
    if len(poses) < 2:
        raise SettingsError(f"A roll needs two poses or more, and there is {len(poses)}; add another.")
    own = keys_of(body, KINDS[kind].keys)
    phases = phases_of(body, kind, poses)
    order = np.argsort(phases)
    phases, given = phases[order], to_joint_angles(body, poses[order])
    usual = through(own.phases, own.joints)(phases)
    given = nearest_turns(given, usual)
    changed = own.joints + through(phases, given - usual)(own.phases)
    free = _around(own.phases[:, None], phases).min(axis=1) > _CLEARLY
    every = np.concatenate([own.phases[free], phases])
    joints = np.concatenate([within_limits(body, changed[free]), given])
    root = np.concatenate([own.root[free], through(own.phases, own.root)(phases)])
    order = np.argsort(every)
    return PoseCycle(body, Keys(every[order], joints[order], root[order]))


def phases_of(body: Body, kind: str, poses: Floats) -> Floats:
    """(K,) where in a turn poses belong [rad]: where the kind's own cycle is most like them, each in another place. How
    they are turned counts much, where they are turned at all."""
    own = keys_of(body, KINDS[kind].keys)
    count = max(_SLOTS, len(poses))
    slots = np.arange(count) * (TURN / count)
    cycle = through(own.phases, own.joints)(slots)
    unlike = np.sum((nearest_turns(to_joint_angles(body, poses)[:, None], cycle) - cycle) ** 2, axis=(-2, -1))
    pitches = _pitches(body, kind, poses)
    if pitches is not None:
        usual = slots + through(own.phases, own.root)(slots)[:, 0]
        unlike += _PITCH_COUNTS * _around(pitches[:, None], usual) ** 2
    found: Floats = slots[linear_sum_assignment(unlike)[1]]
    return found


def _pitches(body: Body, kind: str, poses: Floats) -> Floats | None:
    """(K,) how far the pelvis has turned about the axis of the roll in each pose [rad], if each has by another angle,
    and none lies across that axis."""
    heights = rotations.rotate(poses[:, None, 3:7], root_axes(body))[..., 2]
    along, axis, up = (heights @ frame_of(KINDS[kind])).T
    pitches: Floats = np.arctan2(-along, up) % TURN
    rising = np.sort(pitches)
    apart = np.diff(rising, append=rising[:1] + TURN)
    return pitches if apart.min() > _CLEARLY and np.abs(axis).max() < _TILTED else None


def _around(angles: Floats, others: Floats) -> Floats:
    """How far angles are apart, the shorter way round."""
    apart: Floats = np.abs((angles - others + 0.5 * TURN) % TURN - 0.5 * TURN)
    return apart
