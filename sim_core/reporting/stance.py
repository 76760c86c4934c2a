"""How well standing feet stand in the keyframes as written: not in the surface, not over it, not sliding on it."""

from dataclasses import dataclass

import numpy as np

from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics import kinematics
from ..dynamics.state_space import central_velocities
from ..motion.clip import Clip
from ..posing.body_motion import body_positions
from ..scene import Scene
from ..simulation.foot_loads import foot_loads
from ..simulation.recording import Recording
from ..world.beside_edges import clearance

_BEARS = 0.05  # of body weight: a foot that bears more, now and in the frames beside, stands
_TOUCHES_M = 0.01  # a sole point this near to the surface is one that the foot stands on


@dataclass(frozen=True, kw_only=True)
class Stance:
    """Of the feet that stand; all zero where none does."""

    deepest_m: float  # of any sole point
    highest_m: float  # of a foot's lowest sole point
    skate_m_s: float  # mean speed over the surface of the sole points that touch it


def measure_stance(clip: Clip, body: Body, scene: Scene, recording: Recording) -> Stance:
    """Of the frames that are motion, by the contacts that were recorded."""
    q = body_positions(clip, body)
    motion = kinematics.motion(body, q, central_velocities(body, q, clip.fps))
    soles = motion.pose.points(body.soles.links, body.soles.local)
    surface = scene.surface(np.arange(len(clip)) / clip.fps)
    distances = clearance(surface, soles)  # (T, P)
    stands = standing(recording, body, scene, len(clip), clip.fps)  # (T, 2)
    of_feet = [(stands[:, k], mine) for k, mine in enumerate((body.soles.left, ~body.soles.left))]
    lowest = np.concatenate([distances[when][:, mine].min(axis=1) for when, mine in of_feet])
    if not len(lowest):
        return Stance(deepest_m=0.0, highest_m=0.0, skate_m_s=0.0)
    bearing = np.where(body.soles.left, stands[:, :1], stands[:, 1:])  # (T, P)
    touching = bearing & (np.abs(distances) < _TOUCHES_M)
    over = motion.point_velocities(body.soles.links, soles) - surface.velocities(soles)
    normals = surface.normals(soles)
    along = over - np.sum(over * normals, axis=-1, keepdims=True) * normals
    speeds = np.linalg.norm(along, axis=-1)[touching]
    return Stance(
        deepest_m=float(max(-lowest.min(), 0.0)),
        highest_m=float(max(lowest.max(), 0.0)),
        skate_m_s=float(speeds.mean()) if len(speeds) else 0.0,
    )


def standing(recording: Recording, body: Body, scene: Scene, frames: int, fps: float) -> Bools:
    """(T, 2) which feet stand at every frame, left and right; none does after the end of a recording."""
    bears = _at_frames(foot_loads(recording, body, scene, on_loose=False), recording.rate, frames, fps) > _BEARS
    stands = bears.copy()
    stands[1:] &= bears[:-1]
    stands[:-1] &= bears[1:]
    return stands


def _at_frames(loads: Floats, rate: float, frames: int, fps: float) -> Floats:
    """(T, 2) means over the steps nearer to a frame than to any other: contact chatters from step to step."""
    of_frame = np.round(np.arange(len(loads)) * fps / rate).astype(np.int64)
    inside = of_frame < frames
    sums, counts = np.zeros((frames, 2)), np.zeros(frames)
    np.add.at(sums, of_frame[inside], loads[inside])
    np.add.at(counts, of_frame[inside], 1.0)
    means: Floats = sums / np.maximum(counts, 1.0)[:, None]
    return means
