"""Segments that stay level, as a hand that holds a cup: what of them points up when it begins stays up.

A segment is turned the shortest way to level, so that its heading follows the clip. What of this turn lies along the
segment that it hangs on is done there, as forearms turn for hands; so the wrist bends by less.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..disturbances import KeepLevel
from ..dynamics.kinematics import pose
from ..rig.segments import kind
from .out_of_ground import set_turns

_UP = np.array([0.0, 0.0, 1.0])
_BLEND_S = 0.3  # before it begins and after it ends
_TURNS_FOR = {"hand": "forearm", "forearm": "upper_arm"}  # who turns about its own length for whom


class Level(NamedTuple):
    """A segment that is kept level."""

    link: int
    up: Floats  # (3,) what of it points up, in its own frame
    share: Floats  # (S,) 1 where it is level, 0 where it goes its own way


def level_of(asked: KeepLevel, body: Body, q: Floats, rate: float) -> Level:
    """For a motion q (S, nq)."""
    times = np.arange(len(q)) / rate
    ends_s = np.inf if asked.for_s is None else asked.at_s + asked.for_s
    begins, over = ((asked.at_s - times) / _BLEND_S, (times - ends_s) / _BLEND_S)
    share = _eased(1.0 - np.maximum(begins, over))
    link = body.index(asked.bone)
    first = min(round(asked.at_s * rate), len(q) - 1)
    return Level(link, pose(body, q[first]).R_world_link[link].T @ _UP, share)


def keep_level(q: Floats, body: Body, levels: Sequence[Level]) -> Floats:
    """The motion q (S, nq) with these segments level."""
    for level in levels:
        q = _levelled(q, body, level)
    return q


def tilts(R_world_link: Floats, up: Floats) -> Floats:
    """(...,) by how much what pointed up leans away from it [rad]; rotations (..., 3, 3) of the segment."""
    return np.arccos(np.clip((R_world_link @ up)[..., 2], -1.0, 1.0))


def _levelled(q: Floats, body: Body, level: Level) -> Floats:
    link, levelled = level.link, q.copy()
    now = pose(body, q)
    world = rotations.from_matrix(now.R_world_link)
    lean = rotations.between_vectors(rotations.rotate(world[:, link], level.up), _UP)
    turn = rotations.exp(level.share[:, None] * rotations.log(lean))
    parent = body.links[link].parent
    changed = [link, *np.flatnonzero(body.parents == link)]
    if parent >= 0 and _TURNS_FOR.get(kind(body.names[link])) == kind(body.names[parent]):
        along = rotations.rotate(world[:, parent], body.links[link].offset)
        world[:, parent] = rotations.multiply(_twist(turn, along), world[:, parent])
        changed = [parent, *changed]
    world[:, link] = rotations.multiply(turn, world[:, link])
    for child in np.flatnonzero(body.parents == link):  # what hangs on it goes along
        world[:, child] = rotations.multiply(turn, world[:, child])
    set_turns(levelled, body, world, changed)
    return levelled


def _twist(turn: Floats, axis: Floats) -> Floats:
    """The part of turns (S, 4) about axes (S, 3)."""
    unit = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    along = np.sum(turn[:, 1:] * unit, axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(along, turn[:, :1])
    angle = (angle + np.pi) % (2.0 * np.pi) - np.pi
    return rotations.exp(angle * unit)


def _eased(share: Floats) -> Floats:
    share = np.clip(share, 0.0, 1.0)
    eased: Floats = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
    return eased
