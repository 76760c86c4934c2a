"""Bodies that differ from the performer's: heavier in places, or with longer or shorter feet."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sim_core.arrays import Floats
from sim_core.body.body import Body, Box, Link
from sim_core.body.link_shapes import sole_points
from sim_core.rig.segments import kind

_LEG = ("thigh", "shin", "foot", "toes")
_FORWARD = 0  # column of a sole's box that points from heel to toe


def heavy_left_leg(body: Body) -> Body:
    """A left leg twice as heavy as the right one."""
    return _heavier(body, lambda name: 2.0 if kind(name) in _LEG and name.endswith("_l") else 1.0)


def heavy_upper_body(body: Body) -> Body:
    """Everything above the legs twice as heavy, the legs half as heavy."""
    return _heavier(body, lambda name: 0.5 if kind(name) in _LEG else 2.0)


def heavy_legs(body: Body) -> Body:
    return _heavier(body, lambda name: 2.0 if kind(name) in _LEG else 1.0)


def _heavier(body: Body, factor_of: Callable[[str], float]) -> Body:
    """Masses scaled, and inertias with them: the same shapes of another density."""
    factors = [factor_of(name) for name in body.names]
    links = tuple(
        replace(link, mass=factor * link.mass, inertia=factor * link.inertia)
        for link, factor in zip(body.links, factors, strict=True)
    )
    return replace(body, links=links)


def longer_feet(body: Body, metres: float) -> Body:
    """Feet stretched along their soles, from heel to toe, about the ankle; shorter where `metres` is negative."""
    factors = {side: 1.0 + metres / foot_length(body, side) for side in ("_l", "_r")}
    links = []
    for link in body.links:
        if isinstance(link.shape, Box) and kind(link.name) in ("foot", "toes"):
            forward, factor = link.shape.R_link_box[:, _FORWARD], factors[link.name[-2:]]
            stretch = np.eye(3) + (factor - 1.0) * np.outer(forward, forward)
            link = _stretched(link, link.shape, stretch)
            if kind(link.name) == "toes":
                link = _moved_with_foot(link, body.links[link.parent], factor)
        links.append(link)
    return replace(body, links=tuple(links), soles=sole_points(tuple(links)))


def foot_length(body: Body, side: str) -> float:
    """From heel to toe, along the sole [m]."""
    boxes = [link.shape for link in body.links if link.name in ("foot" + side, "toes" + side)]
    return sum(2.0 * float(box.half_extents[_FORWARD]) for box in boxes if isinstance(box, Box))


def _stretched(link: Link, box: Box, stretch: Floats) -> Link:
    """About the link's origin; the mass stays, and its second moments stretch with it."""
    moments = 0.5 * np.trace(link.inertia) * np.eye(3) - link.inertia
    moments = stretch @ moments @ stretch
    along = float(np.linalg.norm(stretch @ box.R_link_box[:, _FORWARD]))
    half_extents = box.half_extents.copy()
    half_extents[_FORWARD] *= along
    return replace(
        link,
        com=stretch @ link.com,
        inertia=np.trace(moments) * np.eye(3) - moments,
        shape=replace(box, centre=stretch @ box.centre, half_extents=half_extents),
    )


def _moved_with_foot(toes: Link, foot: Link, factor: float) -> Link:
    """The joint of the toes stays at the front end of the stretched foot."""
    assert isinstance(foot.shape, Box)
    forward = foot.shape.R_link_box[:, _FORWARD]
    return replace(toes, offset=toes.offset + (factor - 1.0) * float(toes.offset @ forward) * forward)
