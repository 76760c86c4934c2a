"""When a performance counts as kept: on its path all the way, and at rest on its feet at the end."""

import math

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..constants import GRAVITY
from ..dynamics.kinematics import motion, pose
from ..engines.engine import GROUND, Contacts, State
from ..reference.reference import Reference
from .recording import Failure

FARTHEST_M = 0.3
FARTHEST_RAD = 1.2
ROLLING_M = 0.6  # who rolls is no farther from where the roll has it,
ROLLING_RAD = 1.5  # and turned no farther away: beyond that it is stuck, or rolls over its side
END_CAPTURE_M = 0.28
END_TILT_RAD = 0.5
END_HEIGHT_M = 0.1
_LYING_HEIGHT = 0.25  # of body height: a pelvis below this is not standing
_REST_SPEED_M_S = 0.25
_REST_SPEED_RAD_S = 1.0


def path_failure(q: Floats, reference_q: Floats, displaced: Floats, *, rolls: bool = False) -> Failure | None:
    """Whether the pelvis has left its reference, at one step. What steps of recovery displaced, is displaced."""
    farthest_m, farthest_rad = (ROLLING_M, ROLLING_RAD) if rolls else (FARTHEST_M, FARTHEST_RAD)
    if not np.linalg.norm(q[:3] - reference_q[:3] - displaced) <= farthest_m:
        return "left the path"
    if not abs(q[3:7] @ reference_q[3:7]) >= math.cos(0.5 * farthest_rad):  # which unit quaternions tell at once
        return "got stuck" if rolls else "tipped over"
    return None


def end_failure(
    body: Body, reference: Reference, state: State, contacts: Contacts, displaced: Floats
) -> Failure | None:
    """Whether the body, after holding the last pose, would go on falling."""
    now = motion(body, state.q, state.v)
    target = reference.q[-1]
    velocity = now.linear_momentum / body.mass
    support = contacts.positions[contacts.others == GROUND]
    lies = _lies(body, target)
    rolled = lies and bool(reference.rolls)  # to wherever the ground let it
    off_height = not rolled and abs(state.q[2] - target[2] - displaced[2]) > END_HEIGHT_M
    off_tilt = rotations.angle_between(state.q[3:7], target[3:7]) > (ROLLING_RAD if rolled else END_TILT_RAD)
    if off_height or off_tilt or len(support) == 0:
        return "was still falling at its end"
    if lies:  # at rest, as the reference
        moving = np.linalg.norm(velocity) > _REST_SPEED_M_S or np.linalg.norm(state.v[3:6]) > _REST_SPEED_RAD_S
        return "was still falling at its end" if moving else None
    height = max(now.pose.com[2] - support[:, 2].mean(), 0.1)
    capture = now.pose.com[:2] + velocity[:2] * np.sqrt(height / GRAVITY)
    off_balance = np.linalg.norm(capture - _nearest_support(capture, support[:, :2])) > END_CAPTURE_M
    return "was still falling at its end" if off_balance else None


def _lies(body: Body, q: Floats) -> bool:
    """Whether a pose has its pelvis down near its lowest joint."""
    return bool(q[2] - pose(body, q).origins[:, 2].min() < _LYING_HEIGHT * body.height)


def _nearest_support(point: Floats, support: Floats) -> Floats:
    """The point of all segments between support points that is nearest; inside the hull that is never far."""
    a, b = support[:, None], support[None, :]
    along = b - a
    length = np.maximum(np.sum(along**2, axis=-1), 1e-12)
    share = np.clip(np.sum((point - a) * along, axis=-1) / length, 0.0, 1.0)
    candidates = (a + share[..., None] * along).reshape(-1, 2)
    nearest: Floats = candidates[np.argmin(np.linalg.norm(candidates - point, axis=1))]
    return nearest
