"""Whether a clip was captured on the very things of its scene: then its feet are on them, or over them, already."""

import numpy as np

from ..arrays import Bools
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..motion.clip import Clip
from ..posing.body_motion import body_positions
from ..scene import Ground, Scene
from ..world.ground import GROUND

_STILL_M_S = 0.25
_FEWEST_S = 0.1  # of soles over things: with less they say nothing
_FLAT_M = 0.05  # things lower than this are no different from the floor
_FITS = 0.5  # of their distance to the floor: soles that are nearer to the things stand on them
_NEAR_M = 0.04  # the lowest point of a foot that stands is not farther from what it stands on
_INSIDE_M = 0.04  # a sole this deep in a thing passes through it
_SELDOM = 0.02  # of all soles over things
_MOST_FRAMES = 400  # are enough to look at


def captured_on(scene: Scene, clip: Clip, body: Body, floor: Ground) -> bool:
    """By the feet that stand still over things, as high as these rather than as the floor; where none stand, by those
    that pass over them."""
    if not any(thing.loose is None for thing in scene.things):
        return False
    poses = pose(body, body_positions(clip, body))
    soles = poses.points(body.soles.links, body.soles.local)
    speeds = np.linalg.norm(np.gradient(soles, 1.0 / clip.fps, axis=0), axis=-1)
    some = np.arange(0, len(soles), max(1, len(soles) // _MOST_FRAMES))
    soles, speeds, rate = soles[some], speeds[some], clip.fps * len(some) / len(clip)
    surface = scene.surface(some / clip.fps)
    over = surface.things(soles) != GROUND
    distances = surface.distance(soles)
    feet = (body.soles.left, ~body.soles.left)
    stands = np.stack([(np.median(speeds[:, f], axis=1) < _STILL_M_S) & over[:, f].any(axis=1) for f in feet], axis=1)
    if _for_long(stands, rate):
        from_things, from_floor = (
            float(np.median(np.abs(np.stack([values[:, f].min(axis=1) for f in feet], axis=1)[stands])))
            for values in (distances, floor.distance(soles))
        )
        return from_floor > _FLAT_M and from_things < min(_FITS * from_floor, _NEAR_M)
    return _for_long(over, rate) and bool(np.mean(distances[over] < -_INSIDE_M) < _SELDOM)


def _for_long(soles: Bools, rate: float) -> bool:
    return bool(soles.any(axis=1).sum() >= _FEWEST_S * rate)
