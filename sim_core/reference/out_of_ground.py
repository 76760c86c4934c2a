"""A body that lies or kneels on the ground rather than in it.

The flesh of a body that lies is thicker than its markers tell. A stiff contact would throw the body into the air, so
the trunk is lifted out of the ground, and knees that are still in it are turned out. Feet and hands have their own ways
to fit the ground; elbows may dip in: they give way.
"""

import numpy as np
from scipy.ndimage import maximum_filter1d

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..filters import low_pass
from ..posing.surface import surface_points, touch
from ..rig.segments import HEAD, TRUNK
from ..world.surface import Surface

_EASE_HZ = 3.0
_AHEAD_S = 0.2  # a lift begins this much before it is needed, so that easing it hardly lets the body sink


def out_of_ground(q: Floats, body: Body, ground: Surface, rate: float) -> Floats:
    """The motion q (S, nq) with trunk and knees above the ground."""
    raised = q.copy()
    depth = _eased_depth(q, body, ground, rate, [*TRUNK, *HEAD])
    raised[:, :3] += depth[:, None] * ground.normal
    for side in ("_l", "_r"):
        _turn_knee_out(raised, body, ground, rate, side)
    return raised


def _turn_knee_out(q: Floats, body: Body, ground: Surface, rate: float, side: str) -> None:
    """Turns one leg of q in place: the knee rises by its depth, the ankle all but stays."""
    depth = _eased_depth(q, body, ground, rate, ["thigh" + side, "shin" + side])
    if not depth.any():
        return
    now = pose(body, q)
    thigh, shin, foot = (body.index(name + side) for name in ("thigh", "shin", "foot"))
    hip, knee, ankle = (now.origins[:, link] for link in (thigh, shin, foot))
    upper = np.linalg.norm(knee - hip, axis=1, keepdims=True)
    wanted = knee + depth[:, None] * ground.normal - hip
    new_knee = hip + upper * wanted / np.linalg.norm(wanted, axis=1, keepdims=True)
    world = rotations.from_matrix(now.R_world_link)
    world[:, thigh] = rotations.multiply(rotations.between_vectors(knee - hip, new_knee - hip), world[:, thigh])
    world[:, shin] = rotations.multiply(rotations.between_vectors(ankle - knee, ankle - new_knee), world[:, shin])
    set_turns(q, body, world, [thigh, shin, foot])


def set_turns(q: Floats, body: Body, world: Floats, links: list[int]) -> None:
    """Writes world rotations (S, N, 4) of some ball joints into q, in place."""
    for link in links:
        turn = rotations.multiply(rotations.inverse(world[:, body.links[link].parent]), world[:, link])
        part = q[:, body.q_slice[body.names[link]]]
        part[:] = rotations.continuous(rotations.multiply(rotations.inverse(body.links[link].frame), turn))


def _eased_depth(q: Floats, body: Body, ground: Surface, rate: float, segments: list[str]) -> Floats:
    """(S,) how deep the deepest of some segments is, held a while around and eased."""
    mine = np.isin(np.array(body.names)[surface_points(body).links], segments)
    lowest = touch(body, pose(body, q), ground).distances[:, mine].min(axis=1)
    held = maximum_filter1d(np.maximum(-lowest, 0.0), max(1, int(2.0 * _AHEAD_S * rate)))
    return np.maximum(low_pass(held, rate, _EASE_HZ), 0.0)
