"""Where the stances of a clip are to be on another ground than the one it was made for.

Every stance is put down in turn: as far from the one before as in the clip, or a little shorter or longer where an
edge, a step or a steep place is in the way. What a step has gained or lost, all later ones keep; and whoever stands on
a thing that moves is carried along with it. A body that lies, or leans on its hands, is put down as a whole, in the
same way.
"""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Bools, Floats
from ..body.body import Body, Box
from ..dynamics.kinematics import Pose
from ..scene import Scene
from ..world.ground import GROUND, Ground
from ..world.surface import Surface
from ..world.thing import Thing
from .contacts import ContactLabels
from .footprint import Rest, Sole, rest_on, sole_of, tilt_of

BODY = 2  # in place of a side: all of the body that lies or leans
_NEAR_M = 0.03  # a pelvis that is so much farther from a foot than at its nearest is still over it
_LONGER = np.linspace(-0.44, 0.32, 77)  # [m] along the step
_ASIDE = np.linspace(-0.12, 0.12, 7)  # [m]
_STEP_UNIT_M = 0.25
_ASIDE_UNIT_M = 0.08
_EASY_RISE_M = 0.2  # a step that is higher or lower takes effort
_RISE_UNIT_M = 0.05
_SEES_UP_M = 0.45  # above the foot that stands: what is higher is a wall
_SHORTEST_M = 0.1
_BETWEEN_M = 0.02  # feet that stand close by each other leave so much between them
_CROWDED_M = 0.04
_GRADE_UNIT = float(np.tan(np.radians(20.0)))
_SHORTER = 0.3  # on ground as steep as this, steps are shorter by this share
_UP = np.array([0.0, 0.0, 1.0])
_HAIR = 0.05 * _UP  # above a place, for what is just below it to be found
_LIES_M = 0.3  # half the length of ground that a lying body feels


class Stance(NamedTuple):
    """One stance of one foot, or of the body, as the clip has it."""

    side: int  # 0 left, 1 right, or BODY
    first: int  # row
    stop: int
    over: tuple[int, int]  # the rows between which the pelvis is nearest
    middle: Floats  # (3,) of the sole, on the ground that the clip was made for
    sole: Sole


class Foothold(NamedTuple):
    """Where a stance is put, and on what."""

    stance: Stance
    place: Floats  # (3,) of the sole's middle at its landing
    turn: Floats  # (4,) at its landing, of all that stands there
    heading: Floats  # (4,) the part of the turn about the upright axis: of the way that the clip takes from here
    thing: Thing | None  # that carries it

    def carried(self, times: Floats, rate: float) -> tuple[Floats, Floats]:
        """(T, 3) places and (T, 4) turns at some times."""
        if self.thing is None or self.thing.moves is None:
            shape = (len(times), 1)
            return np.tile(self.place, shape), np.tile(self.turn, shape)
        landed = self.thing.poses(np.asarray(self.stance.first / rate))
        now = self.thing.poses(times)
        turned = rotations.multiply(now.turns, rotations.inverse(landed.turns))
        return now.to_world(landed.to_own(self.place)), rotations.multiply(turned, self.turn)

    def headings(self, times: Floats, rate: float) -> Floats:
        """(T, 4) of the way that goes on from here at some times."""
        turned = rotations.multiply(self.carried(times, rate)[1], rotations.inverse(self.turn))
        return rotations.multiply(_about_up(turned), self.heading)


def stances_of(body: Body, flat: Pose, contacts: ContactLabels, made_for: Ground) -> list[Stance]:
    """In the order in which they begin."""
    found = []
    for side, mine in enumerate((body.soles.left, ~body.soles.left)):
        soles = flat.points(body.soles.links[mine], body.soles.local[mine])
        foot = body.index("foot_" + "lr"[side])
        box = body.links[foot].shape
        assert isinstance(box, Box)
        ahead = flat.R_world_link[:, foot] @ box.R_link_box[:, 0]
        for first, stop in _runs(contacts.feet[:, side]):
            rows = np.arange(first, stop)
            flattest = int(rows[np.argmin(made_for.distance(soles[rows]).max(axis=1))])
            middle = 0.5 * (soles[flattest].min(axis=0) + soles[flattest].max(axis=0))
            found.append(_stance(side, first, stop, flat, made_for, middle, sole_of(soles[flattest], ahead[flattest])))
    feet = np.isin(np.arange(len(body)), body.soles.links)
    for first, stop in _runs(contacts.links[:, ~feet].any(axis=1)):
        middle = flat.origins[(first + stop) // 2, 0]
        found.append(_stance(BODY, first, stop, flat, made_for, middle, _lying(flat, first, stop)))
    return sorted(found, key=lambda stance: (stance.first, stance.side))


def _runs(labels: Bools) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], labels, [False]]).astype(int)))
    return [(int(first), int(stop)) for first, stop in zip(edges[::2], edges[1::2], strict=True)]


def _stance(side: int, first: int, stop: int, flat: Pose, made_for: Ground, middle: Floats, sole: Sole) -> Stance:
    away = np.linalg.norm(flat.origins[first:stop, 0, :2] - middle[:2], axis=1)
    nearest = first + np.flatnonzero(away <= away.min() + _NEAR_M)
    on_ground = np.array([middle[0], middle[1], made_for.height(middle)])
    over = (first, stop - 1) if side == BODY else (int(nearest[0]), int(nearest[-1]))
    return Stance(side, first, stop, over, on_ground, sole)


