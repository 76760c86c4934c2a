"""A roll brought onto another ground: who lies does so as the land does, and who comes over feet and hands keeps the
weight over them, as gravity sees it."""

from collections.abc import Sequence

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..dynamics.state_space import difference, integrate
from ..filters import low_pass
from ..posing.surface import surface_points, touch
from ..rig.segments import HEAD, TRUNK, kind
from ..roll_span import RollSpan
from ..rotations import cross
from ..scene import Scene
from ..world.ground import Ground
from ..world.lie_of_land import lie_under
from ..world.surface import Surface
from .limbs_on_land import Land, limbs_on_land

_REACH = 0.25  # of body height: the land that matters to who rolls
_LIES = 0.17  # and a centre of mass as low as this lies, before and after its rolls, too
_LAND_HZ = 2.0
_EASE_S = 0.3  # before and after a roll, within which the body comes to stand as who walks does
_EVERY_S = 0.02
_ACROSS = 0.3  # of a slope across its way: how far who is on its trunk leans with it
_ALONG = 0.3  # and of one along its way, wherever it is in its roll
_TRUNK_HIGH = 0.12  # of body height: a trunk as high as this bears nothing
_MOSTLY = 0.4  # on its trunk: who never is less so lies
_MOST_LOOKS = 400
_UP = np.array([0.0, 0.0, 1.0])


def roll_on_terrain(
    q: Floats,
    walked: Floats,
    body: Body,
    made_for: Ground,
    scene: Scene,
    rate: float,
    spans: Sequence[RollSpan],
) -> Floats:
    """The motion (S, nq) as it is walked on the scene, with its spans as rolled from the q that it was made for."""
    lies = made_for.distance(pose(body, q).com) < _LIES * body.height
    share = np.where(lies, 1.0, _share(len(q), spans, rate)) if spans else np.zeros(len(q))
    rows = np.flatnonzero(share > 0.0)
    if not len(rows):
        return walked
    grid = np.unique(np.append(rows[:: max(1, round(_EVERY_S * rate))], rows[-1]))
    com = pose(body, q[grid]).com
    lie = lie_under(scene.surface(0.0), com, _REACH * body.height)
    land = np.column_stack([lie.heights, lie.normals])
    land = np.stack([np.interp(np.arange(len(q)), grid, column) for column in land.T], axis=1)
    land = low_pass(land, rate, _LAND_HZ)[rows]
    normals = land[:, 1:] / np.linalg.norm(land[:, 1:], axis=1, keepdims=True)
    rolled = _laid(q[rows], body, made_for, scene.surface(0.0), land[:, 0], normals, rate, spans[0])
    result = walked.copy()
    result[rows] = integrate(body, walked[rows], share[rows, None] * difference(body, rolled, walked[rows]))
    result[:, 3:7] = rotations.continuous(result[:, 3:7])
    return result


def _laid(
    flat: Floats,
    body: Body,
    made_for: Ground,
    surface: Surface,
    heights: Floats,
    normals: Floats,
    rate: float,
    span: RollSpan,
) -> Floats:
    """The rows flat (R, nq) on land of such heights (R,) and normals (R, 3) under them; the weight goes the same way
    seen from above."""
    com = pose(body, flat).com
    lies_on = _on_trunk(flat, body, made_for, rate)
    throughout = min(float(lies_on.min()) / _MOSTLY, 1.0)
    up = _leaning(normals, span, lies_on, throughout)
    turn = rotations.between_vectors(np.broadcast_to(made_for.normal, up.shape), up)
    under = np.column_stack([com[:, :2], heights])
    there = under + (made_for.distance(com) / up[:, 2])[:, None] * _UP
    laid = flat.copy()
    laid[:, :3] = there + rotations.rotate(turn, flat[:, :3] - com)
    laid[:, 3:7] = rotations.multiply(turn, flat[:, 3:7])
    # Out of the ground always; and down to it where the trunk is to bear.
    lifted = _clear(flat, body, made_for) - _clear(laid, body, surface)
    laid[:, 2] += low_pass(np.where(lifted > 0.0, lifted, lies_on * lifted), rate, _LAND_HZ)
    bear = (1.0 - lies_on) * (1.0 - throughout)
    land = Land(surface, under, normals, cross(_UP, span.ahead))
    return limbs_on_land(laid, flat, body, made_for, land, bear, rate)


def _leaning(normals: Floats, span: RollSpan, lies_on: Floats, throughout: float) -> Floats:
    """(R, 3) which way is up for the body: who lies all along its rolls lies as the land, and the weight of who comes
    over its feet and hands has to be over them, as gravity sees it."""
    aside = cross(_UP, span.ahead)
    across = throughout + (1.0 - throughout) * _ACROSS * lies_on
    along = throughout + (1.0 - throughout) * _ALONG
    up = _UP + (across * (normals @ aside))[:, None] * aside + along * (normals @ span.ahead)[:, None] * span.ahead
    up[:, 2] -= (1.0 - normals[:, 2]) * throughout
    unit: Floats = up / np.linalg.norm(up, axis=1, keepdims=True)
    return unit


def _on_trunk(q: Floats, body: Body, ground: Ground, rate: float) -> Floats:
    """(R,) from 0, where limbs bear, to 1, where the trunk lies."""
    high = _clear(q, body, ground) / body.height
    share = np.clip(1.0 - high / _TRUNK_HIGH, 0.0, 1.0)
    return np.clip(low_pass(share, rate, _LAND_HZ), 0.0, 1.0)


def _clear(q: Floats, body: Body, ground: Surface) -> Floats:
    """(R,) how high above the ground the lowest point of trunk and shoulders is [m]."""
    every = max(1, len(q) // _MOST_LOOKS)
    rows = np.unique(np.append(np.arange(0, len(q), every), len(q) - 1))
    mine = np.isin([kind(body.names[link]) for link in surface_points(body).links], (*TRUNK, *HEAD, "upper_arm"))
    lowest = touch(body, pose(body, q[rows]), ground).distances[:, mine].min(axis=1)
    clear: Floats = np.interp(np.arange(len(q)), rows, lowest)
    return clear


def _share(count: int, spans: Sequence[RollSpan], rate: float) -> Floats:
    """(S,) 1 within spans, 0 away from them, eased in between."""
    rows = np.arange(count)
    away = np.full(count, np.inf)
    for span in spans:
        away = np.minimum(away, np.maximum(np.maximum(span.first - rows, rows - span.last), 0) / rate)
    near = np.clip(1.0 - away / _EASE_S, 0.0, 1.0)
    eased: Floats = near**2 * (3.0 - 2.0 * near)
    return eased
