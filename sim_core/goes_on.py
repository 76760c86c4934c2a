"""A fall that goes on: the character gets up from where it lies, and the clip may follow from where it was left."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from . import rotations
from .arrays import Floats
from .as_followed import as_followed, places_followed, played
from .body.body import Body
from .dynamics.kinematics import pose
from .falling.get_up import get_up
from .motion.clip import Clip
from .motion.source_rows import nearest_rows
from .performance import Performance
from .posing.body_motion import body_positions
from .posing.heading import facing_of
from .posing.recover_clip import recover_clip
from .reference.reference import Reference
from .rolling.join import joined
from .settings import FallEnd
from .simulation.recording import Recording

_FADE_S = 0.6  # in which who stands goes on with the clip


class GoesOn(NamedTuple):
    performance: Performance  # as it was followed until it fell, and then gets up
    clip: Clip  # the same frames, but falling as it fell


def goes_on(
    performance: Performance, recording: Recording, reference: Reference, ground_m: float, then: FallEnd
) -> GoesOn:
    """After a recording in which it fell, by a reference with the fall in it, and lies still."""
    body, fps = performance.body, performance.asked.fps
    places = places_followed(performance, recording, reference)
    rows = nearest_rows(places, len(performance.motion))
    steps = np.round(np.arange(len(rows)) / fps * recording.rate).astype(np.int64)
    after = get_up(body, recording.q[-1], ground_m, fps)
    source = np.full(len(after), rows[-1])
    if then == "clip":
        overlap = min(round(_FADE_S * fps), len(after))
        clip = body_positions(performance.motion, body)[rows[-1] :]
        if len(clip) > overlap:
            after = joined(body, after, _facing_as(body, clip, after[-1]), overlap)
            source = np.concatenate([source, rows[-1] + np.arange(overlap, len(clip))])
    all_rows = np.concatenate([rows, source[1:]])
    motion = performance.motion
    stands_in = replace(motion, positions=motion.positions[all_rows], rotations=motion.rotations[all_rows])
    clip_as_fallen = recover_clip(stands_in, body, np.concatenate([recording.q[steps], after[1:]]))
    followed = as_followed(performance, recording, reference).motion
    shown = replace(
        clip_as_fallen,
        positions=np.concatenate([followed.positions, clip_as_fallen.positions[len(rows) :]]),
        rotations=np.concatenate([followed.rotations, clip_as_fallen.rotations[len(rows) :]]),
    )
    return GoesOn(played(performance, shown, all_rows), clip_as_fallen)


def _facing_as(body: Body, q: Floats, stand: Floats) -> Floats:
    """The motion q (T, nq) turned about the vertical until its first pose faces as a stand does."""
    angle = facing_of(body, pose(body, stand)) - facing_of(body, pose(body, q[0]))
    turn = rotations.about_axis(2, np.array(angle))
    turned = q.copy()
    turned[:, :3] = q[0, :3] + rotations.rotate(turn, q[:, :3] - q[0, :3])
    turned[:, 3:7] = rotations.multiply(turn, q[:, 3:7])
    return turned