def _lying(flat: Pose, first: int, stop: int) -> Sole:
    """The ground under a body that lies or leans, about as long as its trunk."""
    trunk = flat.origins[first:stop].mean(axis=0)
    along = trunk[-1] - trunk[0]
    corners = np.array([[x, y, 0.0] for x in (-_LIES_M, _LIES_M) for y in (-_LIES_M, _LIES_M)])
    return sole_of(corners, along)


def plan_footsteps(stances: list[Stance], scene: Scene, made_for: Ground, rate: float) -> list[Foothold]:
    """One foothold for each stance."""
    plan: list[Foothold] = []
    for stance in stances:
        surface = scene.surface(stance.first / rate)
        before = plan[-1] if plan else None
        heading, rest = (
            _begins(stance, surface) if before is None or stance.first == 0 else _follows(before, stance, surface, rate)
        )
        thing = int(surface.things(rest.place + _HAIR))
        turn = rotations.multiply(tilt_of(rest.normal, made_for.normal), heading)
        plan.append(Foothold(stance, rest.place, turn, heading, None if thing == GROUND else scene.things[thing]))
    return plan


def _begins(stance: Stance, surface: Surface) -> tuple[Floats, Rest]:
    """Who begins standing begins where he stands."""
    top = float(surface.height(stance.middle + _SEES_UP_M * _UP))
    return rotations.IDENTITY, rest_on(surface, stance.sole, stance.middle[None, :2], top + _SEES_UP_M)[0]


def _follows(before: Foothold, stance: Stance, surface: Surface, rate: float) -> tuple[Floats, Rest]:
    now = np.array([stance.first / rate])
    places, heading = before.carried(now, rate)[0][0], before.headings(now, rate)[0]
    way = rotations.rotate(heading, stance.middle - before.stance.middle)[:2]
    length = float(np.linalg.norm(way))
    ahead = way / length if length > _SHORTEST_M else _turned(stance.sole.forward[None], heading)[0]
    aside = np.array([-ahead[1], ahead[0]])
    usual = length * (1.0 - _shortened(surface, places, way, length))
    along, beside = (part.ravel() for part in np.meshgrid(_LONGER, _ASIDE, indexing="ij"))
    goes_on = (usual + along > _SHORTEST_M) | (length <= _SHORTEST_M)
    along, beside = np.append(0.0, along[goes_on]), np.append(0.0, beside[goes_on])
    if stance.side == BODY:  # it lies where it comes to lie
        along, beside = np.zeros(1), np.zeros(1)
    middles = places[:2] + (usual + along)[:, None] * ahead + beside[:, None] * aside
    samples, toes, heel, forward = (_turned(np.atleast_2d(part), heading) for part in stance.sole)
    sole = Sole(samples, toes, heel, forward[0])
    rests = rest_on(surface, sole, middles, float(places[2]) + _SEES_UP_M)
    rises = np.abs([rest.place[2] - places[2] for rest in rests])
    costs = (
        np.array([rest.cost for rest in rests])
        + (along / _STEP_UNIT_M) ** 2
        + (beside / _ASIDE_UNIT_M) ** 2
        + (np.maximum(rises - _EASY_RISE_M, 0.0) / _RISE_UNIT_M) ** 2
        + _crowded(before, stance, sole, middles - places[:2])
    )
    return heading, rests[int(np.argmin(costs))]


def _crowded(before: Foothold, stance: Stance, sole: Sole, apart: Floats) -> Floats:
    """(K,) what it costs a foot to stand right before or behind the other, where it could not come by; apart (K, 2)."""
    if {before.stance.side, stance.side} != {0, 1}:
        return np.zeros(len(apart))
    to_left = np.array([-sole.forward[1], sole.forward[0]]) * (1.0 if stance.side == 0 else -1.0)
    length, width = np.ptp(sole.samples @ sole.forward), np.ptp(sole.samples @ to_left)
    lacking = np.maximum(width + _BETWEEN_M - apart @ to_left, 0.0)
    near = np.abs(apart @ sole.forward) < length + _BETWEEN_M
    cost: Floats = np.where(near, (lacking / _CROWDED_M) ** 2, 0.0)
    return cost


def _shortened(surface: Surface, place: Floats, way: Floats, length: float) -> float:
    """The share by which a step up or down a slope is shorter."""
    if length < _SHORTEST_M:
        return 0.0
    there = np.array([*(place[:2] + way), place[2] + _SEES_UP_M])
    grade = abs(float(surface.height(there)) - float(place[2])) / length
    return _SHORTER * min(grade / _GRADE_UNIT, 1.0)


def _turned(vectors: Floats, heading: Floats) -> Floats:
    """(K, 2) turned about the upright axis."""
    flat = np.concatenate([vectors, np.zeros((len(vectors), 1))], axis=1)
    return rotations.rotate(heading, flat)[:, :2]


def _about_up(turns: Floats) -> Floats:
    """(T, 4) the parts of turns about the upright axis."""
    twists = turns * [1.0, 0.0, 0.0, 1.0]
    lengths = np.linalg.norm(twists, axis=-1, keepdims=True)
    return np.where(lengths > 1e-9, twists / np.maximum(lengths, 1e-9), rotations.IDENTITY)
