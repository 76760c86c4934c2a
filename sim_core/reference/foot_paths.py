"""The ways of feet after the last frame: who stands stays, and rolls over the toes; others step to their place."""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body, Box
from ..dynamics.kinematics import Motion, pose
from ..scene import Ground
from .leg_ik import reach
from .out_of_ground import set_turns
from .place_ankles import within_reach
from .sinking import leg_length, too_high

_STOP_TIME_S = 0.05
STRAIGHT = 0.97  # of a leg's length
_ROLLS_RAD = 0.9  # a heel rises no farther
_SOFT_M = 0.01
_SETTLES_S = 0.12  # a foot that has touched the ground lies flat so much later
_CLEARS_M = 0.08  # a step of so many metres and more rises by this,
_LONG_STEP_M = 0.8
_LEVEL_FROM = 0.7  # of a step: toes that point down would scrape


def glide(times: Floats, stop_time: float) -> Floats:
    """(T,) the way that a unit of velocity covers while it fades."""
    covered: Floats = stop_time * (1.0 - np.exp(-times / stop_time))
    return covered


class FootPath(NamedTuple):
    """Where one foot goes while the body comes to rest."""

    ankle: Floats  # (T, 3)
    turns: dict[int, Floats]  # (T, 4) in the world, of foot and toes


class FlatFoot(NamedTuple):
    """A foot as it comes to lie on the ground."""

    turns: dict[int, Floats]  # (4,) in the world
    soles: Floats  # (P, 3) beside the ankle


def foot_parts(body: Body, side: str) -> list[int]:
    """The links of a foot: itself and its toes, where it has any."""
    return [body.index(name) for name in (f"foot_{side}", f"toes_{side}") if name in body.names]


def flat_foot(body: Body, last: Motion, side: str, ground: Ground) -> FlatFoot:
    """The foot of a pose, its sole turned onto the ground by the shortest way."""
    parts = foot_parts(body, side)
    turns = {part: _levelled(body, last, part, ground) for part in parts}
    beside = {parts[0]: np.zeros(3)}
    for part in parts[1:]:
        beside[part] = rotations.rotate(turns[parts[0]], body.links[part].offset)
    mine = np.flatnonzero(np.isin(body.soles.links, parts))
    links = body.soles.links[mine]
    soles = [
        beside[int(i)] + rotations.rotate(turns[int(i)], at)
        for i, at in zip(links, body.soles.local[mine], strict=True)
    ]
    return FlatFoot(turns, np.array(soles))


def staying(times: Floats, last: Motion, body: Body, side: str) -> FootPath:
    """A foot that stands stays as it was, but for a short glide."""
    foot = body.index(f"foot_{side}")
    way = glide(times, _STOP_TIME_S)[:, None]
    ankle = last.pose.origins[foot] + way * last.linear_velocities[foot]
    return FootPath(ankle, {part: _turning_on(way, last, part) for part in foot_parts(body, side)})


def settled(path: FootPath, times: Floats, place: Floats, flat: FlatFoot, normal: Floats) -> FootPath:
    """A foot that stands comes to lie flat, its ankle at a place."""
    return stepping(path, times, 0.0, _SETTLES_S, place, flat, normal)


def rolled(path: FootPath, hip: Floats, body: Body, side: str, normal: Floats) -> FootPath:
    """A foot whose heel rises, as far as the leg from a hip (T, 3) needs to reach it, and to be no straighter."""
    foot, *toes = foot_parts(body, side)
    box = _box(body, foot)
    tip = box.centre + box.R_link_box @ (box.half_extents * [1.0, 0.0, -1.0])
    arm = rotations.rotate(path.turns[foot], body.links[toes[0]].offset if toes else tip)
    longest = max(STRAIGHT * leg_length(body, side), float(np.linalg.norm(path.ankle[0] - hip[0])))
    excess = too_high(hip, path.ankle, longest, normal)
    rise = 0.5 * (excess + np.sqrt(excess**2 + _SOFT_M**2))
    rise = np.maximum(rise - rise[0], 0.0)
    angle = _ROLLS_RAD * np.tanh(rise / (_ROLLS_RAD * np.linalg.norm(arm, axis=1)))
    across = rotations.rotate(path.turns[foot], box.R_link_box[:, 1])
    turn = rotations.exp(angle[:, None] * across)
    turns = {**path.turns, foot: rotations.multiply(turn, path.turns[foot])}
    return FootPath(path.ankle + arm - rotations.rotate(turn, arm), turns)


def stepping(
    before: FootPath, times: Floats, leaves_s: float, lands_s: float, ankle: Floats, flat: FlatFoot, normal: Floats
) -> FootPath:
    """A foot that leaves its path at one time, and at another has come flat to the ground, its ankle at a place."""
    leaves = int(np.searchsorted(times, leaves_s))
    start = before.ankle[leaves]
    velocity = (before.ankle[leaves + 1] - start) / (times[leaves + 1] - times[leaves])
    lasts = lands_s - times[leaves]
    share = np.clip((times - times[leaves]) / lasts, 0.0, 1.0)[:, None]
    eased = share**2 * (3.0 - 2.0 * share)
    way = ankle - start
    high = way @ normal
    far = float(np.linalg.norm(way - high * normal))
    clears = _CLEARS_M * min(far / _LONG_STEP_M, 1.0)
    path = start + eased * way + share * (1.0 - share) ** 2 * lasts * velocity
    path += clears * 16.0 * (share * (1.0 - share)) ** 2 * normal
    flatter = np.minimum(share[:, 0] / _LEVEL_FROM, 1.0)
    flatter = flatter**2 * (3.0 - 2.0 * flatter)
    turns = {}
    for part, level in flat.turns.items():
        free = before.turns[part]
        turns[part] = rotations.slerp(free, np.broadcast_to(level, free.shape), flatter)
    return FootPath(np.where(share > 0.0, path, before.ankle), turns)


def set_foot(held: Floats, path: FootPath, body: Body, side: str) -> None:
    """Turns one leg of the poses held (T, nq) for its foot to keep to a path; in place."""
    thigh, shin, foot = (body.index(f"{name}_{side}") for name in ("thigh", "shin", "foot"))
    now = pose(body, held)
    world = rotations.from_matrix(now.R_world_link)
    leg = reach(
        now.origins[:, thigh],
        now.origins[:, shin],
        now.origins[:, foot],
        within_reach(now.origins[:, thigh], path.ankle, leg_length(body, side)),
        now.R_world_link[:, thigh] @ body.links[thigh].joint.axes[1],
    )
    world[:, thigh] = rotations.multiply(leg.thigh, world[:, thigh])
    world[:, shin] = rotations.multiply(leg.shin, world[:, shin])
    for part, turn in path.turns.items():
        world[:, part] = turn
    set_turns(held, body, world, [thigh, shin, *path.turns])


def _turning_on(way: Floats, last: Motion, link: int) -> Floats:
    """(T, 4) a link's turns in the world, as it glides on."""
    return rotations.multiply(rotations.exp(way * last.angular_velocities[link]), _turn(last, link))


def _turn(last: Motion, link: int) -> Floats:
    return rotations.from_matrix(last.pose.R_world_link[link])


def _levelled(body: Body, last: Motion, link: int, ground: Ground) -> Floats:
    up = last.pose.R_world_link[link] @ _box(body, link).R_link_box[:, 2]
    return rotations.multiply(rotations.between_vectors(up, ground.normal), _turn(last, link))


def _box(body: Body, link: int) -> Box:
    shape = body.links[link].shape
    assert isinstance(shape, Box)
    return shape
