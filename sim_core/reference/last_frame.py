"""The last frame of a clip, as what comes after it needs to know it."""

from typing import NamedTuple

import numpy as np

from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics import kinematics
from ..dynamics.state_space import central_velocities
from ..posing.surface import surface_points, touch
from ..scene import Ground, Scene
from ..settings import ReferenceSettings
from .by_hand import by_hand
from .sinking import steepness

_FALLS = 0.3  # of gravity: who falls slower than this hangs or sits on something unseen
_FALLING_S = 0.06
_RUNS_M_S = 1.5  # nor does who is faster than this along the ground, whatever the noise of a last frame says
_BELOW = 0.5  # of the pelvis's height: feet to land on are below this
_TOUCHES_M = 0.06  # of what is no foot
_ON_THE_GROUND = 0.25  # of body height: a level trunk whose pelvis is this low is borne by no legs, whatever touches


class LastFrame(NamedTuple):
    motion: kinematics.Motion  # of one pose
    stands: Bools  # (2,) left, right
    flies: bool  # feet first; who is in the air in any other way does not
    lies: bool  # on something besides feet


def last_frame(q: Floats, body: Body, scene: Scene, settings: ReferenceSettings, rate: float) -> LastFrame:
    """Of the clip q (S, nq)."""
    ground = scene.ground
    motion = kinematics.motion(body, q[-1], central_velocities(body, q[-3:], rate)[-1])
    soles = motion.pose.points(body.soles.links, body.soles.local)
    speeds = np.linalg.norm(motion.point_velocities(body.soles.links, soles), axis=-1)
    bears = (ground.distance(soles) < settings.contact_height_m) & (speeds < settings.contact_speed_m_s)
    found = np.array([bears[body.soles.left].any(), bears[~body.soles.left].any()])
    stands = by_hand(settings.stances, len(q), rate).over(found)[-1]
    lies = _lies(motion, body, ground)
    free = _falls(q, body, scene, rate) or _runs(motion, body, ground)
    flies = not stands.any() and not lies and free and _upright(motion, body, ground)
    return LastFrame(motion, stands, flies, lies)


def _lies(motion: kinematics.Motion, body: Body, ground: Ground) -> bool:
    others = ~np.isin(surface_points(body).links, [*np.unique(body.soles.links), *_shins(body)])
    one_row = kinematics.Pose(*(part[None] for part in motion.pose))
    return _trunk_lies(motion, body, ground) or bool(
        touch(body, one_row, ground).distances[0, others].min() < _TOUCHES_M
    )


def _trunk_lies(motion: kinematics.Motion, body: Body, ground: Ground) -> bool:
    """Whoever lies with knees drawn up has feet on the ground that could stand, and a back that captures leave above
    it: he does not step to come to rest."""
    pelvis, chest = motion.pose.origins[0], motion.pose.origins[body.index("chest")]
    low = float(ground.distance(pelvis)) < _ON_THE_GROUND * body.height
    return low and not steepness(chest, pelvis, ground.normal) > 0.0


def _shins(body: Body) -> list[int]:
    return [body.index(f"shin_{side}") for side in "lr"]


def _falls(q: Floats, body: Body, scene: Scene, rate: float) -> bool:
    rows = q[-max(3, round(_FALLING_S * rate)) :]
    heights = scene.ground.distance(kinematics.pose(body, rows).com)
    bend = np.polyfit(np.arange(len(rows)) / rate, heights, 2)[0]
    return bool(2.0 * bend < -_FALLS * scene.gravity)


def _runs(motion: kinematics.Motion, body: Body, ground: Ground) -> bool:
    velocity = motion.linear_momentum / body.mass
    return bool(np.linalg.norm(velocity - (velocity @ ground.normal) * ground.normal) > _RUNS_M_S)


def _upright(motion: kinematics.Motion, body: Body, ground: Ground) -> bool:
    pelvis = float(ground.distance(motion.pose.origins[0]))
    ankles = motion.pose.origins[[body.index(f"foot_{side}") for side in "lr"]]
    return bool(ground.distance(ankles).min() < _BELOW * pelvis)
