"""Bodies of one or two links, for laws that are plain to see on them."""

import numpy as np

from sim_core import rotations
from sim_core.body.body import Body, Box, Capsule, Joint, Link, Shape, SolePoints

_NO_SOLES = SolePoints(links=np.zeros(0, np.int64), local=np.zeros((0, 3)), left=np.zeros(0, bool))
_FREE = Joint(
    kind="free",
    axes=np.zeros((0, 3)),
    neutral=rotations.IDENTITY,
    lower=np.zeros(0),
    upper=np.zeros(0),
    torque_limit=np.zeros(0),
)
_BALL = Joint(
    kind="ball",
    axes=np.eye(3),
    neutral=rotations.IDENTITY,
    lower=np.full(3, -3.0),
    upper=np.full(3, 3.0),
    torque_limit=np.full(3, 100.0),
)


def _link(name: str, shape: Shape, mass: float, parent: int = -1, offset: tuple = (0.0, 0.0, 0.0)) -> Link:
    centre = shape.centre if isinstance(shape, Box) else 0.5 * (shape.start + shape.end)
    return Link(
        name=name,
        bone=name,
        parent=parent,
        offset=np.array(offset),
        frame=rotations.IDENTITY,
        joint=_FREE if parent < 0 else _BALL,
        mass=mass,
        com=centre,
        inertia=np.eye(3) * mass * 0.02,
        shape=shape,
    )


def box_body(half_extents: tuple = (0.2, 0.15, 0.05), mass: float = 10.0) -> Body:
    shape = Box(centre=np.zeros(3), R_link_box=np.eye(3), half_extents=np.array(half_extents))
    return Body(links=(_link("box", shape, mass),), soles=_NO_SOLES, collision_pairs=(), height=1.0)


def ridden_box_body() -> Body:
    """A box like that of box_body, as the second link: a speck at its centre is the first."""
    box = Box(centre=np.zeros(3), R_link_box=np.eye(3), half_extents=np.array([0.2, 0.15, 0.05]))
    speck = Capsule(start=np.zeros(3), end=np.zeros(3), radius=0.01)
    links = (_link("speck", speck, 0.1), _link("box", box, 9.9, parent=0))
    return Body(links=links, soles=_NO_SOLES, collision_pairs=(), height=1.0)


def sphere_body(radius: float = 0.1, mass: float = 5.0) -> Body:
    """A sphere whose link's frame is not at its centre."""
    centre = np.array([0.05, -0.02, 0.03])
    shape = Capsule(start=centre, end=centre, radius=radius)
    return Body(links=(_link("sphere", shape, mass),), soles=_NO_SOLES, collision_pairs=(), height=1.0)


def clapper_body() -> Body:
    """Two spheres on arms of 0.3 m from one ball joint, that may touch each other."""
    still = Capsule(start=np.array([0.3, 0.0, 0.0]), end=np.array([0.3, 0.0, 0.0]), radius=0.1)
    links = (_link("one", still, 2.0), _link("two", still, 3.0, parent=0))
    return Body(links=links, soles=_NO_SOLES, collision_pairs=((0, 1),), height=1.0)
