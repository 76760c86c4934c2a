"""The moments that a picture shows: source and result at the same frames, seen from the same place."""

from typing import NamedTuple

import numpy as np

from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics import kinematics
from ..dynamics.kinematics import Pose
from ..posing.body_motion import body_positions
from ..world.beside_edges import clearance
from ..world.surface import Surface
from .bake_result import BakeResult
from .figure_drawing import Part, parts_of
from .things_drawing import ThingOutline, outlines_of
from .viewpoint import Viewpoint, choose_viewpoint

FEWEST, MOST = 8, 12
_DEEPEST_M = 0.25  # below its lowest point the ground under a figure is not looked for
SHEET_SHAPE = 8.0  # a row of the contact sheet is so many times as wide as high


class Snapshot(NamedTuple):
    """A figure in picture coordinates [m]."""

    parts: list[Part]
    soles: Floats  # (P, 2)
    sole_heights: Floats  # (P,) over the surface

    @property
    def box(self) -> tuple[Floats, Floats]:
        every = np.concatenate([part.outline for part in self.parts])
        return every.min(axis=0), every.max(axis=0)

    @property
    def lowest(self) -> float:
        return float(self.box[0][1])

    @property
    def middle(self) -> float:
        lower, upper = self.box
        return float(lower[0] + upper[0]) / 2.0


class Moment(NamedTuple):
    frame: int  # of the motion, from 0
    kept: bool  # the performance was not lost before
    before: Snapshot
    after: Snapshot
    things: list[ThingOutline]  # of the scene, where they are then


class Story(NamedTuple):
    """Everything that is drawn of the figures."""

    body: Body
    frames: int  # of the motion
    first_frame: int  # the number that a person gives to the first of them
    lost_frame: float | None  # of the motion, from 0
    ground_point: Floats  # (2,) in the picture, where the ground is a line [m]
    ground_normal: Floats  # (2,)
    on_things: bool  # there is more to stand on than the ground
    moments: list[Moment]

    def ground_height(self, x: float) -> float:
        """Where the ground is in the picture at a place in it [m]."""
        across = (x - self.ground_point[0]) * self.ground_normal[0] / self.ground_normal[1]
        return float(self.ground_point[1] - across)

    def base(self, snapshot: Snapshot, soles: Bools, x: float, lowest: float) -> float:
        """How high in the picture [m] a window at a place in it begins: at what is below some of the soles (P,), or
        not far below the lowest of what it shows."""
        if not self.on_things:
            return self.ground_height(x)
        below = snapshot.soles[soles, 1] - snapshot.sole_heights[soles]
        return float(max(below.min(), lowest - _DEEPEST_M))


def tell_story(result: BakeResult) -> Story:
    """Moments evenly over the clip; fewer where figures lie or spread wide, so that none is drawn too small."""
    performance, report = result.performance, result.report
    body, scene, recording = performance.body, result.scene, result.recording
    ground = scene.ground
    source = performance.motion
    outcome = result.clip.frames(performance.still_frames, len(result.clip))
    before, after = (kinematics.pose(body, body_positions(clip, body)) for clip in (source, outcome))
    view = choose_viewpoint(body, before, ground)
    lost = None if report.fell_at_s is None else min(report.fell_at_s * source.fps, len(source) - 1.0)
    frames = np.unique(np.linspace(0, len(source) - 1, _count(before, view)).round().astype(int))
    moments = []
    for frame in frames.tolist():
        time_s = frame / source.fps
        surface = scene.surface(time_s)
        moments.append(
            Moment(
                frame=frame,
                kept=lost is None or bool(frame < lost),
                before=_snapshot(body, before, frame, view, surface),
                after=_snapshot(body, after, frame, view, surface),
                things=outlines_of(scene, recording, time_s, view, after.origins[frame, 0]),
            )
        )
    return Story(
        body=body,
        frames=len(source),
        first_frame=performance.frame_at(0.0),
        lost_frame=lost,
        ground_point=view.flat(ground.point),
        ground_normal=view.flat(ground.normal),
        on_things=any(thing.loose is None for thing in scene.things),
        moments=moments,
    )


def _count(poses: Pose, view: Viewpoint) -> int:
    wide, high = np.ptp(view.flat(poses.origins), axis=1).max(axis=0)
    return int(np.clip(SHEET_SHAPE * high / max(wide, 1e-6), FEWEST, MOST))


def _snapshot(body: Body, poses: Pose, frame: int, view: Viewpoint, surface: Surface) -> Snapshot:
    pose = Pose(*(field[frame] for field in poses))
    soles = pose.points(body.soles.links, body.soles.local)
    return Snapshot(parts_of(body, pose, view), view.flat(soles), clearance(surface, soles))
