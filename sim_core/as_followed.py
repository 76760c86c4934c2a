"""A performance as it was followed: who rolls or falls takes the time that this takes, and the clip with it."""

from dataclasses import replace

import numpy as np

from . import rotations
from .arrays import Floats, Ints
from .motion.clip import Clip
from .motion.source_rows import nearest_rows, of_rows, with_clip
from .performance import Performance
from .reference.reference import Reference
from .simulation.recording import Recording


def as_followed(performance: Performance, recording: Recording, reference: Reference) -> Performance:
    """With the frame of the motion that was followed at each frame of the result."""
    if not reference.rolls and reference.fall is None:
        return performance
    places = places_followed(performance, recording, reference)
    motion = _between_frames(performance.motion, places)
    return played(performance, motion, nearest_rows(places, len(performance.motion)))


def places_followed(performance: Performance, recording: Recording, reference: Reference) -> Floats:
    """Between which frames of the motion it was, at each frame of the result."""
    fps, rate = performance.asked.fps, reference.rate
    done = np.flatnonzero(recording.rows >= reference.clip_steps - 1)
    last = int(done[0]) if len(done) and reference.fall is None else len(recording.rows) - 1
    steps = np.round(np.arange(int(last / rate * fps + 1e-6) + 1) / fps * rate).astype(np.int64)
    places: Floats = recording.rows[steps] / rate * fps
    return places


def played(performance: Performance, motion: Clip, rows: Ints) -> Performance:
    """Another motion in place of its own, whose frames are made of these of its own."""
    still, begins = performance.still_frames, performance.first_frame + performance.still_frames
    before = of_rows(performance.source, np.concatenate([np.arange(begins), begins + rows]))
    asked = performance.asked
    return replace(
        performance,
        source=with_clip(before, motion, begins),
        asked=replace(
            asked,
            positions=np.concatenate([asked.positions[:still], motion.positions]),
            rotations=np.concatenate([asked.rotations[:still], motion.rotations]),
        ),
    )


def _between_frames(clip: Clip, places: Floats) -> Clip:
    """The clip at places between its frames."""
    below = np.clip(np.floor(places).astype(np.int64), 0, len(clip) - 2)
    share = np.clip(places - below, 0.0, 1.0)
    positions = clip.positions[below] + share[:, None, None] * (clip.positions[below + 1] - clip.positions[below])
    turns = rotations.slerp(
        clip.rotations[below], clip.rotations[below + 1], np.repeat(share[:, None], clip.rotations.shape[1], axis=1)
    )
    return replace(clip, positions=positions, rotations=turns)
