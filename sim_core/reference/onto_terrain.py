"""A motion that was made for one ground, brought onto another, with all that lies and moves about on it.

Feet stand where the footsteps are planned, turned to what is below them; the pelvis goes along, higher and lower, with
as much lean as people have on a grade; feet that swing keep clear of edges. Legs are bent to fit, and where one would
have to be longer than it is, the pelvis sinks.
"""

from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from .. import rotations
from ..arrays import Bools, Floats
from ..body.body import Body, Box
from ..dynamics.kinematics import Pose, pose
from ..filters import low_pass
from ..scene import Scene
from ..world.ground import Ground
from ..world.surface import Surface
from .contacts import ContactLabels
from .footsteps import BODY, Foothold, plan_footsteps, stances_of
from .leg_ik import reach
from .out_of_ground import set_turns
from .place_ankles import within_reach
from .sinking import LONGEST, leg_length, steepness, too_high

_PATH_HZ = 2.5  # of what the pelvis is moved by
_LYING = 0.1  # of body height: a pelvis as low as this lies on the ground, and turns with it
_STANDING = 0.25  # and one higher than this keeps upright
_RISES_IN = 0.65  # of a swing: a foot that steps up is up after this share, and one that steps down begins so late
_CLEARS_M = 0.075  # that swinging soles keep above edges: toes are followed to some centimetres only
_PASSES_M = 0.35  # two ankles nearer to each other than this along the way pass each other
_BETWEEN_M = 0.02
_HIPS_S = 0.1
_RISING_S = 0.08  # within which a foot comes to its clearance
_LOW_M = 0.01
_LEAVING_S = 0.03
_QUICK_S = 0.012
_BACK_M = (0.0, 0.02, 0.04, 0.06, 0.09, 0.12)
_AROUND_S = 0.08
_SOFT_S = 0.03
_DEEPEST_M = 0.25  # that the pelvis sinks for legs to reach
_SINKS_S = 0.35  # and so long before and after; on stairs it stays low
_SINKS_HZ = 1.2
_LEANS = 0.35  # of the grade: trunks lean into a slope by so much of its angle (CMU 74_14 and 74_16)
_GRADE_S = 0.8
_BENDS_M = 0.03  # the pelvis sinks so much on slopes of _STEEP, since straight legs cannot push uphill (measured)
_STEEP = np.radians(15.0)
_ABOVE = np.array([0.0, 0.0, 0.3])  # of a sole: what it may have sunk into


class _Course(NamedTuple):
    """How the pelvis is moved, at every row."""

    shift: Floats  # (S, 3)
    heading: Floats  # (S, 4)


def onto_terrain(q: Floats, contacts: ContactLabels, body: Body, made_for: Ground, scene: Scene, rate: float) -> Floats:
    """The motion q (S, nq), which stands on the one ground, on the scene's; labels stay what they are."""
    scene = scene.to_walk_on()
    flat = pose(body, q)
    stances = stances_of(body, flat, contacts, made_for)
    plan = plan_footsteps(stances, scene, made_for, rate)
    times = np.arange(len(q)) / rate
    course = _course(plan, flat, made_for, scene, times, rate)
    moved = q.copy()
    moved[:, :3] += course.shift
    turns = rotations.multiply(_body_turn(q, body, plan, made_for, times, rate, course), q[:, 3:7])
    moved[:, 3:7] = rotations.continuous(turns)
    feet = [_foot_path(body, flat, plan, course, times, rate, side) for side in (0, 1)]
    feet = [_cleared(body, foot, scene, contacts, times, rate, side) for side, foot in enumerate(feet)]
    feet = _apart(body, feet, flat, contacts, course, rate)
    return _with_legs(moved, body, feet, contacts, rate)


class _FootPath(NamedTuple):
    ankle: Floats  # (S, 3)
    turns: dict[int, Floats]  # (S, 4) in the world, of foot and toes


