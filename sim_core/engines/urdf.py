"""A body as URDF, as Bullet reads it.

Names are by number, so that no bone's name can upset the parser.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree as Xml

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body, Box, Capsule, Link, Shape
from .flesh import unpressed
from .principal import PrincipalFrame, principal_frame
from .xml_text import numbers_text

_URDF_JOINT = {"ball": "spherical", "hinge": "continuous"}


def _link_name(index: int) -> str:
    return f"link{index}"


def body_to_urdf(body: Body) -> str:
    robot = Xml.Element("robot", name="body")
    for index, link in enumerate(body.links):
        _add_link(robot, _link_name(index), link)
    for index, link in enumerate(body.links[1:], start=1):
        joint = Xml.SubElement(robot, "joint", name=f"joint{index}", type=_URDF_JOINT[link.joint.kind])
        Xml.SubElement(joint, "parent", link=_link_name(link.parent))
        Xml.SubElement(joint, "child", link=_link_name(index))
        add_origin(joint, link.offset, link.frame)
        if link.joint.kind == "hinge":
            Xml.SubElement(joint, "axis", xyz=numbers_text(link.joint.axes[0]))
    Xml.indent(robot)  # Bullet cuts lines longer than 8191 characters in two, in the middle of a number
    return Xml.tostring(robot, encoding="unicode")


def _add_link(robot: Xml.Element, name: str, link: Link) -> None:
    element = Xml.SubElement(robot, "link", name=name)
    add_inertia(element, link.mass, link.com, principal_frame(link.inertia))
    # Bullet allows pairs of links, not of shapes: a link that may touch this one touches its padding too.
    for shape in unpressed(link):
        _add_shape(Xml.SubElement(element, "collision"), shape)


def _add_shape(collision: Xml.Element, shape: Shape) -> None:
    geometry = Xml.SubElement(collision, "geometry")
    match shape:
        case Box():
            add_origin(collision, shape.centre, rotations.from_matrix(shape.R_link_box))
            Xml.SubElement(geometry, "box", size=numbers_text(2.0 * shape.half_extents))
        case Capsule() if shape.is_sphere:
            add_origin(collision, shape.start, rotations.IDENTITY)
            Xml.SubElement(geometry, "sphere", radius=numbers_text([shape.radius]))
        case Capsule():
            along = shape.end - shape.start
            turn = rotations.between_vectors(np.array([0.0, 0.0, 1.0]), along)
            add_origin(collision, 0.5 * (shape.start + shape.end), turn)
            length = numbers_text([float(np.linalg.norm(along))])
            Xml.SubElement(geometry, "capsule", radius=numbers_text([shape.radius]), length=length)


def add_inertia(link: Xml.Element, mass: float, com: Floats, principal: PrincipalFrame) -> None:
    inertial = Xml.SubElement(link, "inertial")
    add_origin(inertial, com, principal.rotation)
    Xml.SubElement(inertial, "mass", value=numbers_text([mass]))
    diagonal = {key: numbers_text([value]) for key, value in zip(("ixx", "iyy", "izz"), principal.moments, strict=True)}
    Xml.SubElement(inertial, "inertia", diagonal, ixy="0", ixz="0", iyz="0")


def add_origin(parent: Xml.Element, position: Floats, rotation: Floats) -> None:
    """URDF turns about fixed x, then y, then z: the product Rz Ry Rx."""
    yaw_pitch_roll = rotations.to_euler(rotation, (2, 1, 0))
    Xml.SubElement(parent, "origin", xyz=numbers_text(position), rpy=numbers_text(yaw_pitch_roll[::-1]))


@contextmanager
def urdf_file(body: Body) -> Iterator[Path]:
    """Bullet reads models only from files."""
    with tempfile.TemporaryDirectory(prefix="heft") as folder:
        path = Path(folder) / "body.urdf"
        path.write_text(body_to_urdf(body), encoding="utf-8")
        yield path
