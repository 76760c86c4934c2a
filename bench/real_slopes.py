"""Whether a flat walk that was brought onto a slope is nearer to one captured there than it was before."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sim_core.bake import read_performance
from sim_core.body.body import Body
from sim_core.dynamics.kinematics import pose
from sim_core.motion.clip import Clip
from sim_core.posing.body_motion import body_positions
from sim_core.reporting.bake_result import BakeResult
from sim_core.settings import BakeSettings, ClipSettings
from sim_core.staging.placement import Stage, make_stage
from sim_core.surroundings.stances import feet_of, stances_of

_FPS = 60.0  # of these clips, whatever their files say
# The frames, from 1, in which the captured clips walk on their slope.
_ON_SLOPE = {"74_14": (193, 376), "74_16": (170, 400)}


@dataclass(frozen=True, kw_only=True)
class Gait:
    """Means over a walk."""

    pelvis_pitch_deg: float  # forward of upright, by the line from the hips to the chest
    step_of_height: float  # along the way, in body heights


@dataclass(frozen=True, kw_only=True)
class Likeness:
    captured: Gait
    flat: Gait
    adapted: Gait


def likeness(result: BakeResult, like: str, folder: Path) -> Likeness:
    first, last = _ON_SLOPE[like]
    clip = ClipSettings(fps=_FPS, start=first, end=last)
    captured = read_performance(folder / f"cmu_{like}.bvh", BakeSettings(clip=clip))
    flat = result.performance
    outcome = result.clip.frames(flat.still_frames, len(result.clip))
    return Likeness(
        captured=_gait(captured.motion, captured.body, captured.stage()),
        flat=_gait(flat.motion, flat.body, flat.stage()),
        adapted=_gait(
            outcome, flat.body, make_stage(flat.source, outcome, flat.body, flat.floor_m, flat.frame_at(0.0))
        ),
    )


def _gait(motion: Clip, body: Body, stage: Stage) -> Gait:
    now = pose(body, body_positions(motion, body))
    hips = 0.5 * (now.origins[:, body.index("thigh_l")] + now.origins[:, body.index("thigh_r")])
    up = now.origins[:, body.index("chest")] - hips
    pitch = np.degrees(np.arctan2(up @ stage.onward, up[:, 2]))
    places = [stance.place[0] for stance in stances_of(feet_of(motion, body, stage))]
    steps = np.abs(np.diff(places))
    walked = steps[steps > 0.1 * body.height]
    return Gait(
        pelvis_pitch_deg=float(pitch.mean()),
        step_of_height=float(walked.mean() / body.height) if len(walked) else 0.0,
    )
