"""Where the loose objects of a scene are at every frame that was asked for, as a file."""

import json

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..engines.loose import loose_numbers
from ..world.track import Poses
from .bake_result import BakeResult


def objects_bytes(result: BakeResult) -> bytes:
    """In metres and the clip's own axes, wxyz; an object's own axes stay its own."""
    performance = result.performance
    source = performance.source
    objects = {}
    for row, number in enumerate(loose_numbers(result.scene)):
        poses = _at_frames(result, row)
        objects[result.scene.things[number].name] = {
            "positions": source.in_own_axes(poses.positions).tolist(),
            "rotations": rotations.continuous(source.turns_in_own_axes(poses.turns)).tolist(),
        }
    content = {"first_frame": performance.first_frame + performance.first_number, "objects": objects}
    return (json.dumps(content, allow_nan=False) + "\n").encode()


def _at_frames(result: BakeResult, row: int) -> Poses:
    """Of one loose thing, straight between two steps; during a T-pose in front, and after a simulation that was
    stopped, it waits."""
    performance, recording = result.performance, result.recording
    times = (np.arange(len(performance.asked)) - performance.still_frames) / performance.asked.fps
    at: Floats = np.clip(times * recording.rate, 0.0, len(recording.things) - 1.0)
    before = np.minimum(at.astype(np.int64), max(len(recording.things) - 2, 0))
    after = np.minimum(before + 1, len(recording.things) - 1)
    share = (at - before)[:, None]
    things = recording.things[:, row]
    positions = things[before, :3] * (1.0 - share) + things[after, :3] * share
    return Poses(positions, rotations.slerp(things[before, 3:7], things[after, 3:7], share[:, 0]))
