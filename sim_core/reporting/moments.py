"""The moments that a picture shows: source and result at the same frames, seen from the same place."""

from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics import kinematics
from ..dynamics.kinematics import Pose
from ..posing.body_motion import body_positions
from ..scene import Ground
from .bake_result import BakeResult
from .figure_drawing import Part, parts_of
from .viewpoint import Viewpoint, choose_viewpoint

FEWEST, MOST = 8, 12
SHEET_SHAPE = 8.0  # a row of the contact sheet is so many times as wide as high


class Snapshot(NamedTuple):
    """A figure in picture coordinates [m]."""

    parts: list[Part]
    soles: Floats  # (P, 2)
    sole_heights: Floats  # (P,) over the ground

    @property
    def box(self) -> tuple[Floats, Floats]:
        every = np.concatenate([part.outline for part in self.parts])
        return every.min(axis=0), every.max(axis=0)

    @property
    def middle(self) -> float:
        lower, upper = self.box
        return float(lower[0] + upper[0]) / 2.0


class Moment(NamedTuple):
    frame: int  # of the motion, from 0
    kept: bool  # the performance was not lost before
    before: Snapshot
    after: Snapshot


class Story(NamedTuple):
    """Everything that is drawn of the figures."""

    body: Body
    frames: int  # of the motion
    first_frame: int  # the number that a person gives to the first of them
    lost_frame: float | None  # of the motion, from 0
    ground_point: Floats  # (2,) in the picture, where the ground is a line [m]
    ground_normal: Floats  # (2,)
    moments: list[Moment]

    def ground_height(self, x: float) -> float:
        """Where the ground is in the picture at a place in it [m]."""
        across = (x - self.ground_point[0]) * self.ground_normal[0] / self.ground_normal[1]
        return float(self.ground_point[1] - across)


def tell_story(result: BakeResult) -> Story:
    """Moments evenly over the clip; fewer where figures lie or spread wide, so that none is drawn too small."""
    performance, report = result.performance, result.report
    body, ground = performance.body, performance.scene.ground
    source = performance.motion
    outcome = result.clip.frames(performance.still_frames, len(result.clip))
    before, after = (kinematics.pose(body, body_positions(clip, body)) for clip in (source, outcome))
    view = choose_viewpoint(body, before, ground)
    lost = None if report.fell_at_s is None else min(report.fell_at_s * source.fps, len(source) - 1.0)
    frames = np.unique(np.linspace(0, len(source) - 1, _count(before, view, ground)).round().astype(int))
    moments = [
        Moment(
            frame=int(frame),
            kept=lost is None or bool(frame < lost),
            before=_snapshot(body, before, int(frame), view, ground),
            after=_snapshot(body, after, int(frame), view, ground),
        )
        for frame in frames
    ]
    return Story(
        body=body,
        frames=len(source),
        first_frame=performance.frame_at(0.0),
        lost_frame=lost,
        ground_point=view.flat(ground.point),
        ground_normal=view.flat(ground.normal),
        moments=moments,
    )


def _count(poses: Pose, view: Viewpoint, ground: Ground) -> int:
    wide = float(np.ptp(view.flat(poses.origins)[..., 0], axis=1).max())
    high = float(ground.distance(poses.origins).max())
    return int(np.clip(SHEET_SHAPE * high / max(wide, 1e-6), FEWEST, MOST))


def _snapshot(body: Body, poses: Pose, frame: int, view: Viewpoint, ground: Ground) -> Snapshot:
    pose = Pose(*(field[frame] for field in poses))
    soles = pose.points(body.soles.links, body.soles.local)
    return Snapshot(parts_of(body, pose, view), view.flat(soles), ground.distance(soles))
