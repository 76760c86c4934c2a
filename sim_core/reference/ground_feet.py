"""Feet that fit the ground: soles flat while they stand, nothing below the ground, toes clear of it while they swing.

Captured feet hover, sink and tilt by centimetres and degrees. In a simulation a foot that hovers bears nothing, and a
toe that sinks while it swings trips the character, so the reference is mended before it is tracked.
"""

from typing import NamedTuple

import numpy as np
from scipy.ndimage import maximum_filter1d

from .. import rotations
from ..arrays import Bools, Floats
from ..body.body import Body, Box
from ..dynamics.kinematics import Pose, pose
from ..filters import low_pass, without_blinks
from ..world.surface import Surface
from .out_of_ground import set_turns
from .place_ankles import place_ankles

_LOW_M = 0.06
_SLOW_M_S = 0.4
_TILT = np.radians(35.0)  # a sole tilted further is meant to be
_TILT_FADE = np.radians(15.0)
_STEADY_S = 0.07  # shorter stances and gaps are noise
_EASE_HZ = 8.0  # of every change that is made to a foot
_CLEARANCE_S = 0.012  # clearance per speed: a foot at 3 m/s that grazes the ground sticks there
_CLEARANCE_M = 0.04
_RISE_S = 0.04


class _Chain(NamedTuple):
    """Links of one leg; toes may be missing."""

    thigh: int
    shin: int
    foot: int
    toes: int | None


def fit_feet(q: Floats, body: Body, ground: Surface, rate: float) -> Floats:
    """The motion q (S, nq) with legs turned so that its feet fit the ground."""
    level = q.copy()
    for side in "lr":
        thigh, shin, foot = (body.index(f"{name}_{side}") for name in ("thigh", "shin", "foot"))
        toes = body.index(f"toes_{side}") if f"toes_{side}" in body.names else None
        _level_foot(level, body, _Chain(thigh, shin, foot, toes), ground, rate)
    soles = pose(body, level).points(body.soles.links, body.soles.local)
    rises = [_lift(soles[:, mine], ground, rate) for mine in (body.soles.left, ~body.soles.left)]
    shifts = np.stack([rise.lift for rise in rises], axis=1)[..., None] * ground.normal
    return place_ankles(level, body, ground, rate, shifts, np.stack([rise.stands for rise in rises], axis=1))


def _level_foot(q: Floats, body: Body, chain: _Chain, ground: Surface, rate: float) -> None:
    """Turns one foot of q and its toes in place."""
    now = pose(body, q)
    world = rotations.from_matrix(now.R_world_link)  # (S, N, 4)
    foot, toes = chain.foot, chain.toes
    world[:, foot] = rotations.multiply(_levelling(body, now, foot, ground, rate), world[:, foot])
    if toes is not None:
        world[:, toes] = rotations.multiply(_levelling(body, now, toes, ground, rate), world[:, toes])
        world[:, toes] = _clear_toes(body, chain, now, world, ground, rate)
    set_turns(q, body, world, [link for link in (foot, toes) if link is not None])


def _speeds(points: Floats, rate: float) -> Floats:
    """(S, P) of points (S, P, 3) [m/s]."""
    speeds: Floats = np.linalg.norm(np.gradient(points, 1.0 / rate, axis=0), axis=-1)
    return speeds


def _eased(labels: Bools, rate: float) -> Floats:
    """(S,) labels without blinks, as shares from 0 to 1 that rise and fall softly."""
    steady = without_blinks(labels[:, None], rate, gap_s=_STEADY_S, touch_s=_STEADY_S)[:, 0]
    return np.clip(low_pass(steady.astype(float), rate, _EASE_HZ), 0.0, 1.0)


def _levelling(body: Body, now: Pose, link: int, ground: Surface, rate: float) -> Floats:
    """World turns that bring the normal of a sole that stands to the ground's."""
    box = _box(body, link)
    corners = now.points(np.full(4, link), _under(box))
    up = now.R_world_link[:, link] @ box.R_link_box[:, 2]
    tilt = np.arccos(np.clip(up @ ground.normal, -1.0, 1.0))
    stands = (ground.distance(corners).min(axis=1) < _LOW_M) & (_speeds(corners, rate).max(axis=1) < _SLOW_M_S)
    meant = np.clip((_TILT - tilt) / _TILT_FADE, 0.0, 1.0)
    share = low_pass(_eased(stands, rate) * meant, rate, _EASE_HZ)
    whole = rotations.log(rotations.between_vectors(up, np.broadcast_to(ground.normal, up.shape)))
    return rotations.exp(share[:, None] * whole)


def _clear_toes(body: Body, chain: _Chain, now: Pose, world: Floats, ground: Surface, rate: float) -> Floats:
    """The toes' turn, bent up where their tip would be below the ground: as real toes do while the heel rises."""
    assert chain.toes is not None
    box = _box(body, chain.toes)
    ball = now.origins[:, chain.foot] + rotations.rotate(world[:, chain.foot], body.links[chain.toes].offset)
    tip = ball[:, None] + rotations.rotate(world[:, chain.toes, None], _under(box)[2:])
    length = 2.0 * box.half_extents[0]
    below = np.maximum(0.0, np.minimum(ground.distance(ball), 0.02) - ground.distance(tip).min(axis=1) - 0.02)
    bend = low_pass(np.arcsin(np.clip(below / length, 0.0, 0.9)), rate, _EASE_HZ)[:, None]
    across = rotations.rotate(world[:, chain.toes], -box.R_link_box[:, 1])
    return rotations.multiply(rotations.exp(np.maximum(bend, 0.0) * across), world[:, chain.toes])


class _Rise(NamedTuple):
    lift: Floats  # (S,) how far to move the ankle along the normal [m]
    stands: Floats  # (S,) share


def _lift(soles: Floats, ground: Surface, rate: float) -> _Rise:
    """Onto the ground while the lowest of a foot's sole points stands, and up wherever it is too low for its speed."""
    heights = ground.distance(soles)
    lowest = heights.min(axis=1)
    speeds = _speeds(soles, rate)
    touching = np.take_along_axis(speeds, np.argmin(heights, axis=1)[:, None], axis=1)[:, 0]
    stands = _eased((lowest < _LOW_M) & (touching < _SLOW_M_S), rate)
    clearance = np.minimum(_CLEARANCE_S * speeds.mean(axis=1), _CLEARANCE_M) * (1.0 - stands)
    needed = np.maximum(-lowest * stands, clearance - lowest)
    # A rise is eased from before it is needed, so that easing never lets the sole sink.
    span = max(1, int(_RISE_S * rate))
    held = np.where(needed > 0.0, maximum_filter1d(np.maximum(needed, 0.0), span), needed)
    return _Rise(np.maximum(low_pass(held, rate, _EASE_HZ), -np.maximum(lowest, 0.0)), stands)


def _box(body: Body, link: int) -> Box:
    shape = body.links[link].shape
    assert isinstance(shape, Box)
    return shape


def _under(box: Box) -> Floats:
    """(4, 3) the sole's corners: two at the heel, two at the toe."""
    signs = np.array([[-1, -1, -1], [-1, 1, -1], [1, -1, -1], [1, 1, -1]], dtype=float)
    corners: Floats = box.centre + (signs * box.half_extents) @ box.R_link_box.T
    return corners
