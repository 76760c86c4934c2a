"""The objects of a scene file as things around a clip, with a sentence for everything that is not as it looks."""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import frozen
from ..scene_file.scene_objects import SceneObject
from ..world.solids import Convex, Cuboid
from ..world.thing import Loose, Thing
from .object_solids import object_solids
from .placement import Stage, direction, placed
from .tracks import track_of


class PlacedThings(NamedTuple):
    things: tuple[Thing, ...]
    warnings: tuple[str, ...]


def place_things(objects: tuple[SceneObject, ...], stage: Stage, friction: float) -> PlacedThings:
    things: list[Thing] = []
    warnings: list[str] = []
    for each in objects:
        found = _place(each, stage)
        things += found.things
        warnings += found.warnings
        warnings += [sentence for thing in found.things for sentence in _too_steep(thing, friction)]
    return PlacedThings(tuple(things), tuple(warnings))


def _place(each: SceneObject, stage: Stage) -> PlacedThings:
    if each.on_path is not None:
        stage = stage.along_the_path()
    place = placed(each, stage)
    moves = track_of(each, place, stage)
    if moves is not None:
        place = moves.poses(np.array(0.0))
    made = object_solids(each, stage, place)
    if not made.solids:
        return PlacedThings((), (f"'{each.name}' is nowhere near the clip's path, and is left out.",))
    loose = None
    if each.mass is not None:
        velocity, spin = (direction(each, stage, vector) for vector in (each.velocity, each.spin))
        loose = Loose(mass=each.mass, velocity=frozen(velocity), spin=frozen(spin))
    thing = Thing(
        name=each.name,
        solids=made.solids,
        position=frozen(place.positions),
        turn=frozen(rotations.IDENTITY if made.turned else place.turns),
        friction=each.friction,
        moves=moves,
        loose=loose,
        belt=frozen(stage.source.from_own_axes(np.array(each.belt))),
    )
    return PlacedThings((thing,), made.warnings)


def _too_steep(thing: Thing, friction: float) -> list[str]:
    """Said where even the most level face of a thing lets feet slide."""
    held = friction if thing.friction is None else thing.friction
    upward = [
        float(rotations.rotate(thing.turn, solid.half_spaces.normals)[:, 2].max())
        for solid in thing.solids
        if isinstance(solid, Cuboid | Convex)
    ]
    if thing.loose is not None or len(upward) < len(thing.solids):
        return []
    tilt = float(np.arccos(np.clip(max(upward), 0.0, 1.0)))
    if np.tan(tilt) <= held:
        return []
    return [
        f"'{thing.name}' is steeper than a friction of {held:g} holds, by its {np.degrees(tilt):.0f} degrees; "
        "feet will slide."
    ]
