"""A body in a scene as MuJoCo's XML.

Joints have no damping, no armature and no limits, so that the model is the one our own dynamics describe;
limits and damping are the controller's job.
"""

from xml.etree import ElementTree as Xml

import numpy as np

from .. import rotations
from ..body.body import Body, Box, Capsule, Link, Shape
from ..scene import Scene
from ..world.solids import Convex
from .flesh import softness, stands_out, unpressed
from .mjcf_things import SoftGeom, add_things
from .principal import principal_frame
from .xml_text import numbers_text

GROUND_NAME = "ground"
# Elliptic cones, a high impratio and two passes of the no-slip solver keep standing feet from creeping, which
# MuJoCo's soft contacts otherwise do by design (MuJoCo documentation, "Modeling: preventing slip").
_OPTION = {
    "integrator": "implicitfast",
    "cone": "elliptic",
    "impratio": "10",
    "noslip_iterations": "2",
}
_FIRM_S = 0.008  # time constant
_CONTACT = {
    "condim": "4",  # with friction against turning on the spot
    # Soft as flesh: feet land softly and rest on all their corners, and a dropped body sinks by millimetres.
    "solref": f"{_FIRM_S} 1",
}
# MuJoCo's usual contacts bear a body at rest without giving way, whatever their time constant: they lack only 5 % of
# the force that would stop it at once. What is soft lacks most of it, and so is a spring with a damper.
_SOFT_IMPEDANCE = "0.3 0.3 0.001"
# Of two geoms the heavier one says how soft their contact is. A priority would do so too, and would say the friction.
_SOFT_WEIGHT = "1e6"


def body_to_mjcf(body: Body, scene: Scene, step_s: float) -> str:
    """Bodies and geoms carry the names of the links; the ground's geom is called GROUND_NAME."""
    root = Xml.Element("mujoco", model="heft")
    Xml.SubElement(root, "compiler", angle="radian", autolimits="true")
    gravity = numbers_text([0.0, 0.0, -scene.gravity])
    option = Xml.SubElement(root, "option", _OPTION, timestep=numbers_text([step_s]), gravity=gravity)
    # A state that is no longer finite must be seen by the caller, not be replaced by the model's zero pose.
    flags = Xml.SubElement(option, "flag", autoreset="disable")
    if any(isinstance(solid, Convex) for thing in scene.things for solid in thing.solids):
        flags.set("multiccd", "enable")  # or a foot would touch a hull's face at one point
    turning = scene.friction * scene.patch_m
    friction = numbers_text([scene.friction, turning, 0.0])
    default = Xml.SubElement(root, "default")
    # Geoms of links meet only the ground (its contype against their conaffinity); pairs of links are listed.
    Xml.SubElement(default, "geom", _CONTACT, friction=friction, contype="0", conaffinity="1")
    Xml.SubElement(default, "pair", _CONTACT, friction=numbers_text([scene.friction] * 2 + [turning, 0.0, 0.0]))
    world = Xml.SubElement(root, "worldbody")
    _add_ground(world, scene)
    elements: list[Xml.Element] = []
    for link in body.links:
        parent = world if link.parent < 0 else elements[link.parent]
        elements.append(_add_link(parent, link))
    contact = Xml.SubElement(root, "contact")
    for a, b in body.collision_pairs:
        one, other = body.links[a], body.links[b]
        pair = Xml.SubElement(contact, "pair", geom1=one.name, geom2=other.name)
        if out := stands_out(one) + stands_out(other):
            pair.set("margin", numbers_text([-out]))  # links meet each other where their flesh is under load
    if scene.things:
        add_things(root, world, contact, scene, GROUND_NAME, _soft_geoms(body))
    return Xml.tostring(root, encoding="unicode")


def _add_ground(world: Xml.Element, scene: Scene) -> None:
    up = rotations.between_vectors(np.array([0.0, 0.0, 1.0]), scene.ground.normal)
    Xml.SubElement(
        world,
        "geom",
        name=GROUND_NAME,
        type="plane",
        size="0 0 1",
        pos=numbers_text(scene.ground.point),
        quat=numbers_text(up),
        contype="1",
        conaffinity="0",
    )


def _add_link(parent: Xml.Element, link: Link) -> Xml.Element:
    element = Xml.SubElement(
        parent, "body", name=link.name, pos=numbers_text(link.offset), quat=numbers_text(link.frame)
    )
    match link.joint.kind:
        case "free":
            Xml.SubElement(element, "freejoint")
        case "ball":
            Xml.SubElement(element, "joint", type="ball")
        case "hinge":
            Xml.SubElement(element, "joint", type="hinge", axis=numbers_text(link.joint.axes[0]))
    moments, axes = principal_frame(link.inertia)
    Xml.SubElement(
        element,
        "inertial",
        pos=numbers_text(link.com),
        quat=numbers_text(axes),
        mass=numbers_text([link.mass]),
        diaginertia=numbers_text(moments),
    )
    contact = _soft_contact(link)
    if contact:
        contact["solmix"] = _SOFT_WEIGHT
    for number, shape in enumerate(unpressed(link)):
        Xml.SubElement(element, "geom", _shape(shape), name=_geom_name(link, number), **contact)
    return element


def _geom_name(link: Link, number: int) -> str:
    return f"{link.name}.{number}" if number else link.name


def _soft_contact(link: Link) -> dict[str, str]:
    """Nothing for a firm link, whose contacts are as all others."""
    soft = softness(link)
    if soft == 1.0:
        return {}
    return {"solref": numbers_text([_FIRM_S * np.sqrt(soft), 1.0]), "solimp": _SOFT_IMPEDANCE}


def _soft_geoms(body: Body) -> list[SoftGeom]:
    return [
        SoftGeom(_geom_name(link, number), _soft_contact(link))
        for link in body.links
        if _soft_contact(link)
        for number in range(len(link.flesh))
    ]


def _shape(shape: Shape) -> dict[str, str]:
    match shape:
        case Box():
            quat = rotations.from_matrix(shape.R_link_box)
            return {
                "type": "box",
                "size": numbers_text(shape.half_extents),
                "pos": numbers_text(shape.centre),
                "quat": numbers_text(quat),
            }
        case Capsule() if shape.is_sphere:
            return {"type": "sphere", "size": numbers_text([shape.radius]), "pos": numbers_text(shape.start)}
        case Capsule():
            ends = np.concatenate([shape.start, shape.end])
            return {"type": "capsule", "size": numbers_text([shape.radius]), "fromto": numbers_text(ends)}
