"""A roll brought onto another ground: the whole body lies as the land does, since it bears with all of it."""

from collections.abc import Sequence

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..dynamics.state_space import difference, integrate
from ..filters import low_pass
from ..posing.surface import touch
from ..roll_span import RollSpan
from ..rotations import cross
from ..scene import Scene
from ..world.ground import Ground
from ..world.lie_of_land import lie_under

_REACH = 0.25  # of body height: the land that matters to who rolls
_LIES = 0.17  # and a centre of mass as low as this lies, before and after its rolls, too
_LAND_HZ = 2.0
_EASE_S = 0.3  # before and after a roll, within which the body comes to stand as who walks does
_EVERY_S = 0.02
_LEANS = 0.6  # of a slope across its way: as much as the body lies along it
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
    centre = pose(body, q[rows]).com
    under = np.column_stack([centre[:, :2], made_for.height(centre)])
    there = np.column_stack([centre[:, :2], land[:, 0]])
    turn = rotations.between_vectors(np.broadcast_to(made_for.normal, (len(rows), 3)), _leaning(land[:, 1:], spans[0]))
    rolled = q[rows].copy()
    rolled[:, :3] = there + rotations.rotate(turn, q[rows, :3] - under)
    rolled[:, 3:7] = rotations.multiply(turn, q[rows, 3:7])
    rolled[:, 2] += low_pass(_sunk(rolled, body, scene), rate, _LAND_HZ)
    result = walked.copy()
    result[rows] = integrate(body, walked[rows], share[rows, None] * difference(body, rolled, walked[rows]))
    result[:, 3:7] = rotations.continuous(result[:, 3:7])
    return result


def _leaning(normals: Floats, span: RollSpan) -> Floats:
    """(R, 3) which way is up for the body: along its way it turns anyway, and across it leans into the slope, since its
    weight would topple it over its own side."""
    aside = cross(_UP, span.ahead)
    return normals - (1.0 - _LEANS) * (normals @ aside)[:, None] * aside


def _sunk(q: Floats, body: Body, scene: Scene) -> Floats:
    """(R,) how deep each pose is in the ground [m]."""
    every = max(1, len(q) // _MOST_LOOKS)
    rows = np.unique(np.append(np.arange(0, len(q), every), len(q) - 1))
    lowest = touch(body, pose(body, q[rows]), scene.surface(0.0)).distances.min(axis=1)
    sunk: Floats = np.interp(np.arange(len(q)), rows, np.maximum(-lowest, 0.0))
    return sunk


def _share(count: int, spans: Sequence[RollSpan], rate: float) -> Floats:
    """(S,) 1 within spans, 0 away from them, eased in between."""
    rows = np.arange(count)
    away = np.full(count, np.inf)
    for span in spans:
        away = np.minimum(away, np.maximum(np.maximum(span.first - rows, rows - span.last), 0) / rate)
    near = np.clip(1.0 - away / _EASE_S, 0.0, 1.0)
    eased: Floats = near**2 * (3.0 - 2.0 * near)
    return eased
