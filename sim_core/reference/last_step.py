"""The step that ends a clip: where a foot has to be for the body to come to rest, and how it gets there."""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Bools, Floats
from ..body.body import Body, Box
from ..dynamics.kinematics import Motion, pose
from ..scene import Ground
from .contacts import ContactLabels
from .leg_ik import reach
from .out_of_ground import set_turns
from .sinking import leg_length, too_high
from .support import ground_axes, support_of

_FOOT_STOP_TIME_S = 0.05
_STEP_S = 0.2  # from the last frame until the foot is down
_OFF_BALANCE_M = 0.02  # of the capture point outside the support: a foot in the air stays there for less
_STRAIGHT = 0.97  # of a leg's length
_SINKS_M = 0.05  # the pelvis may sink this much for a long step


class LastFrame(NamedTuple):
    motion: Motion  # of one pose
    stands: Bools  # (2,) left, right
    fall_rate: float  # of the body as an inverted pendulum [1/s]


def glide(times: Floats, stop_time: float) -> Floats:
    """(T,) the way that a unit of velocity covers while it fades."""
    covered: Floats = stop_time * (1.0 - np.exp(-times / stop_time))
    return covered


def step_place(last: LastFrame, body: Body, ground: Ground) -> Floats | None:
    """(3,) the place on the ground where a foot is needed; None where the body comes to rest without a step."""
    axes = ground_axes(ground)
    one_row = type(last.motion.pose)(*(part[None] for part in last.motion.pose))
    bearing = np.zeros((1, len(body)), dtype=bool)
    for side, stands in zip("lr", last.stands, strict=True):
        bearing[0, _parts(body, side)] = stands
    support = support_of(body, one_row, ground, ContactLabels(last.stands[None], bearing), 0.0)
    velocity = last.motion.linear_momentum / body.mass
    capture = (last.motion.pose.com + velocity / last.fall_rate - ground.point) @ axes
    pivot = support.nearest(capture[None, :2])[0]
    off = capture[:2] - pivot
    if np.linalg.norm(off) < _OFF_BALANCE_M:
        return None
    # Until the foot is down, the capture point runs away from where the body stands (Englsberger et al. 2011).
    place: Floats = ground.point + axes @ [*(pivot + off * np.exp(last.fall_rate * _STEP_S)), 0.0]
    return place


class FootPath(NamedTuple):
    """Where one foot goes while the body comes to rest."""

    ankle: Floats  # (T, 3)
    turns: dict[int, Floats]  # (T, 4) in the world, of foot and toes


def staying(times: Floats, last: LastFrame, body: Body, side: str) -> FootPath:
    """A foot that stands stays as it was, but for a short glide."""
    foot = body.index(f"foot_{side}")
    way = glide(times, _FOOT_STOP_TIME_S)[:, None]
    ankle = last.motion.pose.origins[foot] + way * last.motion.linear_velocities[foot]
    return FootPath(ankle, {part: _turning_on(way, last, part) for part in _parts(body, side)})


def stepping(
    times: Floats, last: LastFrame, held: Floats, body: Body, side: str, place: Floats, ground: Ground
) -> FootPath:
    """A foot in the air comes flat onto the ground near a place, as far as its leg reaches in the poses held (T, nq).

    Across the way that the body falls it stays half where it was: feet do not land on each other.
    """
    foot = body.index(f"foot_{side}")
    flat = {part: _levelled(body, last, part, ground) for part in _parts(body, side)}
    sole = _box(body, foot)
    ankle_to_sole = rotations.rotate(flat[foot], sole.centre - sole.half_extents[2] * sole.R_link_box[:, 2])
    ankle = last.motion.pose.origins[foot]
    falls = _along(place - last.motion.pose.com, ground)
    falls = falls / np.linalg.norm(falls)
    aside = _along(ankle + ankle_to_sole - place, ground)
    aside = aside - (aside @ falls) * falls
    landing = held[min(int(np.searchsorted(times, _STEP_S)), len(held) - 1)]
    target = _within_reach(place + 0.5 * aside - ankle_to_sole, landing, body, side, ground)
    share = np.clip(times / _STEP_S, 0.0, 1.0)[:, None]
    eased = share**2 * (3.0 - 2.0 * share)
    coasting = share * (1.0 - share) ** 2 * _STEP_S * last.motion.linear_velocities[foot]
    way = glide(times, _FOOT_STOP_TIME_S)[:, None]
    turns = {}
    for part, level in flat.items():
        free = _turning_on(way, last, part)
        turns[part] = rotations.slerp(free, np.broadcast_to(level, free.shape), eased[:, 0])
    return FootPath(ankle + eased * (target - ankle) + coasting, turns)


