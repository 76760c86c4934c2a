"""Which feet and links bear on the ground in a reference, by height, speed and the force that the motion needs."""

from typing import NamedTuple

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..body.body import Body
from ..dynamics import kinematics
from ..filters import without_blinks
from ..posing.surface import surface_points, touch
from ..rig.segments import ARM, LEG, is_left, kind
from ..settings import ReferenceSettings
from ..world.surface import Surface
from .by_hand import by_hand
from .sliding import sliding

_SHORTEST_GAP_S = 0.045  # a foot does not leave the ground for less
_SHORTEST_CONTACT_S = 0.035
_END_S = 0.05
_LINK_HEIGHT_M = 0.06  # hands, knees and backs are rounder and softer than soles


class ContactLabels(NamedTuple):
    feet: Bools  # (T, 2) left, right
    links: Bools  # (T, N) any link, feet included
    slides: Bools  # (T, 2) feet that touch the ground on purpose and bear nothing, since they slide over it


def label_contacts(
    body: Body,
    motion: kinematics.Motion,
    ground: Surface,
    vertical_force: Floats,  # (T,) that the motion needs, in body weights
    rate: float,
    settings: ReferenceSettings,
) -> ContactLabels:
    said = by_hand(settings.stances, len(vertical_force), rate)
    soles = motion.pose.points(body.soles.links, body.soles.local)
    speeds = np.linalg.norm(motion.point_velocities(body.soles.links, soles), axis=-1)
    heights = ground.distance(soles)
    low = np.stack([_lowest(heights, heights, side) for side in (body.soles.left, ~body.soles.left)], axis=1)
    slow = np.stack([_lowest(heights, speeds, side) for side in (body.soles.left, ~body.soles.left)], axis=1)
    feet = (low < settings.contact_height_m) & (slow < settings.contact_speed_m_s)
    feet = said.over(without_blinks(feet, rate, gap_s=_SHORTEST_GAP_S, touch_s=_SHORTEST_CONTACT_S))
    beside = _others(body, motion, ground)
    others = (beside.low < _LINK_HEIGHT_M) & (beside.slow < settings.contact_speed_m_s)
    others = without_blinks(others, rate, gap_s=_SHORTEST_GAP_S, touch_s=_SHORTEST_CONTACT_S)
    # Force cannot come out of the air: where the motion needs it and nothing is down, the likeliest foot or link is.
    supported = feet.any(axis=1) | others.any(axis=1)
    may_bear = np.where(said.up, np.inf, low)
    all_low, all_slow = np.concatenate([may_bear, beside.low], axis=1), np.concatenate([slow, beside.slow], axis=1)
    likeliest = np.argmin(all_low + 0.02 * all_slow, axis=1)
    near = np.take_along_axis(all_low, likeliest[:, None], axis=1)[:, 0] < settings.nearest_foot_m
    rows = np.flatnonzero(~supported & (vertical_force > settings.needed_force) & near)
    bears = np.concatenate([feet, others], axis=1)
    bears[rows, likeliest[rows]] = True
    bears = without_blinks(bears, rate, gap_s=_SHORTEST_GAP_S, touch_s=_SHORTEST_CONTACT_S)
    feet, others = bears[:, :2], bears[:, 2:]
    feet = said.over(_steady_ends(feet, rate))
    links = others.copy()
    for i in np.unique(body.soles.links):
        links[:, i] = feet[:, 0 if is_left(body.names[i]) else 1]
    found = sliding(low, slow, feet, rate, settings) & ~said.swings
    return ContactLabels(feet=feet, links=links, slides=found | said.slides)


def _steady_ends(feet: Bools, rate: float) -> Bools:
    """Filters make the ends of a clip jump: a foot that stands just inside them stands at the end too."""
    span = round(_END_S * rate)
    steady = feet.copy()
    steady[:span] |= feet[:span].any(axis=0)
    steady[-span:] |= feet[-span:].any(axis=0)
    return steady


def _lowest(heights: Floats, values: Floats, side: Bools) -> Floats:
    """The value at the lowest sole point of one foot."""
    lowest = np.argmin(heights[:, side], axis=1)
    picked: Floats = np.take_along_axis(values[:, side], lowest[:, None], axis=1)[:, 0]
    return picked


class _Others(NamedTuple):
    """Links other than feet and toes, by the lowest of the points by which each bears; feet are infinitely high."""

    low: Floats  # (T, N) [m]
    slow: Floats  # (T, N) its speed [m/s]


def _others(body: Body, motion: kinematics.Motion, ground: Surface) -> _Others:
    contact = touch(body, motion.pose, ground)
    speeds = np.linalg.norm(motion.point_velocities(surface_points(body).links, contact.points), axis=-1)
    low, slow = np.full((2, len(speeds), len(body)), np.inf)
    for link in np.setdiff1d(np.arange(len(body)), body.soles.links):
        mine = _own_points(body, link)
        lowest = np.argmin(contact.distances[:, mine], axis=1)[:, None]
        low[:, link] = np.take_along_axis(contact.distances[:, mine], lowest, axis=1)[:, 0]
        slow[:, link] = np.take_along_axis(speeds[:, mine], lowest, axis=1)[:, 0]
    return _Others(low, slow)


def _own_points(body: Body, link: int) -> Ints:
    """The surface points of a link by which it bears; the far end of a limb is where the next link does.

    Else the shins of all who stand would bear, and the forearms of all who lean on their hands.
    """
    points = np.flatnonzero(surface_points(body).links == link)
    in_limb = kind(body.names[link]) in (*ARM, *LEG)
    return points[:1] if in_limb and link in body.parents else points
