"""What came of the disturbances: how hard a pull was, where a ball was thrown, how level a hand stayed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..disturbances import KeepLevel, Throw, Triple
from ..dynamics.kinematics import pose
from ..motion.clip import Clip
from ..motion.source_clip import SourceClip
from ..posing.body_motion import body_positions
from ..reference.keep_level import tilts
from ..simulation.outside_forces import Drawn, OutsideForce, OutsideForces
from ..simulation.recording import Recording
from ..world.thing import Thing

_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, kw_only=True)
class PullSummary:
    """All from the simulation."""

    bone: str
    at_s: float
    for_s: float
    force: float  # [N] the most that was allowed
    mean_n: float
    peak_n: float
    nearest_m: float  # that the segment came to the point


@dataclass(frozen=True, kw_only=True)
class ThrowSummary:
    """Place and velocity are those with which the ball appears, in the clip's own axes."""

    bone: str
    at_s: float
    mass: float
    radius: float
    speed: float
    appears_s: float
    place_m: Triple
    velocity_m_s: Triple


@dataclass(frozen=True, kw_only=True)
class LevelSummary:
    """Tilt away from level, from the keyframes alone: those of the result, and of the source before."""

    bone: str
    mean_deg: float
    worst_deg: float
    before_mean_deg: float
    before_worst_deg: float


def pull_summaries(forces: Sequence[OutsideForce], body: Body, recording: Recording) -> tuple[PullSummary, ...]:
    acted = OutsideForces(forces, body)
    summaries = []
    for number, one in enumerate(forces):
        if not isinstance(one, Drawn):
            continue
        felt = acted.over(number, recording)
        strengths = np.linalg.norm(felt.forces, axis=1)
        aims = one.way.poses(felt.steps / recording.rate).positions
        summaries.append(
            PullSummary(
                bone=one.bone,
                at_s=one.at_s,
                for_s=one.for_s,
                force=one.pull.force,
                mean_n=float(strengths.mean()) if len(strengths) else 0.0,
                peak_n=float(strengths.max(initial=0.0)),
                nearest_m=float(np.linalg.norm(aims - felt.points, axis=1).min()) if len(strengths) else 0.0,
            )
        )
    return tuple(summaries)


def throw_summary(throw: Throw, ball: Thing, source: SourceClip) -> ThrowSummary:
    assert ball.loose is not None
    return ThrowSummary(
        bone=throw.bone,
        at_s=throw.at_s,
        mass=throw.mass,
        radius=max(getattr(solid, "radius", 0.0) for solid in ball.solids),
        speed=throw.speed,
        appears_s=ball.loose.appears_s,
        place_m=_triple(source.in_own_axes(ball.position)),
        velocity_m_s=_triple(source.in_own_axes(ball.loose.velocity)),
    )


def level_summary(level: KeepLevel, body: Body, source: Clip, result: Clip) -> LevelSummary:
    """The source is what the result was made of, path and all."""
    link, fps = body.index(level.bone), result.fps
    before, after = (pose(body, body_positions(clip, body)).R_world_link[:, link] for clip in (source, result))
    first = min(round(level.at_s * fps), len(before) - 1)
    last = len(before) if level.for_s is None else min(round((level.at_s + level.for_s) * fps) + 1, len(before))
    up = before[first].T @ _UP
    source_deg, result_deg = (np.degrees(tilts(turns[first:last], up)) for turns in (before, after))
    return LevelSummary(
        bone=level.bone,
        mean_deg=float(result_deg.mean()),
        worst_deg=float(result_deg.max()),
        before_mean_deg=float(source_deg.mean()),
        before_worst_deg=float(source_deg.max()),
    )


def _triple(vector: Floats) -> Triple:
    x, y, z = (float(value) for value in vector)
    return x, y, z