def sink_to_reach(times: Floats, held: Floats, paths: dict[str, FootPath], body: Body, ground: Ground) -> Floats:
    """(T,) how far the poses held (T, nq) sink, for legs to reach where feet come to rest [m]."""
    now = pose(body, held)
    down = times >= _STEP_S
    needed = np.zeros(len(times))
    for side, path in paths.items():
        hip = now.origins[:, body.index(f"thigh_{side}")]
        longest = _STRAIGHT * leg_length(body, side)
        needed = np.maximum(needed, np.where(down, too_high(hip, path.ankle, longest, ground.normal), 0.0))
    share = np.clip(times / _STEP_S, 0.0, 1.0)
    sunk: Floats = min(float(needed.max()), _SINKS_M) * share**2 * (3.0 - 2.0 * share)
    return sunk


def set_foot(held: Floats, path: FootPath, body: Body, side: str) -> None:
    """Turns one leg of the poses held (T, nq) for its foot to keep to a path; in place."""
    thigh, shin, foot = (body.index(f"{name}_{side}") for name in ("thigh", "shin", "foot"))
    now = pose(body, held)
    world = rotations.from_matrix(now.R_world_link)
    leg = reach(
        now.origins[:, thigh],
        now.origins[:, shin],
        now.origins[:, foot],
        path.ankle,
        now.R_world_link[:, thigh] @ body.links[thigh].joint.axes[1],
    )
    world[:, thigh] = rotations.multiply(leg.thigh, world[:, thigh])
    world[:, shin] = rotations.multiply(leg.shin, world[:, shin])
    for part, turn in path.turns.items():
        world[:, part] = turn
    set_turns(held, body, world, [thigh, shin, *path.turns])


def _within_reach(target: Floats, q: Floats, body: Body, side: str, ground: Ground) -> Floats:
    """The ankle's target (3,), drawn in along the ground to where the leg gets to in a pose (nq,)."""
    apart = target - pose(body, q).origins[body.index(f"thigh_{side}")]
    along = _along(apart, ground)
    high = max(float(np.linalg.norm(apart - along)) - _SINKS_M, 0.0)
    farthest = np.sqrt(max((_STRAIGHT * leg_length(body, side)) ** 2 - high**2, 0.0))
    drawn_in: Floats = target - along * (1.0 - min(1.0, farthest / max(float(np.linalg.norm(along)), 1e-9)))
    return drawn_in


def _along(vector: Floats, ground: Ground) -> Floats:
    along: Floats = vector - (vector @ ground.normal) * ground.normal
    return along


def _turning_on(way: Floats, last: LastFrame, link: int) -> Floats:
    """(T, 4) a link's turns in the world, as it glides on."""
    return rotations.multiply(rotations.exp(way * last.motion.angular_velocities[link]), _turn(last, link))


def _turn(last: LastFrame, link: int) -> Floats:
    return rotations.from_matrix(last.motion.pose.R_world_link[link])


def _levelled(body: Body, last: LastFrame, link: int, ground: Ground) -> Floats:
    up = last.motion.pose.R_world_link[link] @ _box(body, link).R_link_box[:, 2]
    return rotations.multiply(rotations.between_vectors(up, ground.normal), _turn(last, link))


def _parts(body: Body, side: str) -> list[int]:
    """The links of a foot: itself and its toes, where it has any."""
    return [body.index(name) for name in (f"foot_{side}", f"toes_{side}") if name in body.names]


def _box(body: Body, link: int) -> Box:
    shape = body.links[link].shape
    assert isinstance(shape, Box)
    return shape