def _course(plan: list[Foothold], flat: Pose, made_for: Ground, scene: Scene, times: Floats, rate: float) -> _Course:
    """From foothold to foothold: over each the pelvis is as it was over the foot, and in between in between."""
    pelvis = flat.origins[:, 0]
    if not plan:
        under = scene.surface(times).height(pelvis) - made_for.height(pelvis)
        return _Course(under[:, None] * [0.0, 0.0, 1.0], np.tile(rotations.IDENTITY, (len(times), 1)))
    weights = _weights(plan, len(times))
    shift, heading = np.zeros_like(pelvis), np.zeros((len(times), 4))
    for foothold, weight in zip(plan, weights, strict=True):
        places, _ = foothold.carried(times, rate)
        turns = foothold.headings(times, rate)
        there = places + rotations.rotate(turns, pelvis - foothold.stance.middle)
        shift += weight[:, None] * (there - pelvis)
        heading += weight[:, None] * np.where(turns[:, :1] < 0.0, -turns, turns)
    return _Course(low_pass(shift, rate, _PATH_HZ), rotations.normalise(low_pass(heading, rate, _PATH_HZ)))


def _weights(plan: list[Foothold], rows: int) -> Floats:
    """(K, S) how much each foothold says of where the pelvis is; stances at the same time say alike."""
    order = sorted(range(len(plan)), key=lambda k: plan[k].stance.over)
    groups: list[list[int]] = []
    ends: list[list[int]] = []
    for k in order:
        first, last = plan[k].stance.over
        if groups and first <= ends[-1][1]:
            groups[-1].append(k)
            ends[-1][1] = max(ends[-1][1], last)
        else:
            groups.append([k])
            ends.append([first, last])
    weights = np.zeros((len(plan), rows))
    knots = np.array(ends, dtype=float).ravel() + np.tile([0.0, 0.5], len(ends))
    for g, members in enumerate(groups):
        height = np.zeros(len(knots))
        height[2 * g : 2 * g + 2] = 1.0 / len(members)
        weights[members] = np.interp(np.arange(rows), knots, height)
    return weights


def _body_turn(
    q: Floats, body: Body, plan: list[Foothold], made_for: Ground, times: Floats, rate: float, course: _Course
) -> Floats:
    """(S, 4) who lies turns with the ground, who stands turns with the way and leans into a grade."""
    lies = np.clip((_STANDING - made_for.distance(q[:, :3]) / body.height) / (_STANDING - _LYING), 0.0, 1.0)
    lean = (1.0 - lies)[:, None] * _lean(q[:, :3] + course.shift, made_for.distance(q[:, :3]), rate)
    turned = rotations.multiply(rotations.exp(lean), course.heading)
    for foothold in plan:
        stance = foothold.stance
        if stance.side != BODY:
            continue
        rows = slice(stance.first, stance.stop)
        _, turns = foothold.carried(times[rows], rate)
        tilt = rotations.log(rotations.multiply(turns, rotations.inverse(course.heading[rows])))
        whole = np.zeros_like(lean)
        whole[rows] = tilt
        turned = rotations.multiply(rotations.exp(lies[:, None] * low_pass(whole, rate, _PATH_HZ)), turned)
    return turned


def _lean(path: Floats, heights: Floats, rate: float) -> Floats:
    """(S, 3) turns of the trunk into the grade of its path, above how high it was over the ground before."""
    sigma = _GRADE_S * rate
    way = gaussian_filter1d(path, sigma, axis=0, mode="nearest")
    rise = gaussian_filter1d(path[:, 2] - heights, sigma, mode="nearest")
    velocity = np.gradient(way, 1.0 / rate, axis=0)
    speed = np.linalg.norm(velocity[:, :2], axis=1)
    angle = np.arctan2(np.gradient(rise, 1.0 / rate), np.maximum(speed, 0.3))
    onward = velocity[:, :2] / np.maximum(speed, 0.3)[:, None]
    across = np.stack([-onward[:, 1], onward[:, 0], np.zeros(len(path))], axis=1)
    lean: Floats = _LEANS * angle[:, None] * across
    return lean


