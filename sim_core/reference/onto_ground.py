"""A clip that was made for one ground, brought onto another: higher and lower with it, soles turned to it.

The body rises and sinks by the ground under its pelvis, each foot by the ground under its ankle, and the legs are bent
to fit. Where a leg would have to be longer than it is, the pelvis sinks a little, as people's do on a slope.
"""

import numpy as np
from scipy.ndimage import maximum_filter1d

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import Pose, pose
from ..filters import low_pass
from ..motion.clip import Clip
from ..posing.body_motion import body_positions
from ..posing.recover_clip import recover_clip
from ..scene import Ground
from .leg_ik import reach
from .out_of_ground import set_turns

_STRAIGHT = 0.98  # of a leg's length: no leg is asked to be straighter than this, unless the source's is
_SINK_HZ = 2.0
_SINK_AHEAD_S = 0.25  # the pelvis begins to sink this much before it has to
_LYING = 0.1  # of body height: a pelvis as low as this lies on the ground, and turns with it
_STANDING = 0.25  # and one higher than this keeps upright
_TREADS = 0.15  # of body height: an ankle as low as this, heel raised or not, has to reach the ground
_SWINGS = 0.25  # and one higher than this is in the air


def onto_ground(clip: Clip, body: Body, made_for: Ground, ground: Ground) -> Clip:
    """The same clip where it was made for this very ground."""
    if made_for is ground:
        return clip
    q = body_positions(clip, body)
    source = pose(body, q)
    moved = q.copy()
    moved[:, 2] += ground.height(q[:, :3]) - made_for.height(q[:, :3])
    if np.allclose(made_for.normal, ground.normal):  # as level as before, only higher or lower
        return recover_clip(clip, body, moved)
    moved[:, 3:7] = rotations.continuous(rotations.multiply(_body_tilt(q, body, made_for, ground), q[:, 3:7]))
    moved[:, 2] -= _sinking(source, pose(body, moved), body, made_for, ground, clip.fps)
    for side in ("_l", "_r"):
        _set_leg(moved, source, body, made_for, ground, side)
    return recover_clip(clip, body, moved)


def _body_tilt(q: Floats, body: Body, made_for: Ground, ground: Ground) -> Floats:
    """(T, 4) turns of the whole body: those who lie turn with the ground, those who stand do not."""
    turn = rotations.log(rotations.between_vectors(made_for.normal, ground.normal))
    return rotations.exp(_share_below(made_for.distance(q[:, :3]) / body.height, _LYING, _STANDING)[:, None] * turn)


def _share_below(heights: Floats, all_: float, none: float) -> Floats:
    """(T,) 1 below one height, 0 above another, and between them in between."""
    return np.clip((none - heights) / (none - all_), 0.0, 1.0)


def _ankle_targets(source: Pose, foot: int, made_for: Ground, ground: Ground) -> Floats:
    """(T, 3) straight above or below where the ankle was, as far from the new ground as it was from the old."""
    targets = source.origins[:, foot].copy()
    targets[:, 2] += (made_for.distance(targets) - ground.distance(targets)) / ground.normal[2]
    return targets


def _sinking(source: Pose, moved: Pose, body: Body, made_for: Ground, ground: Ground, fps: float) -> Floats:
    """(T,) how much lower the pelvis must be for both legs to reach [m]."""
    needed = np.zeros(len(source.com))
    standing = 1.0 - _share_below(made_for.distance(source.origins[:, 0]) / body.height, _LYING, _STANDING)
    for side in ("_l", "_r"):
        thigh, shin, foot = (body.index(name + side) for name in ("thigh", "shin", "foot"))
        length = np.linalg.norm(body.links[shin].offset) + np.linalg.norm(body.links[foot].offset)
        used = np.linalg.norm(source.origins[:, foot] - source.origins[:, thigh], axis=1)
        longest = np.maximum(_STRAIGHT * length, used)
        apart = moved.origins[:, thigh] - _ankle_targets(source, foot, made_for, ground)
        across = np.linalg.norm(apart[:, :2], axis=1)
        highest = np.sqrt(np.maximum(longest**2 - across**2, 0.0))
        treads = _share_below(made_for.distance(source.origins[:, foot]) / body.height, _TREADS, _SWINGS)
        needed = np.maximum(needed, standing * treads * (apart[:, 2] - highest))
    held = maximum_filter1d(needed, max(1, int(2.0 * _SINK_AHEAD_S * fps)))
    return np.maximum(low_pass(held, fps, _SINK_HZ), 0.0)


def _set_leg(q: Floats, source: Pose, body: Body, made_for: Ground, ground: Ground, side: str) -> None:
    """Turns one leg of q in place: the ankle as high over the new ground as it was over the old, its sole as level."""
    now = pose(body, q)
    world = rotations.from_matrix(now.R_world_link)
    thigh, shin, foot = (body.index(name + side) for name in ("thigh", "shin", "foot"))
    turns = reach(
        now.origins[:, thigh],
        now.origins[:, shin],
        now.origins[:, foot],
        _ankle_targets(source, foot, made_for, ground),
        now.R_world_link[:, thigh] @ body.links[thigh].joint.axes[1],
    )
    world[:, thigh] = rotations.multiply(turns.thigh, world[:, thigh])
    world[:, shin] = rotations.multiply(turns.shin, world[:, shin])
    tilt = rotations.between_vectors(made_for.normal, ground.normal)
    feet = [link for link in range(len(body)) if body.names[link] in ("foot" + side, "toes" + side)]
    for link in feet:
        world[:, link] = rotations.multiply(tilt, rotations.from_matrix(source.R_world_link[:, link]))
    set_turns(q, body, world, [thigh, shin, *feet])
