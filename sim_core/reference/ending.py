"""What comes after the last frame: the body glides to rest, and a foot in the air is put down where it is needed.

A clip that ends in mid-stride leaves its body moving. It comes to rest only over its capture point, where the centre of
mass would stop by itself (Pratt et al. 2006), so that is where it glides, and where the next step has to be.
"""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics import kinematics
from ..dynamics.state_space import central_velocities, integrate
from ..posing.surface import touch
from ..scene import Ground, Scene
from ..settings import ReferenceSettings
from .last_step import LastFrame, glide, set_foot, sink_to_reach, staying, step_place, stepping

_ENDS_IN_AIR_M = 0.02
_STOP_TIME_S = 0.1  # time constant of joints that glide to a stop
_LOWEST_COM_M = 0.1


def with_ending(q: Floats, body: Body, scene: Scene, settings: ReferenceSettings, rate: float, hold_s: float) -> Floats:
    """The clip q (S, nq), and so many seconds in which it comes to rest."""
    if hold_s <= 0.0:
        return q
    ground = scene.ground
    v = central_velocities(body, q[-3:], rate)[-1]
    last = _last_frame(q[-1], v, body, scene, settings)
    times = np.arange(1, round(hold_s * rate) + 1) / rate
    if not last.stands.any():
        held = integrate(body, q[-1], glide(times, _STOP_TIME_S)[:, None] * v)
        _let_down(held, times, body, ground)
        return np.concatenate([q, held])
    place = step_place(last, body, ground)
    ways = np.outer(glide(times, _STOP_TIME_S), v)
    along = v[:3] - (v[:3] @ ground.normal) * ground.normal
    ways[:, :3] += np.outer(glide(times, 1.0 / last.fall_rate) - glide(times, _STOP_TIME_S), along)
    for side, stands in zip("lr", last.stands, strict=True):
        if stands or place is not None:  # the leg goes by its foot; a knee that glides on may be bent the wrong way
            ways[:, [*_dofs(body, f"thigh_{side}"), *_dofs(body, f"shin_{side}")]] = 0.0
    held = integrate(body, q[-1], ways)
    paths = {}
    for side, stands in zip("lr", last.stands, strict=True):
        if stands:
            paths[side] = staying(times, last, body, side)
        elif place is not None:
            paths[side] = stepping(times, last, held, body, side, place, ground)
    held[:, :3] -= sink_to_reach(times, held, paths, body, ground)[:, None] * ground.normal
    for side, path in paths.items():
        set_foot(held, path, body, side)
    return np.concatenate([q, held])


def _dofs(body: Body, name: str) -> range:
    return range(body.v_slice[name].start, body.v_slice[name].stop)


def _last_frame(q: Floats, v: Floats, body: Body, scene: Scene, settings: ReferenceSettings) -> LastFrame:
    motion = kinematics.motion(body, q, v)
    soles = motion.pose.points(body.soles.links, body.soles.local)
    speeds = np.linalg.norm(motion.point_velocities(body.soles.links, soles), axis=-1)
    bears = (scene.ground.distance(soles) < settings.contact_height_m) & (speeds < settings.contact_speed_m_s)
    stands = np.array([bears[body.soles.left].any(), bears[~body.soles.left].any()])
    height = max(float(scene.ground.distance(motion.pose.com)), _LOWEST_COM_M)
    return LastFrame(motion, stands, float(np.sqrt(scene.gravity / height)))


def _let_down(held: Floats, times: Floats, body: Body, ground: Ground) -> None:
    """Lowers what ends in the air onto the ground, in place."""
    height = float(touch(body, kinematics.pose(body, held[-1:]), ground).distances.min())
    if height > _ENDS_IN_AIR_M:
        share = glide(times, _STOP_TIME_S) / glide(times[-1:], _STOP_TIME_S)
        held[:, :3] -= height * share[:, None] * ground.normal