def _foot_path(
    body: Body, flat: Pose, plan: list[Foothold], course: _Course, times: Floats, rate: float, side: int
) -> _FootPath:
    """From one foothold to the next of the same foot, as the clip has it seen from both."""
    foot = body.index("foot_" + "lr"[side])
    parts = [i for i, name in enumerate(body.names) if name in ("foot_" + "lr"[side], "toes_" + "lr"[side])]
    ankle = flat.origins[:, foot]
    anchors = _anchors(plan, side)
    if not anchors:  # it never stands, and goes along with the pelvis
        along = flat.origins[:, 0]
        moved = along + course.shift + rotations.rotate(course.heading, ankle - along)
        turns = course.heading
    else:
        moved, turns = _between(anchors, ankle, times, rate)
    world = {part: rotations.from_matrix(flat.R_world_link[:, part]) for part in parts}
    return _FootPath(moved, {part: rotations.multiply(turns, own) for part, own in world.items()})


def _anchors(plan: list[Foothold], side: int) -> list[Foothold]:
    """What says where a foot is: its own stances, and those of the body while it has none."""
    own = [foothold for foothold in plan if foothold.stance.side == side]
    taken = [(foothold.stance.first, foothold.stance.stop) for foothold in own]
    lying = [
        foothold
        for foothold in plan
        if foothold.stance.side == BODY
        and all(foothold.stance.stop <= first or stop <= foothold.stance.first for first, stop in taken)
    ]
    return sorted([*own, *lying], key=lambda foothold: foothold.stance.first)


def _between(anchors: list[Foothold], ankle: Floats, times: Floats, rate: float) -> tuple[Floats, Floats]:
    """(S, 3) the ankle and (S, 4) the turn of its foot, anchored at every stance and led in between."""
    moved, turns = np.empty_like(ankle), np.empty((len(times), 4))
    placed = [_placed(anchor, ankle, times, rate) for anchor in anchors]
    for k, (anchor, (there, turn)) in enumerate(zip(anchors, placed, strict=True)):
        begin = 0 if k == 0 else anchor.stance.first
        end = len(times) if k == len(anchors) - 1 else anchor.stance.stop
        moved[begin:end], turns[begin:end] = there[begin:end], turn[begin:end]
        if k == len(anchors) - 1:
            break
        stop = anchors[k + 1].stance.first
        rows = slice(end, stop)
        share = (np.arange(end, stop) - end + 1.0) / (stop - end + 1.0)
        next_there, next_turn = placed[k + 1]
        eased = _eased(share)[:, None]
        moved[rows] = there[rows] + eased * (next_there[rows] - there[rows])
        up = next_there[rows, 2] > there[rows, 2]
        rise = _eased(np.where(up, share / _RISES_IN, (share - 1.0 + _RISES_IN) / _RISES_IN))
        moved[rows, 2] = there[rows, 2] + rise * (next_there[rows, 2] - there[rows, 2])
        turns[rows] = rotations.slerp(turn[rows], next_turn[rows], eased[:, 0])
    return moved, rotations.continuous(turns)


def _placed(anchor: Foothold, ankle: Floats, times: Floats, rate: float) -> tuple[Floats, Floats]:
    places, turns = anchor.carried(times, rate)
    return places + rotations.rotate(turns, ankle - anchor.stance.middle), turns


def _eased(share: Floats) -> Floats:
    t = np.clip(share, 0.0, 1.0)
    eased: Floats = t**3 * (10.0 - 15.0 * t + 6.0 * t**2)
    return eased


