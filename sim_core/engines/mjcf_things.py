"""The things of a scene as MuJoCo's XML, one body each, after the links.

MuJoCo has no bodies that move as they are told and carry what stands on them: what moves by itself is a free body so
heavy that nothing moves it, which is put where it belongs before every step.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree as Xml

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..scene import Scene
from ..world.mass_properties import mass_properties
from ..world.solids import Ball, Convex, Cuboid, HeightField, Solid
from . import friction
from .driven import HEAVY, is_driven
from .height_grid import height_grid
from .principal import principal_frame
from .xml_text import numbers_text

_LEAST_RISE = 1e-3  # [m] of a height field, which may be flat


class SoftGeom(NamedTuple):
    """A geom of the body, and how it gives way to what it touches."""

    name: str
    contact: Mapping[str, str]


def add_things(
    root: Xml.Element,
    world: Xml.Element,
    contact: Xml.Element,
    scene: Scene,
    ground: str,
    soft: Sequence[SoftGeom] = (),
) -> None:
    assets = Xml.SubElement(root, "asset")
    geoms = []
    for number, thing in enumerate(scene.things):
        pose = {"pos": numbers_text(thing.position), "quat": numbers_text(thing.turn)}
        body = Xml.SubElement(world, "body", pose, name=f"thing{number}")
        if thing.loose is not None:
            Xml.SubElement(body, "freejoint")
            mass, com, inertia = mass_properties(thing)
            moments, axes = principal_frame(inertia)
            _add_inertia(body, mass, com, axes, moments)
        elif is_driven(thing):
            body.set("gravcomp", "1")
            Xml.SubElement(body, "freejoint")
            _add_inertia(body, HEAVY, np.zeros(3), rotations.IDENTITY, np.full(3, HEAVY))
        names = [f"thing{number}.{k}" for k in range(len(thing.solids))]
        rub = _friction(friction.of_thing(thing, scene), scene)
        for name, solid in zip(names, thing.solids, strict=True):
            # Links meet everything of contype 1; a higher priority gives the contact this geom's friction.
            Xml.SubElement(
                body,
                "geom",
                _shape(solid, name, assets),
                name=name,
                contype="1",
                conaffinity="0",
                priority="1",
                friction=numbers_text(rub),
            )
        geoms.append(names)
    _add_pairs(contact, geoms, scene, ground)
    # The priority of a thing's geoms gives contacts their firmness too, so what is soft meets them by listed pairs.
    for thing, names in zip(scene.things, geoms, strict=True):
        for geom in soft:
            _add_pair(contact, [geom.name], names, friction.of_thing(thing, scene), scene, geom.contact)


def _add_pairs(contact: Xml.Element, geoms: Sequence[Sequence[str]], scene: Scene, ground: str) -> None:
    """Loose things meet the ground and all other things."""
    for number, thing in enumerate(scene.things):
        if thing.loose is not None:
            _add_pair(contact, geoms[number], [ground], friction.of_thing(thing, scene), scene)
    for a, b in combinations(range(len(scene.things)), 2):
        one, other = scene.things[a], scene.things[b]
        if one.loose is not None or other.loose is not None:
            _add_pair(contact, geoms[a], geoms[b], friction.between_things(one, other, scene), scene)


def _add_pair(
    contact: Xml.Element,
    some: Sequence[str],
    others: Sequence[str],
    coefficient: float,
    scene: Scene,
    gives: Mapping[str, str] | None = None,
) -> None:
    slide, turn, roll = _friction(coefficient, scene)
    rub = numbers_text([slide, slide, turn, roll, roll])
    for one in some:
        for other in others:
            Xml.SubElement(contact, "pair", dict(gives or {}), geom1=one, geom2=other, friction=rub)


def _friction(coefficient: float, scene: Scene) -> tuple[float, float, float]:
    """Sliding, turning on the spot, rolling."""
    return coefficient, coefficient * scene.patch_m, 0.0


def _add_inertia(body: Xml.Element, mass: float, com: Floats, axes: Floats, moments: Floats) -> None:
    Xml.SubElement(
        body,
        "inertial",
        pos=numbers_text(com),
        quat=numbers_text(axes),
        mass=numbers_text([mass]),
        diaginertia=numbers_text(moments),
    )


def _shape(solid: Solid, name: str, assets: Xml.Element) -> dict[str, str]:
    match solid:
        case Cuboid():
            return {
                "type": "box",
                "size": numbers_text(solid.half_extents),
                "pos": numbers_text(solid.centre),
                "quat": numbers_text(solid.turn),
            }
        case Ball():
            return {"type": "sphere", "size": numbers_text([solid.radius]), "pos": numbers_text(solid.centre)}
        case Convex():
            Xml.SubElement(assets, "mesh", name=name, vertex=numbers_text(solid.vertices.ravel()))
            return {"type": "mesh", "mesh": name}
        case HeightField():
            return _height_field(solid, name, assets)


def _height_field(field: HeightField, name: str, assets: Xml.Element) -> dict[str, str]:
    """MuJoCo's rows run against y, and its geom is at the middle of the lowest height."""
    grid = height_grid(field)
    Xml.SubElement(
        assets,
        "hfield",
        name=name,
        nrow=str(grid.heights.shape[1]),
        ncol=str(grid.heights.shape[0]),
        size=numbers_text([*grid.half[:2], max(2.0 * grid.half[2], _LEAST_RISE), field.thickness]),
        elevation=numbers_text(grid.heights.T[::-1].ravel()),
    )
    return {"type": "hfield", "hfield": name, "pos": numbers_text(grid.middle - [0.0, 0.0, grid.half[2]])}
