"""Coulomb coefficients of contacts with things, the same in every engine."""

import math

from ..scene import Scene
from ..world.thing import Thing

_LEAST = 1e-6  # of a link: what is divided by


def of_thing(thing: Thing, scene: Scene) -> float:
    """Of a link on a thing, and of a thing on the ground."""
    return scene.friction if thing.friction is None else thing.friction


def between_things(one: Thing, other: Thing, scene: Scene) -> float:
    """Each grips by as much as its friction is more than the scene's; Bullet knows no other rule."""
    return grip(of_thing(one, scene), scene) * grip(of_thing(other, scene), scene)


def grip(friction: float, scene: Scene) -> float:
    """What friction with a link comes from: the product of this and the link's own grip."""
    return friction / math.sqrt(max(scene.friction, _LEAST))