def _cleared(
    body: Body, foot: _FootPath, scene: Scene, contacts: ContactLabels, times: Floats, rate: float, side: int
) -> _FootPath:
    """The path of a foot that, where it swings, is lifted over what its sole would else go through; where it has no
    time to rise, at the foot of a step, it keeps back."""
    surface = scene.surface(times)
    if surface is scene.ground:
        return foot
    soles = _sole_points(body, foot, side)
    below = surface.height(soles + _ABOVE)
    deep = (below - soles[..., 2]).max(axis=1)
    down = contacts.feet[:, side]
    away = np.minimum(_since(down), _since(down[::-1])[::-1]) / rate
    margin = _CLEARS_M * np.clip(away / _RISING_S, 0.0, 1.0)
    near_things = ~down & (below.max(axis=1) - scene.ground.height(foot.ankle) > _LOW_M)
    lift = np.where(near_things, np.maximum(deep + margin, 0.0), 0.0)
    lift = maximum_filter1d(lift, 2 * round(_AROUND_S * rate) + 1)
    lift = gaussian_filter1d(lift, _SOFT_S * rate) * _eased(away / _RISING_S)
    ankle = foot.ankle + lift[:, None] * [0.0, 0.0, 1.0]
    back = _keeping_back(soles + lift[:, None, None] * [0.0, 0.0, 1.0], surface, down, away, rate)
    return foot._replace(ankle=ankle + back)


def _keeping_back(soles: Floats, surface: Surface, down: Bools, away: Floats, rate: float) -> Floats:
    """(S, 3) how far swinging soles (S, P, 3) keep back, or hurry on, to be out of what is beside them."""
    way = np.zeros((len(soles), 3))
    edges = np.flatnonzero(np.diff(np.concatenate([[True], down, [True]]).astype(int)))
    for first, stop in zip(edges[::2], edges[1::2], strict=True):
        whole = (soles[stop - 1] - soles[first]).mean(axis=0) * [1.0, 1.0, 0.0]
        onward = whole / max(float(np.linalg.norm(whole)), 1e-3)
        middle = (first + stop) // 2
        way[first:middle], way[middle:stop] = -onward, onward
    needed = np.full(len(soles), _BACK_M[-1])
    for room in _BACK_M[::-1]:
        moved = soles + room * way[:, None]
        free = (surface.height(moved + _ABOVE) - moved[..., 2]).max(axis=1) < _LOW_M
        needed = np.where(free, room, needed)
    # A foot that has just left begins where it stood.
    eased = gaussian_filter1d(needed[:, None] * way, _QUICK_S * rate, axis=0)
    back: Floats = eased * _eased(away / _LEAVING_S)[:, None]
    return back


def _apart(
    body: Body, feet: list[_FootPath], flat: Pose, contacts: ContactLabels, course: _Course, rate: float
) -> list[_FootPath]:
    """Feet that pass each other elsewhere than in the clip, and no nearer than there or than they are wide."""
    hips = flat.origins[:, body.index("thigh_l")] - flat.origins[:, body.index("thigh_r")]
    hips = rotations.rotate(course.heading, hips * [1.0, 1.0, 0.0])
    to_left = hips / np.maximum(np.linalg.norm(hips, axis=1, keepdims=True), 1e-6)
    to_left = rotations.normalise(gaussian_filter1d(to_left, _HIPS_S * rate, axis=0))
    ankles = [foot.ankle for foot in feet]
    apart = ankles[0] - ankles[1]
    aside = np.sum(apart * to_left, axis=1)
    ahead = np.linalg.norm((apart - aside[:, None] * to_left)[:, :2], axis=1)
    own = flat.origins[:, body.index("foot_l")] - flat.origins[:, body.index("foot_r")]
    narrowest = float(np.percentile(np.sum(rotations.rotate(course.heading, own) * to_left, axis=1), 5))
    wide = _width(body) + _BETWEEN_M
    passing = _eased((_PASSES_M - ahead) / (0.5 * _PASSES_M))
    lacking = np.maximum(wide - np.maximum(aside, min(narrowest, 0.0)), 0.0) * passing
    moved = []
    for side, (foot, outward) in enumerate(zip(feet, (to_left, -to_left), strict=True)):
        down = contacts.feet[:, side]
        away = np.minimum(_since(down), _since(down[::-1])[::-1]) / rate
        shift = gaussian_filter1d(np.where(down, 0.0, lacking), _SOFT_S * rate) * _eased(away / _RISING_S)
        moved.append(foot._replace(ankle=foot.ankle + shift[:, None] * outward))
    return moved


