"""A clip that rolls over by half a turn, made to go all the way round: over the other side as people are made to."""

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from .anatomical_pose import MIRRORED, to_joint_angles
from .find_roll import FoundRoll
from .key_poses import KINDS
from .level_feet import root_axes
from .made_rolls import made_roll
from .pose_cycle import TURN, Keys, PoseCycle, keys_of
from .repeat_roll import Rolled

_POSES = 9  # of the clip, that are passed
_SLOWEST_S = 3.0  # a turn: slower than this a body does not roll, it rests on its side and pushes
_APART = np.radians(30.0)  # between a made pose and the clip's own
_RISES = np.radians(5.0)  # from one pose of the clip to the next
_VERTICAL = np.array([0.0, 0.0, 1.0])


def round_from_half(
    body: Body, q: Floats, fps: float, floor_m: float, found: FoundRoll, rolls: int, speed: float
) -> Rolled:
    """From lying to lying, in the poses of the clip q (T, nq) and in those of a made roll where it has none."""
    ahead = rotations.cross(found.axis, _VERTICAL)
    rows = np.linspace(found.first, found.last, _POSES).round().astype(np.int64)
    _, forward, up = rotations.rotate(q[None, rows, 3:7], root_axes(body)[:, None])
    to_right = bool(np.mean(up @ found.axis) < 0.0)
    phases = np.unwrap(np.arctan2(forward @ ahead, forward[:, 2]))
    on = np.diff(np.maximum.accumulate(phases), prepend=-np.inf) > _RISES
    rows, phases = rows[on], phases[on]
    made = keys_of(body, KINDS["sideways"].keys)
    clear = [k for k, phase in enumerate(made.phases) if _beyond(float(phase), phases)]
    made_joints = _mirrored(body, made.joints) if to_right else made.joints
    joints = np.concatenate([to_joint_angles(body, q[rows]), made_joints[clear]])
    every = np.concatenate([phases, made.phases[clear]]) % TURN
    order = np.argsort(every)
    cycle = PoseCycle(body, Keys(every[order], joints[order], np.zeros((len(order), 3))))
    takes = min((found.last - found.first) / fps * TURN / found.turn, _SLOWEST_S)
    here = pose(body, q[found.first]).com
    rolled = made_roll(
        body,
        "sideways",
        rolls,
        fps=fps,
        heading=float(np.arctan2(ahead[1], ahead[0])),
        place=np.array([here[0], here[1], floor_m]),
        speed=speed * KINDS["sideways"].seconds / takes,
        cycle=cycle,
        to_right=to_right,
    )
    return rolled._replace(source=np.full(len(rolled.q), found.first))


def _beyond(phase: float, phases: Floats) -> bool:
    """Whether a phase is well outside of those of the clip."""
    away = np.abs((phase - phases + 0.5 * TURN) % TURN - 0.5 * TURN)
    return bool(away.min() > _APART)


def _mirrored(body: Body, joints: Floats) -> Floats:
    """Anatomical angles (K, N, 3) of the other side."""
    other = [_counterpart(body, name) for name in body.names]
    mirrored: Floats = joints[:, other] * MIRRORED
    return mirrored


def _counterpart(body: Body, name: str) -> int:
    swapped = {"_l": "_r", "_r": "_l"}.get(name[-2:])
    partner = name if swapped is None else name[:-2] + swapped
    return body.names.index(partner if partner in body.names else name)
