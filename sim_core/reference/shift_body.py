"""A motion whose pelvis is moved: feet that stand stay where they are, and legs are bent to fit."""

from typing import NamedTuple

import numpy as np
from scipy.ndimage import distance_transform_edt, label

from .. import rotations
from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics.kinematics import Pose, pose
from ..scene import Ground
from .leg_ik import reach
from .out_of_ground import set_turns
from .sinking import eased_sinking, leg_length, steepness, too_high

_FOLLOWS_S = 0.15  # a foot follows the body this long after it has left the ground, until so long before it lands
_SOFT_M = 0.01
_SWINGS_STRAIGHT = 0.96  # of a leg's length: straighter legs that swing are bent,
_SWINGS_OVER = 0.025  # to at most this much more


class Standing(NamedTuple):
    """A motion with what moving its pelvis needs to know of it."""

    q: Floats  # (S, nq)
    pose: Pose
    feet: Bools  # (S, 2) left, right: which stand
    follows: Floats  # (S, 2) how much of the pelvis's shift each foot goes along with
    rate: float


def standing(q: Floats, body: Body, feet: Bools, rate: float, every: int = 1) -> Standing:
    """The motion q (S, nq), or every so many rows of it."""
    rows = slice(None, None, every)
    follows = np.stack([_follows(foot, rate) for foot in feet.T], axis=1)
    return Standing(q[rows], pose(body, q[rows]), feet[rows], follows[rows], rate / every)


def shift_pelvis(motion: Standing, shift: Floats, body: Body, ground: Ground) -> Floats:
    """(S, nq) with the pelvis moved by a shift (S, 3); feet that swing go along, as far as they have time to."""
    moved = motion.q.copy()
    moved[:, :3] += shift
    world = rotations.from_matrix(motion.pose.R_world_link)
    # Along the ground and up, not down: what swings low would scrape.
    height = shift @ ground.normal
    follow = shift + (_mostly_up(height) - height)[:, None] * ground.normal
    for i, side in enumerate("lr"):
        thigh, shin, foot = (body.index(f"{name}_{side}") for name in ("thigh", "shin", "foot"))
        hip, knee, ankle = (motion.pose.origins[:, link] for link in (thigh, shin, foot))
        # A leg that lies goes along with its body, as it has no bend to give.
        share = np.maximum(motion.follows[:, i], 1.0 - steepness(hip, ankle, ground.normal))[:, None]
        turns = reach(
            hip + shift,
            knee + shift,
            ankle + shift,
            _bent(hip + shift, ankle + share * follow, motion.follows[:, i, None], leg_length(body, side)),
            motion.pose.R_world_link[:, thigh] @ body.links[thigh].joint.axes[1],
        )
        world[:, thigh] = rotations.multiply(turns.thigh, world[:, thigh])
        world[:, shin] = rotations.multiply(turns.shin, world[:, shin])
        set_turns(moved, body, world, [thigh, shin, foot])
    return moved


def sinking(motion: Standing, shift: Floats, body: Body, ground: Ground, *, straight: float, most_m: float) -> Floats:
    """(S,) how far to sink for no standing leg to be straighter than a share of its length, with a shift (S, 3) [m]."""
    needed = np.zeros(len(motion.q))
    for i, side in enumerate("lr"):
        hip, ankle = (motion.pose.origins[:, body.index(f"{name}_{side}")] for name in ("thigh", "foot"))
        excess = too_high(hip + shift, ankle, straight * leg_length(body, side), ground.normal)
        needed = np.maximum(needed, np.where(motion.feet[:, i], excess, 0.0))
    return eased_sinking(needed, motion.rate, most_m)


def _bent(hip: Floats, target: Floats, share: Floats, length: float) -> Floats:
    """The target (S, 3), drawn in for a leg that swings never to be quite straight, where its knee would snap."""
    apart = target - hip
    distance = np.linalg.norm(apart, axis=1, keepdims=True)
    over = np.maximum(distance - _SWINGS_STRAIGHT * length, 0.0)
    span = _SWINGS_OVER * length
    drawn_in: Floats = target - share * (over - span * np.tanh(over / span)) * apart / distance
    return drawn_in


def _follows(stands: Bools, rate: float) -> Floats:
    """(S,) 0 while a foot stands, up to 1 while it swings; less where it has no time for more. Smooth to the second
    derivative, since legs are heavy."""
    follows = np.ones(len(stands))
    if not stands.any():
        return follows
    away = distance_transform_edt(~stands) / rate
    swings, count = label(~stands)
    follows[stands] = 0.0
    for swing in range(1, count + 1):
        rows = swings == swing
        rises_s = min(_FOLLOWS_S, float(away[rows].max()))
        t = np.minimum(away[rows] / rises_s, 1.0)
        follows[rows] = (rises_s / _FOLLOWS_S) ** 2 * t**3 * (10.0 - 15.0 * t + 6.0 * t**2)
    return follows


def _mostly_up(heights: Floats) -> Floats:
    """Heights above zero, and next to nothing of those below, without a kink."""
    up: Floats = 0.5 * (heights + np.sqrt(heights**2 + _SOFT_M**2) - _SOFT_M)
    return up
