"""Which feet and links bear on the ground in a reference, by height, speed and the force that the motion needs."""

from typing import NamedTuple

import numpy as np

from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics import kinematics
from ..filters import without_blinks
from ..posing.surface import surface_points, touch
from ..scene import Ground
from ..settings import ReferenceSettings

_SHORTEST_GAP_S = 0.045  # a foot does not leave the ground for less
_SHORTEST_CONTACT_S = 0.035
_END_S = 0.05
_LINK_HEIGHT_M = 0.06  # hands, knees and backs are rounder and softer than soles
_LINK_SPEED_M_S = 0.6


class ContactLabels(NamedTuple):
    feet: Bools  # (T, 2) left, right
    links: Bools  # (T, N) any link, feet included


def label_contacts(
    body: Body,
    motion: kinematics.Motion,
    ground: Ground,
    vertical_force: Floats,  # (T,) that the motion needs, in body weights
    rate: float,
    settings: ReferenceSettings,
) -> ContactLabels:
    soles = motion.pose.points(body.soles.links, body.soles.local)
    speeds = np.linalg.norm(motion.point_velocities(body.soles.links, soles), axis=-1)
    heights = ground.distance(soles)
    low = np.stack([_lowest(heights, heights, side) for side in (body.soles.left, ~body.soles.left)], axis=1)
    slow = np.stack([_lowest(heights, speeds, side) for side in (body.soles.left, ~body.soles.left)], axis=1)
    feet = (low < settings.contact_height_m) & (slow < settings.contact_speed_m_s)
    feet = without_blinks(feet, rate, gap_s=_SHORTEST_GAP_S, touch_s=_SHORTEST_CONTACT_S)
    # Force cannot come out of the air: where the motion needs it and no foot is down, the likeliest foot is.
    unsupported = (
        ~feet.any(axis=1) & (vertical_force > settings.needed_force) & (low.min(axis=1) < settings.nearest_foot_m)
    )
    rows = np.flatnonzero(unsupported)
    feet[rows, np.argmin(low[rows] + 0.02 * slow[rows], axis=1)] = True
    feet = without_blinks(feet, rate, gap_s=_SHORTEST_GAP_S, touch_s=_SHORTEST_CONTACT_S)
    feet = _steady_ends(feet, rate)
    return ContactLabels(feet=feet, links=_links(body, motion, ground, feet, rate))


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


def _links(body: Body, motion: kinematics.Motion, ground: Ground, feet: Bools, rate: float) -> Bools:
    surface = surface_points(body)
    contact = touch(body, motion.pose, ground)
    speeds = np.linalg.norm(motion.point_velocities(surface.links, contact.points), axis=-1)
    bearing = (contact.distances < _LINK_HEIGHT_M) & (speeds < _LINK_SPEED_M_S)
    labels = np.zeros((len(feet), len(body)), dtype=bool)
    for i, link in enumerate(body.links):
        if i in body.soles.links:
            labels[:, i] = feet[:, 0 if link.name.endswith("_l") else 1]
        else:
            labels[:, i] = bearing[:, surface.links == i].any(axis=1)
    return labels
