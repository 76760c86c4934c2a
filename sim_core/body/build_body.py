"""From a rig and its bone map to a simulated body: links, masses, shapes, joints."""

from collections.abc import Mapping

import numpy as np

from .. import rotations
from ..errors import RigError
from ..motion.clip import Clip
from ..rig.segments import kind, parents_of
from .anthropometry import BODY_MASS_INDEX, LEG_LENGTH, REFERENCE_HEIGHT, SEGMENTS, STRENGTH_HEADROOM
from .body import Body, Joint, Link
from .collision_pairs import pairs_that_may_touch
from .feet import Foot, measure_feet
from .joint_limits import joint_limits
from .link_masses import mass_fractions, mass_part, steady_inertia
from .link_shapes import far_end, shape_of, sole_points
from .rig_geometry import RigGeometry


def build_body(clip: Clip, bones: Mapping[str, int], *, height: float | None = None, mass: float | None = None) -> Body:
    """The body of a rig, measured on its clip (motion only, without a T-pose in front).

    Height [m] and mass [kg] default to those of a person with the rig's legs.
    """
    rig = RigGeometry(clip=clip, bones=bones)
    height = rig.leg_length / LEG_LENGTH if height is None else height
    mass = BODY_MASS_INDEX * height**2 if mass is None else mass
    if not (0.3 <= height <= 10.0 and 1.0 <= mass <= 1000.0):
        raise RigError(
            f"The figure would be {height:.2f} m tall and weigh {mass:.0f} kg, which is no body to simulate; "
            "set the scale (metres per unit), the height or the mass."
        )
    feet = measure_feet(rig, height)
    order = list(parents_of(bones))
    fractions = mass_fractions(order)
    links = tuple(_link(rig, name, order, mass, height, fractions[name], feet) for name in order)
    return Body(
        links=links,
        soles=sole_points(links),
        collision_pairs=pairs_that_may_touch(links, rig),
        height=height,
    )


def _link(
    rig: RigGeometry,
    name: str,
    order: list[str],
    body_mass: float,
    height: float,
    fraction: float,
    feet: Mapping[str, Foot],
) -> Link:
    parent = rig.parents[name]
    far = far_end(rig, name, height)
    shape = shape_of(rig, name, far, height, feet)
    part = mass_part(rig, name, far, shape, fraction * body_mass, height)
    return Link(
        name=name,
        bone=rig.clip.skeleton.names[rig.bones[name]],
        parent=-1 if parent is None else order.index(parent),
        offset=np.zeros(3) if parent is None else rig.offset(name),
        frame=rotations.IDENTITY,
        joint=_joint(rig, name, body_mass, height),
        mass=part.mass,
        com=part.com,
        inertia=steady_inertia(part.inertia, body_mass, height),
        shape=shape,
    )


def _joint(rig: RigGeometry, name: str, body_mass: float, height: float) -> Joint:
    if rig.parents[name] is None:
        none = np.zeros(0)
        return Joint(
            kind="free",
            axes=np.zeros((0, 3)),
            neutral=rotations.IDENTITY,
            lower=none,
            upper=none,
            torque_limit=none,
        )
    limits = joint_limits(rig, name)
    strength = SEGMENTS[kind(name)].torque * STRENGTH_HEADROOM * body_mass * height / REFERENCE_HEIGHT
    return Joint(
        kind="ball",
        axes=limits.axes,
        neutral=limits.neutral,
        lower=limits.lower,
        upper=limits.upper,
        torque_limit=np.full(3, strength),
    )
