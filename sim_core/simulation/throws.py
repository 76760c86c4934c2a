"""Balls thrown at the character: where each begins, and how fast, for gravity to bring it to its mark in time."""

import numpy as np

from ..arrays import Floats, frozen
from ..body.body import Body
from ..disturbances import Throw
from ..dynamics.kinematics import pose
from ..errors import SettingsError
from ..motion.source_clip import SourceClip
from ..posing.heading import axes_facing, facing_of
from ..reference.reference import Reference
from ..scene import Scene
from ..world.solids import Ball
from ..world.thing import Loose, Thing

_DENSITY = 1000.0  # [kg/m^3] of a ball whose radius is not said
_FLIGHT_S = 0.4  # it appears so long before it hits
_STEEPEST = 0.5  # of its speed: what gravity may turn of it on its way
_OUTSIDE_M = 0.1  # a ball begins at least so far from its mark, besides its radius
_NEAR_M = 0.05  # besides its radius: nearer than this it has hit the body, whatever lies beyond
_LOOKS = 50  # places on its way at which the ground is looked for
_SIDES = {"front": (1.0, 0.0, 0.0), "back": (-1.0, 0.0, 0.0), "left": (0.0, 1.0, 0.0), "right": (0.0, -1.0, 0.0)}


def thrown(throw: Throw, number: int, body: Body, reference: Reference, scene: Scene, source: SourceClip) -> Thing:
    """A ball on its way to where the reference has the segment; raises where no such way leads there."""
    posed = pose(body, reference.q[min(round(throw.at_s * reference.rate), reference.clip_steps - 1)])
    target = posed.link_coms[body.index(throw.bone)]
    if isinstance(throw.comes_from, tuple):
        towards = source.from_own_axes(np.array(throw.comes_from))
        towards = towards / np.linalg.norm(towards)
    else:
        towards = axes_facing(facing_of(body, posed)) @ _SIDES[throw.comes_from]
    radius = throw.radius or float(np.cbrt(0.75 * throw.mass / (np.pi * _DENSITY)))
    gravity = np.array([0.0, 0.0, -scene.gravity])
    flight_s = min(_FLIGHT_S, throw.at_s, 2.0 * _STEEPEST * throw.speed / max(scene.gravity, 1e-9))
    distance = _distance(towards, throw.speed, gravity, flight_s)
    if distance < radius + _OUTSIDE_M:
        raise SettingsError(
            f"The {throw.words} has {distance:.2f} m to come in {flight_s:.2f} s, and would begin inside the "
            "character; let it hit later, or faster."
        )
    begins = target + distance * towards
    velocity = (target - begins) / flight_s - 0.5 * flight_s * gravity
    _check_way(throw, scene, radius, begins, velocity, gravity, target, flight_s)
    return Thing(
        name=f"ball {number}",
        solids=(Ball(radius=radius),),
        position=frozen(begins),
        loose=Loose(mass=throw.mass, velocity=frozen(velocity), appears_s=throw.at_s - flight_s),
    )


def _distance(towards: Floats, speed: float, gravity: Floats, flight_s: float) -> float:
    """How far away it begins [m]: at its mark it has flown for so long, and is as fast as it is to be.

    Its velocity there is -towards u + gravity t / 2, with u the distance over the time t: a quadratic for u.
    """
    fall = flight_s * float(towards @ gravity)
    inside = fall**2 + 4.0 * speed**2 - flight_s**2 * float(gravity @ gravity)
    return 0.5 * flight_s * (fall + float(np.sqrt(max(inside, 0.0))))


def _check_way(
    throw: Throw,
    scene: Scene,
    radius: float,
    begins: Floats,
    velocity: Floats,
    gravity: Floats,
    target: Floats,
    flight_s: float,
) -> None:
    times = np.linspace(0.0, flight_s, _LOOKS)[:, None]
    places = begins + times * velocity + 0.5 * times**2 * gravity
    on_its_way = np.linalg.norm(places - target, axis=1) > radius + _NEAR_M
    if (scene.ground.distance(places[on_its_way]) < radius).any():
        raise SettingsError(
            f"The {throw.words} goes through the ground before it hits; throw from higher up, or a smaller ball."
        )
