"""A few key poses made into one smooth motion round and round, over the phase of a roll."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from ..arrays import Floats
from ..body.body import Body
from ..rig.segments import TRUNK
from .anatomical_pose import from_joint_angles, wanted_angles
from .key_poses import KINDS, KeyPose

TURN = 2.0 * np.pi
_ROWS = 360  # samples of a cycle
_ROUNDED = np.radians(12.0)  # corners at the key poses are rounded over this much of phase


class Keys(NamedTuple):
    phases: Floats  # (K,) [rad] rising, within one turn
    joints: Floats  # (K, N, 3) anatomical angles [rad]
    root: Floats  # (K, 3) pitch beyond the phase, roll and twist of the pelvis [rad]


class PoseCycle:
    """Poses over phase, alike every turn; joints never leave the range of their keys."""

    def __init__(self, body: Body, keys: Keys) -> None:
        self._body = body
        values = np.concatenate([keys.joints.reshape(len(keys.phases), -1), keys.root], axis=1)
        phases = np.arange(_ROWS) * (TURN / _ROWS)
        cornered = through(keys.phases, values)(phases)
        rounded = gaussian_filter1d(cornered, _ROUNDED * _ROWS / TURN, axis=0, mode="wrap")
        self._spline = CubicSpline(np.append(phases, TURN), np.vstack([rounded, rounded[:1]]), bc_type="periodic")

    def joints(self, phases: Floats) -> Floats:
        """(T, N, 3) anatomical angles [rad]."""
        result: Floats = self._spline(phases % TURN)[:, :-3].reshape(len(phases), -1, 3)
        return result

    def root(self, phases: Floats) -> Floats:
        """(T, 3) pitch, roll and twist of the pelvis [rad]; the pitch goes on and on."""
        root: Floats = self._spline(phases % TURN)[:, -3:]
        root[:, 0] += phases
        return root

    def poses(self, phases: Floats) -> Floats:
        """(T, nq) with the root at the origin, not turned."""
        return from_joint_angles(self._body, self.joints(phases))


def through(phases: Floats, values: Floats) -> PchipInterpolator:
    """What passes values (K, ...) at rising phases (K,) of a turn, never beyond them, and begins anew each turn."""
    three = np.concatenate([phases - TURN, phases, phases + TURN])
    return PchipInterpolator(three, np.concatenate([values] * 3), axis=0)


def cycle_of_kind(body: Body, kind: str) -> PoseCycle:
    return PoseCycle(body, keys_of(body, KINDS[kind].keys))


def keys_of(body: Body, keys: Sequence[KeyPose]) -> Keys:
    """The keys for this body. Where its trunk cannot bend as far, the pelvis may turn on instead."""
    joints = np.array([wanted_angles(body, key.angles) for key in keys])
    trunk = [i for i, name in enumerate(body.names) if name in TRUNK[1:]]
    phases = np.radians([key.phase for key in keys])
    root = np.radians([[key.pitch - key.phase, key.roll, key.twist] for key in keys])
    asked = np.radians([key.angles.get("trunk", (0.0, 0.0, 0.0))[0] for key in keys])
    root[:, 0] += np.array([key.follows for key in keys]) * (joints[:, trunk, 0].sum(axis=1) - asked)
    return Keys(phases, joints, root)


def two_poses(body: Body, kind: str) -> Floats:
    """(2, nq) the two poses that a roll of this kind can be made of (Brown 2012, section 6.1.1)."""
    chosen = [KINDS[kind].keys[k] for k in KINDS[kind].two]
    return from_joint_angles(body, keys_of(body, chosen).joints)
