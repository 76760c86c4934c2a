"""What comes after the last frame: the body glides to rest, on feet that step where it would fall.

A clip that ends in mid-stride leaves its body moving, or in the air. So its centre of mass is led on as the ground can
carry it, steps are taken until it stops, and all else fades to a stop.
"""

import numpy as np
from scipy.interpolate import CubicSpline

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import motion, pose
from ..dynamics.state_space import central_velocities, integrate
from ..posing.surface import touch
from ..scene import Ground, Scene
from ..settings import ReferenceSettings
from .foot_paths import (
    STRAIGHT,
    FlatFoot,
    FootPath,
    flat_foot,
    foot_parts,
    glide,
    rolled,
    set_foot,
    settled,
    staying,
    stepping,
)
from .last_frame import LastFrame, last_frame
from .sinking import leg_length, too_high
from .stopping import RATE, Falling, Foot, Stopping, come_to_rest
from .support import ground_axes

_ENDS_IN_AIR_M = 0.02
_STOP_TIME_S = 0.1  # time constant of joints that glide to a stop
_STOPS_S_PER_M_S = 0.3  # who does not stop in the usual time, since he runs, is given so much
_STANDS_M = 0.27  # of the capture point beside the soles, at the end: who is farther off has not stopped
_LOWEST_COM_M = 0.1
_LOW_M = 0.03  # soles below this stand
_FEWEST_ROWS = 3
_RISING_M_S = 0.3  # a heel that rises so fast is about to leave
_SINKS_M = 0.05  # the pelvis may sink this much for a long step
_FOLLOWING = 3  # times that the pelvis is moved for the centre of mass to be where it should


def with_ending(q: Floats, body: Body, scene: Scene, settings: ReferenceSettings, rate: float, hold_s: float) -> Floats:
    """The clip q (S, nq), and so many seconds, or more for who is fast, in which it comes to rest."""
    if hold_s <= 0.0:
        return q
    last = last_frame(q, body, scene, settings, rate)
    held = _held(q, last, body, scene, rate, hold_s)
    speed = float(np.linalg.norm(last.motion.linear_momentum)) / body.mass
    if _STOPS_S_PER_M_S * speed > hold_s and not _has_stopped(held, body, scene, rate):
        held = _held(q, last, body, scene, rate, _STOPS_S_PER_M_S * speed)
    return np.concatenate([q, held])


def _held(q: Floats, last: LastFrame, body: Body, scene: Scene, rate: float, hold_s: float) -> Floats:
    """(T, nq) what follows the clip q (S, nq) for so many seconds."""
    v = central_velocities(body, q[-3:], rate)[-1]
    times = np.arange(1, round(hold_s * rate) + 1) / rate
    held = integrate(body, q[-1], glide(times, _STOP_TIME_S)[:, None] * v)
    if last.flies or (last.stands.any() and not last.lies):
        held = _stopped(held, times, q[-1], last, body, scene)
    elif not last.stands.any():
        _let_down(held, times, body, scene.ground)
    return held


def _has_stopped(held: Floats, body: Body, scene: Scene, rate: float) -> bool:
    """Whether at the end the body would come to rest over its feet."""
    if len(held) < _FEWEST_ROWS:
        return True
    end = motion(body, held[-2], central_velocities(body, held[-3:], rate)[1])
    height = max(float(scene.ground.distance(end.pose.com)), _LOWEST_COM_M)
    capture = end.pose.com + end.linear_momentum / body.mass * np.sqrt(height / scene.gravity)
    soles = end.pose.points(body.soles.links, body.soles.local)
    low = soles[scene.ground.distance(soles) < _LOW_M]
    return bool(len(low) and np.linalg.norm(_along(low - capture, scene.ground), axis=1).min() < _STANDS_M)


def _stopped(held: Floats, times: Floats, q: Floats, last: LastFrame, body: Body, scene: Scene) -> Floats:
    """The poses held (T, nq) with the centre of mass and the feet as they come to rest after a pose q (nq,)."""
    ground = scene.ground
    axes = ground_axes(ground)
    gravity = axes.T @ [0.0, 0.0, -scene.gravity]
    slope = -gravity[:2] / gravity[2]  # of what is plumb
    flats = [flat_foot(body, last.motion, side, ground) for side in "lr"]
    com = (last.motion.pose.com - ground.point) @ axes
    plumb = com[:2] + slope * com[2]
    velocity = last.motion.linear_momentum / body.mass @ axes
    start = Falling(plumb, velocity[:2], max(com[2], _LOWEST_COM_M), velocity[2], plumb)
    feet = [_foot(i, last, flats[i], plumb, body, ground) for i in range(2)]
    rows = int(np.ceil(times[-1] * RATE)) + 1
    sinks_m = 0.0 if last.flies else _SINKS_M  # what falls freely cannot fall faster
    stopping = come_to_rest(start, feet, -gravity[2], rows, sinks_m)
    for side, stands in zip("lr", last.stands, strict=True):
        if stands or any("lr"[landing.side] == side for landing in stopping.landings):
            for leg in (body.q_slice[f"{name}_{side}"] for name in ("thigh", "shin")):
                held[:, leg] = q[leg]  # it goes by its foot; a knee that glides on may be bent the wrong way
    led = CubicSpline(np.arange(rows) / RATE, np.column_stack([stopping.places, stopping.heights]))(times)
    sunk = np.zeros(len(held))
    for _ in range(_FOLLOWING):
        heights = (led[:, 2] - sunk)[:, None]
        wanted = ground.point + np.concatenate([led[:, :2] - slope * heights, heights], axis=1) @ axes.T
        held[:, :3] += wanted - pose(body, held).com
        paths = _paths(held, times, last, stopping, flats, body, ground)
        sunk = np.minimum(_sink(held, times, sunk, paths, stopping, body, ground), sinks_m)
        for side, path in paths.items():
            set_foot(held, path, body, side)
    return held


