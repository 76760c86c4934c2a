"""Hands that bear lie on the ground and stay where they are; hands that do not are out of it.

Captured hands go centimetres into the ground, since wrists hardly bend in most captures, and slide while they bear. A
simulated hand does neither, so arms are bent and stretched until the reference's hands rest as well.
"""

from typing import NamedTuple

import numpy as np
from scipy.ndimage import distance_transform_edt

from .. import rotations
from ..arrays import Bools, Floats
from ..body.body import Body, Capsule
from ..dynamics import kinematics
from ..dynamics.state_space import central_velocities
from ..filters import low_pass
from ..posing.surface import surface_points, touch
from ..world.surface import Surface
from .leg_ik import reach
from .out_of_ground import set_turns
from .pin_feet import creep, holding
from .place_ankles import within_reach

_EASE_HZ = 8.0
_FADE_S = 0.3  # before and after a hand bears, within which its shift comes and goes


class _Arm(NamedTuple):
    upper: int
    fore: int
    hand: int | None  # rigs without hands bear on the ends of their forearms


def rest_hands(q: Floats, body: Body, ground: Surface, rate: float, bears: Bools) -> Floats:
    """The motion q (S, nq) with arms turned so that hands rest where they bear, by labels of links (S, N).

    Exactly as it is where no hand is near the ground.
    """
    rested = q.copy()
    for side in ("_l", "_r"):
        hand = body.index("hand" + side) if "hand" + side in body.names else None
        arm = _Arm(body.index("upper_arm" + side), body.index("forearm" + side), hand)
        _rest_hand(rested, body, arm, ground, rate, bears)
    return rested


def _rest_hand(q: Floats, body: Body, arm: _Arm, ground: Surface, rate: float, bears: Bools) -> None:
    """Turns one arm of q in place; its hand keeps its turn in the world."""
    motion = kinematics.motion(body, q, central_velocities(body, q, rate))
    contact = touch(body, motion.pose, ground)
    surface = surface_points(body)
    last = arm.fore if arm.hand is None else arm.hand
    mine = np.flatnonzero(surface.links == last)[-1 if arm.hand is None else 0 :]
    heights = contact.distances[:, mine]
    lowest = heights.min(axis=1)
    down = bears[:, last]
    touches = down | (lowest < 0.0)
    if not touches.any():
        return
    velocities = motion.point_velocities(surface.links[mine], contact.points[:, mine])
    held = _led(holding(creep(velocities, heights, ground), down, rate), down, rate)
    onto = np.maximum(_led(-lowest[:, None], down, rate), -lowest[:, None])
    shift = low_pass(held + onto * ground.normal, rate, _EASE_HZ)
    _shift_wrist(q, body, arm, motion.pose, shift, _near(touches, rate))


def _near(labels: Bools, rate: float) -> Floats:
    """(S, 1) 1 where labelled, and softly down to 0 before and after."""
    near = np.clip(1.0 - distance_transform_edt(~labels) / (_FADE_S * rate), 0.0, 1.0)[:, None]
    eased: Floats = near**2 * (3.0 - 2.0 * near)
    return eased


def _led(values: Floats, down: Bools, rate: float) -> Floats:
    """(S, K) values as they are while something is down, that come before and go after it."""
    if not down.any():
        return np.zeros_like(values)
    known = np.flatnonzero(down)
    rows = np.arange(len(values))
    led: Floats = np.stack([np.interp(rows, known, column[known]) for column in values.T], axis=1)
    return led * _near(down, rate)


def _shift_wrist(q: Floats, body: Body, arm: _Arm, now: kinematics.Pose, shift: Floats, share: Floats) -> None:
    """Moves the wrist by a shift (S, 3), where the share (S, 1) is 1; where it is 0, the arm stays as it is."""
    shoulder, elbow = now.origins[:, arm.upper], now.origins[:, arm.fore]
    wrist = _wrist(body, arm, now)
    length = float(np.linalg.norm(elbow[0] - shoulder[0]) + np.linalg.norm(wrist[0] - elbow[0]))
    # An arm that is as straight as can be stays so, and what is beyond that comes slowly.
    target = wrist + within_reach(shoulder, wrist + shift, length) - within_reach(shoulder, wrist, length)
    # An elbow bends to the back, as a knee does to the front.
    back = -now.R_world_link[:, arm.upper] @ body.links[arm.upper].joint.axes[1]
    turns = reach(shoulder, elbow, wrist, target, share * back)
    world = rotations.from_matrix(now.R_world_link)
    for link, turn in ((arm.upper, turns.thigh), (arm.fore, turns.shin)):
        world[:, link] = rotations.multiply(rotations.exp(share * rotations.log(turn)), world[:, link])
    moved = q.copy()
    set_turns(moved, body, world, [link for link in arm if link is not None])
    rows = share[:, 0] > 0.0
    q[rows] = moved[rows]


def _wrist(body: Body, arm: _Arm, now: kinematics.Pose) -> Floats:
    if arm.hand is not None:
        return now.origins[:, arm.hand]
    forearm = body.links[arm.fore].shape
    assert isinstance(forearm, Capsule)
    return now.points(np.array([arm.fore]), forearm.end[None])[:, 0]
