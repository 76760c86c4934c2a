"""The things of a scene at one moment as flat outlines, in the order in which a painter would lay them down."""

from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull

from ..arrays import Floats
from ..engines.loose import loose_numbers
from ..scene import Ground, Scene
from ..simulation.recording import Recording
from ..world.ground import GROUND
from ..world.solids import Ball, HeightField
from ..world.surface import Terrain
from ..world.thing import Thing
from ..world.track import Poses
from .viewpoint import Viewpoint

_AROUND = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
_PROFILE_M = np.arange(-2.5, 2.5001, 0.05)  # of a height field, before and behind the figure
_FAR_BELOW_M = 1000.0


class ThingOutline(NamedTuple):
    outline: Floats  # (K, 2) convex, right and up in the picture [m]
    loose: bool
    edged: bool  # slices of a height field have no edges, but a common line on top
    depth: float  # of its middle; greater is nearer [m]


def outlines_of(scene: Scene, recording: Recording, time_s: float, view: Viewpoint, root: Floats) -> list[ThingOutline]:
    """The farthest first; height fields are cut where the figure's root (3,) is."""
    rows = {number: row for row, number in enumerate(loose_numbers(scene))}
    found: list[ThingOutline] = []
    for number, thing in enumerate(scene.things):
        if thing.loose is None:
            found += _outlines(thing, thing.poses(np.array(time_s)), time_s, view, root)
        elif thing.loose.appears_s <= time_s:
            step = min(round(time_s * recording.rate), len(recording.things) - 1)
            state = recording.things[step, rows[number]]
            found += _outlines(thing, Poses(state[:3], state[3:7]), time_s, view, root)
    return sorted(found, key=lambda each: each.depth)


def _outlines(thing: Thing, pose: Poses, time_s: float, view: Viewpoint, root: Floats) -> list[ThingOutline]:
    found = []
    for solid in thing.solids:
        if isinstance(solid, HeightField):
            found += _profile(thing, solid, time_s, view, root)
            continue
        if isinstance(solid, Ball):
            world = pose.to_world(solid.centre)
            outline = view.flat(world) + solid.radius * np.stack([np.cos(_AROUND), np.sin(_AROUND)], axis=1)
        else:
            world = pose.to_world(solid.vertices)
            flat = view.flat(world)
            outline = flat[ConvexHull(flat).vertices]
        depth = float(np.mean(view.depth(world)))
        found.append(ThingOutline(outline, loose=thing.loose is not None, edged=True, depth=depth))
    return found


def _profile(thing: Thing, field: HeightField, time_s: float, view: Viewpoint, root: Floats) -> list[ThingOutline]:
    alone = Terrain(Ground(point=np.array([0.0, 0.0, -_FAR_BELOW_M])), (thing,), np.array(time_s))
    places = root + _PROFILE_M[:, None] * view.right
    on_it = alone.things(places) != GROUND
    tops = np.column_stack([places[:, :2], alone.height(places)])
    bottoms = tops.copy()
    bottoms[:, 2] = thing.position[2] + field.heights.min() - field.thickness
    corners = view.flat(np.stack([tops[:-1], tops[1:], bottoms[1:], bottoms[:-1]], axis=1))
    depth = float(view.depth(root))
    return [ThingOutline(corners[k], False, False, depth) for k in np.flatnonzero(on_it[:-1] & on_it[1:])]
