"""Legs bent so that ankles come to other places: soles stay as they are, and the pelvis sinks for legs to reach.

A straight knee is where inverse kinematics breaks: a millimetre turns it by degrees, and a controller that follows it
has no knee to push with. So standing legs are kept a little bent, as people's are.
"""

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import Pose, pose
from ..world.surface import Surface
from .leg_ik import reach
from .out_of_ground import set_turns
from .sinking import LONGEST, eased_sinking, leg_length, steepness, too_high

_EASES_FROM = 0.975  # of a leg's length: a leg that would be longer comes to be so ever more slowly,
_EASES_OVER = 0.02  # and never by more than this
_DEEPEST_M = 0.06


def place_ankles(q: Floats, body: Body, ground: Surface, rate: float, shifts: Floats, bears: Floats) -> Floats:
    """The motion q (S, nq) with ankles (left, right) moved by shifts (S, 2, 3) [m]; bears (S, 2) tells by shares from 0
    to 1 which legs must reach their place."""
    now = pose(body, q)
    needed = np.zeros(len(q))
    for k, side in enumerate("lr"):
        hip, ankle = (now.origins[:, body.index(f"{name}_{side}")] for name in ("thigh", "foot"))
        excess = too_high(hip, ankle + shifts[:, k], LONGEST * leg_length(body, side), ground.normal)
        needed = np.maximum(needed, bears[:, k] * excess)
    sink = eased_sinking(needed, rate, _DEEPEST_M)[:, None] * ground.normal
    placed = q.copy()
    placed[:, :3] -= sink
    targets = np.empty_like(shifts)
    for k, side in enumerate("lr"):
        hip, ankle = (now.origins[:, body.index(f"{name}_{side}")] for name in ("thigh", "foot"))
        wanted = ankle + sink + shifts[:, k]
        # A leg that lies may be straight: it has nothing to push, and a knee that is bent goes into the ground.
        stands = steepness(hip, ankle, ground.normal)[:, None]
        targets[:, k] = wanted + stands * (within_reach(hip, wanted, leg_length(body, side)) - wanted)
    bend_legs(placed, body, now, targets, np.ones((len(q), 2)))
    return placed


def bend_legs(q: Floats, body: Body, now: Pose, targets: Floats, steered: Floats) -> None:
    """Turns the legs of q in place: the ankles of its pose come to targets (S, 2, 3), and soles stay as they are.

    Where a knee is too straight to tell which way it bends, it bends forward, by a share `steered` (S, 2).
    """
    world = rotations.from_matrix(now.R_world_link)
    for k, side in enumerate("lr"):
        thigh, shin, foot = (body.index(f"{name}_{side}") for name in ("thigh", "shin", "foot"))
        turns = reach(
            now.origins[:, thigh],
            now.origins[:, shin],
            now.origins[:, foot],
            targets[:, k],
            steered[:, k, None] * (now.R_world_link[:, thigh] @ body.links[thigh].joint.axes[1]),
        )
        world[:, thigh] = rotations.multiply(turns.thigh, world[:, thigh])
        world[:, shin] = rotations.multiply(turns.shin, world[:, shin])
        set_turns(q, body, world, [thigh, shin, foot])


def within_reach(hip: Floats, target: Floats, length: float | Floats) -> Floats:
    """Targets (S, 3) drawn in so softly that no knee snaps straight; legs have one length, or one each (S, 1)."""
    apart = target - hip
    distance = np.linalg.norm(apart, axis=1, keepdims=True)
    over = np.maximum(distance / length - _EASES_FROM, 0.0)
    drawn_in: Floats = target - length * (over - _EASES_OVER * np.tanh(over / _EASES_OVER)) * apart / distance
    return drawn_in
