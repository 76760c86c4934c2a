"""From the simulated body back to the rig: every bone, at the source's frames."""

from dataclasses import replace

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..errors import RigError
from ..motion.clip import Clip, world_pose
from ..motion.skeleton import Skeleton


def recover_clip(source: Clip, body: Body, q: Floats) -> Clip:
    """The source with its simulated bones turned as the body's links (q is (T, nq), one row a frame).

    Every other bone keeps its own animation on top of the bone it hangs on.
    """
    skeleton = source.skeleton
    simulated = {skeleton.index(link.bone): i for i, link in enumerate(body.links)}
    links = rotations.from_matrix(pose(body, q).R_world_link)  # (T, N, 4)
    local = source.rotations.copy()
    world = np.empty_like(local)
    for bone, parent in enumerate(skeleton.parents):
        above = world[:, parent] if parent >= 0 else np.broadcast_to(rotations.IDENTITY, world[:, 0].shape)
        if bone in simulated:
            world[:, bone] = links[:, simulated[bone]]
            local[:, bone] = rotations.multiply(rotations.inverse(above), world[:, bone])
        else:
            world[:, bone] = rotations.multiply(above, local[:, bone])
    positions = _moved(source, local, world, skeleton.index(body.links[0].bone), q[:, :3])
    return replace(source, rotations=local, positions=_joined(source, body, positions, local))


def _joined(source: Clip, body: Body, positions: Floats, local: Floats) -> Floats:
    """Positions that keep limbs on their segments where the rig hangs them elsewhere, as control rigs do."""
    skeleton, before = source.skeleton, source.world()
    for bone, segment in adrift(skeleton, body):
        if not skeleton.translates[bone]:
            continue
        head = rotations.rotate(
            rotations.inverse(before.rotations[:, segment]), before.positions[:, bone] - before.positions[:, segment]
        )
        now = world_pose(skeleton, positions, local)
        target = now.positions[:, segment] + rotations.rotate(now.rotations[:, segment], head)
        parent = skeleton.parents[bone]
        away = target - now.positions[:, bone]
        positions[:, bone] += rotations.rotate(rotations.inverse(now.rotations[:, parent]), away)
    return positions


def adrift(skeleton: Skeleton, body: Body) -> list[tuple[int, int]]:
    """Bones of links that hang on something else than the bone of their parent link, each with that bone."""
    simulated = [skeleton.index(link.bone) for link in body.links]
    found = []
    for link, bone in zip(body.links, simulated, strict=True):
        above = int(skeleton.parents[bone])
        while above >= 0 and above not in simulated:
            above = int(skeleton.parents[above])
        if link.parent >= 0 and above != simulated[link.parent]:
            found.append((bone, simulated[link.parent]))
    return found


def _moved(source: Clip, local: Floats, world: Floats, pelvis: int, target: Floats) -> Floats:
    """Positions that bring the pelvis to its target, by moving the nearest bone that can be moved."""
    skeleton = source.skeleton
    carrier = carrier_of(skeleton, pelvis)
    positions = source.positions.copy()
    away = target - world_pose(skeleton, positions, local).positions[:, pelvis]
    parent = skeleton.parents[carrier]
    if parent >= 0:
        away = rotations.rotate(rotations.inverse(world[:, parent]), away)
    positions[:, carrier] += away
    return positions


def carrier_of(skeleton: Skeleton, pelvis: int) -> int:
    """The pelvis itself, or the nearest bone above it, whose position can be keyed."""
    bone = pelvis
    while bone >= 0 and not skeleton.translates[bone]:
        bone = int(skeleton.parents[bone])
    if bone < 0:
        raise RigError(
            f"Neither '{skeleton.names[pelvis]}' nor a bone above it has position channels, so the body's path "
            "cannot be written; export the clip with positions on its root."
        )
    return bone
