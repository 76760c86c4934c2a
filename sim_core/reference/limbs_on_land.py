"""Feet and hands of who rolls, brought to the land: each as near to it as to the ground that the roll was made for.

The trunk leans as its weight has to, and takes arms and legs along; on a slope across the way one of them would hang in
the air, and all of the body would fall onto that side. Where the land falls away under a limb, as beside a beam, the
limb is drawn in until there is land below it.
"""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body, Box
from ..dynamics.kinematics import Pose, pose
from ..filters import low_pass
from ..rig.segments import SIDES
from ..world.ground import Ground
from ..world.surface import Surface
from .leg_ik import reach
from .out_of_ground import set_turns
from .place_ankles import within_reach

_NEAR, _FAR = 0.07, 0.22  # of body height: ends of limbs as near as the first are brought, beyond the second are left
_DROP = 0.1  # of body height: where the land falls away, a limb goes down so far and no farther
_DRAWN_IN = np.linspace(0.0, 1.0, 11)  # shares of how far it is beside the body, by which it may be drawn in
_EASE_HZ = 4.0
_UP = np.array([0.0, 0.0, 1.0])


class Land(NamedTuple):
    """What a body rolls over, as it lies under each of its rows."""

    surface: Surface
    under: Floats  # (R, 3) a point of the land straight below the centre of mass
    normals: Floats  # (R, 3)
    aside: Floats  # (3,) level, across the way

    def plane(self, points: Floats) -> Floats:
        """(R,) its height below points (R, 3), were it endless."""
        away = (points - self.under) * np.array([1.0, 1.0, 0.0])
        height: Floats = self.under[:, 2] - np.sum(away * self.normals, axis=1) / self.normals[:, 2]
        return height


def limbs_on_land(
    q: Floats, flat: Floats, body: Body, made_for: Ground, land: Land, bear: Floats, rate: float
) -> Floats:
    """The motion q (R, nq) with its limbs as near to the land as those of the same rows `flat` are to the ground that
    they were made for, by shares (R,) to which they bear and not the trunk."""
    brought = q.copy()
    was = pose(body, flat)
    for side in SIDES:
        for names in (("thigh", "shin", "foot"), ("upper_arm", "forearm", "hand")):
            limb = [body.index(name + side) for name in names if name + side in body.names]
            _bring(brought, body, limb, was, made_for, land, bear, rate)
    return brought


def _bring(
    q: Floats, body: Body, limb: list[int], was: Pose, made_for: Ground, land: Land, bear: Floats, rate: float
) -> None:
    """Turns one limb of q in place."""
    now = pose(body, q)
    upper, lower = limb[:2]
    first, second, end = now.origins[:, upper], now.origins[:, lower], _end(body, limb, now)
    height = made_for.distance(_end(body, limb, was))
    share = bear * _share(height / body.height)
    moves = share[:, None] * _drawn_in(end, land, _DROP * body.height)
    above = end + moves
    below = np.maximum(land.surface.height(above), land.plane(above) - _DROP * body.height)
    moves += (share * (below + height / land.normals[:, 2] - end[:, 2]))[:, None] * _UP
    wanted = end + low_pass(moves, rate, _EASE_HZ)
    length = float(np.linalg.norm(second[0] - first[0]) + np.linalg.norm(end[0] - second[0]))
    target = end + within_reach(first, wanted, length) - within_reach(first, end, length)
    turns = reach(first, second, end, target)
    world = rotations.from_matrix(now.R_world_link)
    world[:, upper] = rotations.multiply(turns.thigh, world[:, upper])
    world[:, lower] = rotations.multiply(turns.shin, world[:, lower])
    for last in limb[2:]:
        lies = rotations.between_vectors(np.broadcast_to(made_for.normal, land.normals.shape), land.normals)
        lying = rotations.multiply(lies, rotations.from_matrix(was.R_world_link[:, last]))
        world[:, last] = rotations.slerp(world[:, last], lying, share)
    set_turns(q, body, world, limb)


def _drawn_in(end: Floats, land: Land, drop_m: float) -> Floats:
    """(R, 3) how ends of limbs (R, 3) move towards the body's own way until the land below them is no such drop."""
    beside = (end - land.under) @ land.aside
    moved = -_DRAWN_IN[:, None, None] * beside[:, None] * land.aside  # (S, R, 3)
    drops = np.stack([land.plane(end + one) - land.surface.height(end + one) for one in moved])
    least = np.argmax(drops < drop_m, axis=0)  # the first that is, or none at all
    chosen: Floats = moved[least, np.arange(len(end))]
    return chosen


def _share(height: Floats) -> Floats:
    """(R,) 1 where a limb is near the ground, 0 where it is far; heights in those of the body."""
    near = np.clip((_FAR - height) / (_FAR - _NEAR), 0.0, 1.0)
    eased: Floats = near**2 * (3.0 - 2.0 * near)
    return eased


def _end(body: Body, limb: list[int], now: Pose) -> Floats:
    """(R, 3) ankle or wrist, or the far end of a forearm that has no hand."""
    if len(limb) > 2:
        return now.origins[:, limb[2]]
    shape = body.links[limb[1]].shape
    far = shape.corners.mean(axis=0) if isinstance(shape, Box) else shape.end
    return now.points(np.array([limb[1]]), far[None])[:, 0]