def _width(body: Body) -> float:
    """Of a foot, with which it passes the other [m]."""
    box = body.links[body.index("foot_l")].shape
    return 2.0 * float(box.half_extents[1]) if isinstance(box, Box) else 0.0


def _sole_points(body: Body, foot: _FootPath, side: int) -> Floats:
    """(S, P, 3) the corners of a sole, and points between: an edge may pass below its middle."""
    mine = body.soles.left if side == 0 else ~body.soles.left
    link = body.index("foot_" + "lr"[side])
    points = []
    for part, local in zip(body.soles.links[mine], body.soles.local[mine], strict=True):
        origin = foot.ankle
        if part != link:
            origin = origin + rotations.rotate(foot.turns[link], body.links[part].offset)
        points.append(origin + rotations.rotate(foot.turns[int(part)], local))
    corners = np.stack(points, axis=1)
    middle = corners.mean(axis=1, keepdims=True)
    return np.concatenate([corners, 0.5 * (corners + middle), middle], axis=1)


def _since(labels: Bools) -> Floats:
    """(S,) rows since a label was last true."""
    rows = np.arange(len(labels), dtype=float)
    last = np.maximum.accumulate(np.where(labels, rows, -1e9))
    since: Floats = rows - last
    return since


def _with_legs(q: Floats, body: Body, feet: list[_FootPath], contacts: ContactLabels, rate: float) -> Floats:
    """Turns the legs to their feet, the pelvis sunk as far as they need."""
    up = np.array([0.0, 0.0, 1.0])
    now = pose(body, q)
    needed = np.zeros(len(q))
    for side, foot in enumerate(feet):
        hip = now.origins[:, body.index("thigh_" + "lr"[side])]
        longest = LONGEST * leg_length(body, "lr"[side])
        excess = too_high(hip, foot.ankle, longest, up)
        needed = np.maximum(needed, np.where(contacts.feet[:, side], excess, 0.0))
    sunk = q.copy()
    held = maximum_filter1d(np.clip(needed, 0.0, _DEEPEST_M), 2 * round(_SINKS_S * rate) + 1)
    sunk[:, 2] -= np.maximum(low_pass(held, rate, _SINKS_HZ), 0.0)
    for side, foot in enumerate(feet):
        _set_leg(sunk, body, foot, "lr"[side])
    return sunk


def _set_leg(q: Floats, body: Body, foot: _FootPath, side: str) -> None:
    now = pose(body, q)
    world = rotations.from_matrix(now.R_world_link)
    thigh, shin, ankle = (body.index(f"{name}_{side}") for name in ("thigh", "shin", "foot"))
    hip = now.origins[:, thigh]
    stands = steepness(hip, foot.ankle, np.array([0.0, 0.0, 1.0]))[:, None]
    target = foot.ankle + stands * (within_reach(hip, foot.ankle, leg_length(body, side)) - foot.ankle)
    turns = reach(
        hip,
        now.origins[:, shin],
        now.origins[:, ankle],
        target,
        now.R_world_link[:, thigh] @ body.links[thigh].joint.axes[1],
    )
    world[:, thigh] = rotations.multiply(turns.thigh, world[:, thigh])
    world[:, shin] = rotations.multiply(turns.shin, world[:, shin])
    for part, turn in foot.turns.items():
        world[:, part] = turn
    set_turns(q, body, world, [thigh, shin, *foot.turns])
