"""The area of the ground that a motion stands on at every row, and the nearest place inside it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Bools, Floats
from ..body.body import Body, Box
from ..dynamics.kinematics import Pose
from ..posing.soles_on_edges import on_edges
from ..posing.surface import surface_points, touch
from ..world.ground import Ground
from ..world.surface import Surface
from .contacts import ContactLabels

_BEARING_M = 0.02  # points of labelled links that are this much above the lowest still bear load
_DIRECTIONS = 16  # in which the outermost points are corners
_LEAST_AREA_M2 = 1e-5  # an area smaller than this is a line or a point, and has no inside
_UP = np.array([0.0, 0.0, 1.0])


def ground_axes(ground: Surface) -> Floats:
    """(3, 3) R_world_ground: two axes along the ground, and its normal."""
    return rotations.to_matrix(rotations.between_vectors(_UP, ground.normal))


class Support(NamedTuple):
    """Corners in the ground's axes, counter-clockwise; those of rows without contact mean nothing."""

    corners: Floats  # (T, K, 2) [m]
    exists: Bools  # (T,)

    def nearest(self, points: Floats) -> Floats:
        """(T, 2) the points themselves where they are inside, else the nearest points of the outline."""
        along = np.roll(self.corners, -1, axis=1) - self.corners
        to_point = points[:, None] - self.corners
        length = np.maximum(np.sum(along**2, axis=-1), 1e-12)
        share = np.clip(np.sum(to_point * along, axis=-1) / length, 0.0, 1.0)
        candidates = self.corners + share[..., None] * along
        best = np.argmin(np.sum((candidates - points[:, None]) ** 2, axis=-1), axis=1)
        nearest = np.take_along_axis(candidates, best[:, None, None], axis=1)[:, 0]
        left_of_edge = along[..., 0] * to_point[..., 1] - along[..., 1] * to_point[..., 0]
        inside = np.all(left_of_edge >= 0.0, axis=1) & (self._areas() > _LEAST_AREA_M2)
        return np.where(inside[:, None], points, nearest)

    def _areas(self) -> Floats:
        x, y = self.corners[..., 0], self.corners[..., 1]
        areas: Floats = 0.5 * np.sum(x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1), axis=1)
        return areas


def zero_moment_points(com: Floats, turning: Floats, forces: Floats, least_normal: float) -> Floats:
    """(T, 2) where the ground's forces (T, 3) act, all in the ground's axes and in any unit of force.

    turning (T, 2) is n x dL/dt. Forces along the normal are taken to be at least so much, as with none there is no such
    point.
    """
    normal = np.maximum(forces[:, 2:], least_normal)
    points: Floats = com[:, :2] + (turning - com[:, 2:] * forces[:, :2]) / normal
    return points


def heights_over_support(body: Body, pose: Pose, surface: Surface, contacts: ContactLabels) -> Floats:
    """(T,) of the centre of mass, over the feet that stand, or over the ground as a whole where that is all there is.

    From one foot to the next, and through the air, the height of the support is led evenly.
    """
    if isinstance(surface, Ground):
        return surface.distance(pose.com)
    soles = pose.points(body.soles.links, body.soles.local)
    heights = soles @ surface.normal
    middles = np.stack([heights[:, mine].min(axis=1) for mine in (body.soles.left, ~body.soles.left)], axis=1)
    down = contacts.feet.astype(float)
    known = np.flatnonzero(contacts.feet.any(axis=1))
    if len(known) == 0:
        return surface.distance(pose.com)
    bearing = np.sum(down * middles, axis=1)[known] / down.sum(axis=1)[known]
    led = np.interp(np.arange(len(heights)), known, bearing)
    over: Floats = pose.com @ surface.normal - led
    return over


def support_of(body: Body, pose: Pose, ground: Surface, contacts: ContactLabels, margin_m: float) -> Support:
    """The hull of what is labelled as bearing and is low enough to; soles count without a margin around them."""
    soles, surface = body.soles, surface_points(body)
    others = ~np.isin(surface.links, soles.links)
    contact = touch(body, pose, ground)
    inner = on_edges(body, pose.points(soles.links, _inner_soles(body, margin_m)), ground, _BEARING_M)
    points = np.concatenate([inner, contact.points[:, others]], axis=1)
    on_soles = ground.distance(on_edges(body, pose.points(soles.links, soles.local), ground, _BEARING_M))
    heights = np.concatenate([on_soles, contact.distances[:, others]], axis=1)
    labelled = contacts.links[:, np.concatenate([soles.links, surface.links[others]])]
    lowest = np.where(labelled, heights, np.inf).min(axis=1, keepdims=True)
    bearing = labelled & (heights < np.maximum(lowest, 0.0) + _BEARING_M)
    flat = ((points - ground.point) @ ground_axes(ground))[..., :2]
    return Support(_corners(flat, bearing), bearing.any(axis=1))


def outline(soles: Sequence[Floats]) -> Support | None:
    """One row: the hull of some soles (P, 2) in the ground's axes; None without any."""
    if not soles:
        return None
    points = np.concatenate(soles)[None]
    return Support(_corners(points, np.ones(points.shape[:2], dtype=bool)), np.ones(1, dtype=bool))


def _corners(points: Floats, bearing: Bools) -> Floats:
    """(T, K, 2) the outermost of the points (T, P, 2) that bear (T, P), in every direction."""
    angles = 2.0 * np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS
    reaches = points @ np.stack([np.cos(angles), np.sin(angles)])  # (T, P, K)
    outermost = np.argmax(np.where(bearing[..., None], reaches, -np.inf), axis=1)
    corners: Floats = np.take_along_axis(points, outermost[..., None], axis=1)
    return corners


def _inner_soles(body: Body, margin_m: float) -> Floats:
    """(P, 3) the sole points moved towards the middle of their sole, in their links' frames."""
    inner = body.soles.local.copy()
    for i, link in enumerate(body.soles.links):
        box = body.links[link].shape
        if isinstance(box, Box):
            offset = (inner[i] - box.centre) @ box.R_link_box
            flat = np.sign(offset[:2]) * np.maximum(np.abs(offset[:2]) - margin_m, 0.0)
            inner[i] = box.centre + box.R_link_box @ [*flat, offset[2]]
    return inner
