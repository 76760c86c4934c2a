"""A thing as URDF, as Bullet reads it: one link with all its solids. Height fields are not among them."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree as Xml

import numpy as np
from scipy.spatial import HalfspaceIntersection

from .. import rotations
from ..arrays import Floats
from ..world.mass_properties import MassProperties, mass_properties
from ..world.solids import Ball, Convex, Cuboid
from ..world.thing import Thing
from .driven import HEAVY, is_driven
from .principal import PrincipalFrame, principal_frame
from .urdf import add_inertia, add_origin
from .xml_text import numbers_text

_MARGIN = 1e-3  # [m] that Bullet puts around hulls


def inertia_of(thing: Thing) -> MassProperties:
    """None at all for what stays where it is."""
    if thing.loose is not None:
        return mass_properties(thing)
    return MassProperties(HEAVY if is_driven(thing) else 0.0, np.zeros(3), HEAVY * np.eye(3))


@contextmanager
def thing_file(thing: Thing) -> Iterator[Path]:
    """Bullet reads models only from files, and hulls from further ones."""
    robot = Xml.Element("robot", name="thing")
    link = Xml.SubElement(robot, "link", name="thing")
    mass, com, inertia = inertia_of(thing)
    principal = principal_frame(inertia) if thing.loose else PrincipalFrame(np.diag(inertia), rotations.IDENTITY)
    add_inertia(link, mass, com, principal)
    with tempfile.TemporaryDirectory(prefix="heft") as name:
        folder = Path(name)
        for number, solid in enumerate(thing.solids):
            match solid:
                case Cuboid():
                    geometry = _add_collision(link, solid.centre, solid.turn)
                    Xml.SubElement(geometry, "box", size=numbers_text(2.0 * solid.half_extents))
                case Ball():
                    geometry = _add_collision(link, solid.centre, rotations.IDENTITY)
                    Xml.SubElement(geometry, "sphere", radius=numbers_text([solid.radius]))
                case Convex():
                    geometry = _add_collision(link, np.zeros(3), rotations.IDENTITY)
                    path = folder / f"hull{number}.obj"
                    path.write_text(_obj(_within_margin(solid)), encoding="utf-8")
                    Xml.SubElement(geometry, "mesh", filename=path.name)
        Xml.indent(robot)  # Bullet cuts lines longer than 8191 characters in two
        path = folder / "thing.urdf"
        path.write_text(Xml.tostring(robot, encoding="unicode"), encoding="utf-8")
        yield path


def _add_collision(link: Xml.Element, position: Floats, turn: Floats) -> Xml.Element:
    collision = Xml.SubElement(link, "collision")
    add_origin(collision, position, turn)
    return Xml.SubElement(collision, "geometry")


def _within_margin(solid: Convex) -> Floats:
    """(V, 3) corners of the hull with its faces drawn in by as much as Bullet adds to them."""
    planes = np.column_stack([solid.half_spaces.normals, _MARGIN - solid.half_spaces.offsets])
    inside: Floats = solid.vertices.mean(axis=0)
    if (planes[:, :3] @ inside + planes[:, 3]).max() > -_MARGIN:  # too thin for that
        return solid.vertices
    corners: Floats = HalfspaceIntersection(planes, inside).intersections
    return corners


def _obj(vertices: Floats) -> str:
    """Bullet takes the hull of the corners of all faces."""
    corners = [f"v {numbers_text(vertex)}" for vertex in vertices]
    last = len(vertices)
    faces = [f"f {k} {k + 1} {k + 2}" for k in range(1, last - 1)]
    return "\n".join([*corners, *faces]) + "\n"