def _foot(i: int, last: LastFrame, flat: FlatFoot, plumb: Floats, body: Body, ground: Ground) -> Foot:
    side, axes, now = "lr"[i], ground_axes(ground), last.motion.pose
    foot, hip = body.index(f"foot_{side}"), now.origins[body.index(f"thigh_{side}")]
    lying = flat.soles @ axes
    middle = lying.mean(axis=0)[:2]
    ankle = ((now.origins[foot] - ground.point) @ axes)[:2]
    if last.stands[i]:
        ankle = _standing(i, last, flat, body, ground)
    return Foot(
        soles=ankle + lying[:, :2] if last.stands[i] else None,
        place=ankle + middle,
        velocity=(last.motion.linear_velocities[foot] @ axes)[:2],
        free_since=0,
        flat=lying[:, :2] - middle,
        below_hip=((hip - ground.point) @ axes)[:2] + middle - plumb,
        lower=float((now.com - hip) @ ground.normal - lying[:, 2].min()),
        longest=STRAIGHT * leg_length(body, side),
    )


def _standing(i: int, last: LastFrame, flat: FlatFoot, body: Body, ground: Ground) -> Floats:
    """(2,) where the ankle of a foot comes to be that lies down on the ground where it touches it."""
    axes = ground_axes(ground)
    mine = np.flatnonzero(np.isin(body.soles.links, foot_parts(body, "lr"[i])))
    soles = (last.motion.pose.points(body.soles.links[mine], body.soles.local[mine]) - ground.point) @ axes
    low = np.argmin(soles[:, 2])
    place: Floats = (soles[low] - flat.soles[low] @ axes)[:2]
    return place


def _leaving(i: int, last: LastFrame, body: Body, ground: Ground) -> bool:
    """Whether a heel rises."""
    foot = body.index(f"foot_{'lr'[i]}")
    return bool(last.motion.linear_velocities[foot] @ ground.normal > _RISING_M_S)


def _paths(
    held: Floats, times: Floats, last: LastFrame, stopping: Stopping, flats: list[FlatFoot], body: Body, ground: Ground
) -> dict[str, FootPath]:
    """Of the feet that stand or land, by side."""
    axes, now = ground_axes(ground), pose(body, held)
    paths = {}
    for i, side in enumerate("lr"):
        landings = [landing for landing in stopping.landings if landing.side == i]
        hip = now.origins[:, body.index(f"thigh_{side}")]
        path = staying(times, last.motion, body, side)
        if not landings and not last.stands[i]:
            if last.flies:
                paths[side] = FootPath(path.ankle + _along(now.com - last.motion.pose.com, ground), path.turns)
            continue
        lying = flats[i].soles @ axes
        if last.stands[i]:
            place = ground.point + axes @ [*_standing(i, last, flats[i], body, ground), -lying[:, 2].min()]
            if not _leaving(i, last, body, ground):
                path = settled(path, times, place, flats[i], ground.normal)
            path = rolled(path, hip, body, side, ground.normal)
        for landing in landings:
            onto = np.array([*(landing.place - lying.mean(axis=0)[:2]), -lying[:, 2].min()])
            path = stepping(
                path,
                times,
                landing.leaves / RATE,
                landing.lands / RATE,
                ground.point + axes @ onto,
                flats[i],
                ground.normal,
            )
        paths[side] = path
    return paths


def _along(vectors: Floats, ground: Ground) -> Floats:
    along: Floats = vectors - (vectors @ ground.normal)[..., None] * ground.normal
    return along


def _sink(
    held: Floats,
    times: Floats,
    sunk: Floats,
    paths: dict[str, FootPath],
    stopping: Stopping,
    body: Body,
    ground: Ground,
) -> Floats:
    """(T,) how far the pelvis sinks, for legs to reach where feet land, when it has sunk so far (T,) already [m]."""
    now = pose(body, held)
    sink = np.zeros(len(held))
    for landing in stopping.landings:
        side, lands_s = "lr"[landing.side], landing.lands / RATE
        hip = now.origins[:, body.index(f"thigh_{side}")]
        excess = too_high(hip, paths[side].ankle, STRAIGHT * leg_length(body, side), ground.normal) + sunk
        share = np.minimum(times / lands_s, 1.0)
        needed = np.clip(excess[times >= lands_s].max(), 0.0, _SINKS_M)
        sink = np.maximum(sink, needed * share**2 * (3.0 - 2.0 * share))
    return sink


def _let_down(held: Floats, times: Floats, body: Body, ground: Ground) -> None:
    """Lowers what ends in the air onto the ground, in place."""
    height = float(touch(body, pose(body, held[-1:]), ground).distances.min())
    if height > _ENDS_IN_AIR_M:
        share = glide(times, _STOP_TIME_S) / glide(times[-1:], _STOP_TIME_S)
        held[:, :3] -= height * share[:, None] * ground.normal
