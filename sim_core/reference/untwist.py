"""Mends feet and toes that a marker solver has turned over: no ankle turns by half a circle, but solved ones do.

A foot is known by few markers, nearly on one line from the ankle to the top of the toes: rolled about it by half a turn
it fits them as well. Such a foot is rolled back about that line. What is still impossible then, as a foot that points
backwards, tells nothing, and is bridged from the sound frames around it.
"""

import numpy as np
from scipy.ndimage import binary_dilation, binary_erosion, binary_opening, binary_propagation

from .. import rotations
from ..arrays import Bools, Floats
from ..body.body import Body, Box, Link
from ..body.joint_limits import anatomical_range, joint_angles
from ..motion.clip import Clip
from ..posing.body_motion import body_positions
from ..posing.recover_clip import recover_clip
from ..rig.segments import kind
from .repair import Repair, bridged

_TURN_OVER = ("foot", "toes")
_IMPOSSIBLE = np.radians(110.0)  # away from neutral; dancers and divers reach 80, all axes together
_MARKER = 0.009  # of height: markers lie on top of the foot, this much above the joint of its ball
_DOUBTFUL = np.radians(75.0)  # beside impossible frames: on the way there
_SOUND = 0.1  # of all frames, at least: where the foot is hardly ever possible, it is the rest pose that is odd
_SHORTEST_S = 0.08  # a roll that fits for less is met by chance, on the way elsewhere
_EDGE_S = 0.03  # around impossible frames, where the foot is on its way


def untwist(body: Body, q: Floats, fps: float) -> Repair:
    """The motion q (T, nq), exactly as it is where no foot is turned over."""
    mended = q.copy()
    twisted: dict[str, int] = {}
    for i, link in enumerate(body.links):
        if kind(link.name) not in _TURN_OVER or link.joint.kind != "ball":
            continue
        part = body.q_slice[link.name]
        turns = q[:, part]
        bad = _turned_over(_from_neutral(turns, link))
        if bad.any() and np.mean(~bad) > _SOUND:
            mended[:, part] = _mended(turns, bad, link, _marker_line(body, i), fps)
            twisted[link.name] = int(bad.sum())
    return Repair(mended, twisted)


def with_sound_feet(clip: Clip, body: Body) -> Clip:
    """The clip itself where no foot is turned over."""
    repair = untwist(body, body_positions(clip, body), clip.fps)
    return recover_clip(clip, body, repair.q) if repair.flipped else clip


def _from_neutral(turns: Floats, link: Link) -> Floats:
    """(T,) how far a joint is turned from where it is when its body stands [rad]."""
    return rotations.angle_between(link.joint.neutral, rotations.multiply(link.frame, turns))


def _turned_over(angle: Floats) -> Bools:
    """Frames that are impossible, and those beside them that are on the way there."""
    doubtful: Bools = binary_propagation(angle > _IMPOSSIBLE, mask=angle > _DOUBTFUL)
    return doubtful


def _mended(turns: Floats, bad: Bools, link: Link, along: Floats, fps: float) -> Floats:
    rolled = rotations.multiply(turns, rotations.exp(np.pi * along))
    shortest, edge = (np.ones(2 * max(1, round(0.5 * seconds * fps)) + 1) for seconds in (_SHORTEST_S, 2.0 * _EDGE_S))
    back = binary_opening(bad & (_from_neutral(rolled, link) < _DOUBTFUL), shortest)
    lost = bad & ~binary_erosion(back, edge, border_value=True)
    lost |= binary_dilation(lost, edge) & ~back
    result = np.where(back[:, None], _nearest_possible(rolled, link), turns)
    return bridged(rotations.continuous(result), lost)


def _nearest_possible(turns: Floats, link: Link) -> Floats:
    """A line through few markers is rough: what it gives too much of is left out, axis by axis."""
    joint = link.joint
    angles = joint_angles(rotations.multiply(link.frame, turns), joint.neutral, joint.axes)
    possible = np.clip(angles, *anatomical_range(link.name))
    on_parent = rotations.multiply(joint.neutral, rotations.exp(possible @ joint.axes))
    return rotations.multiply(rotations.inverse(link.frame), on_parent)


def _marker_line(body: Body, link: int) -> Floats:
    """(3,) from the joint to the top of the next, in the link's frame; where there is none, along the sole."""
    shape = body.links[link].shape
    assert isinstance(shape, Box)
    followers = [other.offset for other in body.links if other.parent == link]
    forward, up = shape.R_link_box[:, 0], shape.R_link_box[:, 2]
    along = followers[0] + _MARKER * body.height * up if followers else forward
    axis: Floats = along / np.linalg.norm(along)
    return axis
