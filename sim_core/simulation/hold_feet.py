"""Feet that stood in the simulation stand in the keyframes, and feet that were in the air are seen to be.

Engines let a standing foot creep by millimetres, and the filter that takes the chatter out of the steps smears a foot's
swing into its stance, and toes into the ground as heels rise. The recording knows which feet bore and which did not:
that much is put right, and no more. A foot that slid in the simulation slides in the keyframes.
"""

from typing import TypeVar

import numpy as np

from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..filters import low_pass, without_blinks
from ..reference.clear_swings import swing_lift
from ..reference.pin_feet import creeping, holding, led
from ..reference.place_ankles import bend_legs
from ..reference.sinking import leg_length
from ..scene import Scene
from ..world.beside_edges import clearance
from ..world.surface import Surface
from .foot_loads import foot_loads
from .recording import Recording

_BEARS = 0.02  # of the body's weight: a foot that bears less does not stand
_SLIDES_M_S = 0.3  # a foot that bears and is faster than this slides
_SHORTEST_GAP_S = 0.045
_SHORTEST_STANCE_S = 0.035
_FARTHEST_M = 0.03  # a foot that creeps further has slid, and is left alone
_CLEARANCE_M = 0.028  # of a foot in the air: enough not to be taken for one that slides
_RISE_S = 0.05
_FLYING_RISE_S = 0.08  # in flight no other foot pushes: steeper, and keys need forces that nothing gives (measured)
_MOST_ONTO_M = 0.015  # a foot that is farther in the ground or over it was so in the simulation
_SOFT_M = 0.002  # as deep as flesh gives, and engines let it
_ONTO_HZ = 12.0  # faster, and keys jerk; slower, and toes are still in the ground as heels rise (measured)
_STRAIGHT = 0.985  # of a leg's length: no knee is drawn straighter, unless it was
_OfSteps = TypeVar("_OfSteps", Bools, Floats)
_STEERED_M = 0.01  # a leg that is moved by as much bends its knee forward, where it is too straight to bend


def hold_feet(q: Floats, recording: Recording, body: Body, scene: Scene, fps: float, crisp: Floats) -> Floats:
    """The frames q (T, nq) of a recording with legs turned by as little as feet need to stand and to swing free.

    Where steps were filtered less, by crisp (S,), feet take off and land as they did, and need no help.
    """
    ground = scene.surface(np.arange(len(q)) / fps)
    bears = _at_frames(_bearing(recording, body, scene), recording.rate, len(q), fps)
    blurred = 1.0 - _at_frames(crisp, recording.rate, len(q), fps)
    lowest = _lowest(q, body, ground)
    shifts = np.empty((len(q), 2, 3))
    for k, creep in enumerate(creeping(q, body, ground, fps)):
        stands = bears[:, k] & (creep.speed < _SLIDES_M_S)
        rise_s = np.where(bears[:, 1 - k], _RISE_S, _FLYING_RISE_S)
        lift = swing_lift(creep.lowest, creep.speed, bears[:, k], fps, clearance_m=_CLEARANCE_M, rise_s=rise_s)
        held = holding(creep.velocity, stands, fps, lambda farthest: float(farthest < _FARTHEST_M))
        onto = _onto(lowest[:, k], bears[:, k], fps)
        shifts[:, k] = blurred[:, None] * (led(held, fps) + (lift + onto)[:, None] * ground.normal)
    return _with_ankles_moved(q, body, shifts)


def _lowest(q: Floats, body: Body, ground: Surface) -> Floats:
    """(T, 2) how high the lowest sole point of each foot is over what is below it, left and right."""
    heights = clearance(ground, pose(body, q).points(body.soles.links, body.soles.local))
    return np.stack([heights[:, mine].min(axis=1) for mine in (body.soles.left, ~body.soles.left)], axis=1)


def _onto(lowest: Floats, bears: Bools, fps: float) -> Floats:
    """(T,) how far to raise a foot that stands in the ground, or lower one that stands over it."""
    off = np.clip(lowest, -_MOST_ONTO_M, _MOST_ONTO_M)
    return low_pass(np.where(bears, np.clip(off, -_SOFT_M, _SOFT_M) - off, 0.0), fps, _ONTO_HZ)


def _bearing(recording: Recording, body: Body, scene: Scene) -> Bools:
    """(S, 2) which feet bear some of the body's weight, left and right."""
    bears = foot_loads(recording, body, scene) > _BEARS
    return without_blinks(bears, recording.rate, gap_s=_SHORTEST_GAP_S, touch_s=_SHORTEST_STANCE_S)


def _at_frames(values: _OfSteps, rate: float, frames: int, fps: float) -> _OfSteps:
    steps = np.round(np.arange(frames) / fps * rate).astype(int)
    picked: _OfSteps = values[np.minimum(steps, len(values) - 1)]
    return picked


def _with_ankles_moved(q: Floats, body: Body, shifts: Floats) -> Floats:
    """The frames with ankles moved by shifts (T, 2, 3), soles and pelvis as they are; just q where there is none."""
    now = pose(body, q)
    targets = np.empty_like(shifts)
    for k, side in enumerate("lr"):
        hip, ankle = (now.origins[:, body.index(f"{name}_{side}")] for name in ("thigh", "foot"))
        targets[:, k] = _no_straighter(hip, ankle, ankle + shifts[:, k], _STRAIGHT * leg_length(body, side))
    moved = q.copy()
    bend_legs(moved, body, now, targets, np.minimum(np.linalg.norm(shifts, axis=2) / _STEERED_M, 1.0))
    return moved


def _no_straighter(hip: Floats, ankle: Floats, target: Floats, longest: float) -> Floats:
    """Targets (T, 3) no farther from the hip than a leg's longest, or than its ankle is already."""
    apart = target - hip
    distance = np.linalg.norm(apart, axis=1, keepdims=True)
    most = np.maximum(np.linalg.norm(ankle - hip, axis=1, keepdims=True), longest)
    nearer: Floats = hip + apart * np.minimum(most / distance, 1.0)
    return nearer
