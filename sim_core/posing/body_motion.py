"""Between a clip's bones and a body's coordinates: poses of the rig as q."""

import numpy as np

from .. import rotations
from ..arrays import Floats, Ints
from ..body.body import Body
from ..dynamics.topology import topology_of
from ..motion.clip import Clip


def link_bones(clip: Clip, body: Body) -> Ints:
    """(N,) the bone whose frame each link shares."""
    return np.array([clip.skeleton.index(link.bone) for link in body.links], dtype=np.int64)


def body_positions(clip: Clip, body: Body) -> Floats:
    """The clip as q (T, nq): the root's place and turn in the world, each link's turn on its parent link.

    Bones between two links are folded into the turn; a hinge takes what lies along its axis.
    """
    world = clip.world()
    bones = link_bones(clip, body)
    q = np.empty((len(clip), body.nq))
    for link, bone in zip(body.links, bones, strict=True):
        part = q[:, body.q_slice[link.name]]
        if link.parent < 0:
            part[:, :3] = world.positions[:, bone]
            part[:, 3:] = rotations.continuous(world.rotations[:, bone])
            continue
        on_parent = rotations.multiply(
            rotations.inverse(world.rotations[:, bones[link.parent]]), world.rotations[:, bone]
        )
        turn = rotations.multiply(rotations.inverse(link.frame), on_parent)
        if link.joint.kind == "ball":
            part[:] = rotations.continuous(turn)
        else:
            along = turn[:, 1:] @ link.joint.axes[0]
            part[:, 0] = np.unwrap(2.0 * np.arctan2(along, turn[:, 0]))
    return q


def normalised(q: Floats, body: Body) -> Floats:
    """The same motion with every quaternion brought back to unit length, as after filtering."""
    result = q.copy()
    columns = topology_of(body).rotation_q
    result[:, columns] = rotations.normalise(q[:, columns])
    return result
