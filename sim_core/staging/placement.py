"""From what a scene file says, in the clip's own axes, to places in the world, which has Z up."""

from dataclasses import dataclass, replace

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..motion.clip import Clip
from ..motion.source_clip import SourceClip
from ..posing.body_motion import body_positions
from ..posing.heading import facing, travel
from ..scene_file.scene_objects import BallShape, BoxShape, SceneObject, Triple
from ..world.track import Poses

_UP_AXIS = 2


@dataclass(frozen=True, kw_only=True, eq=False)
class Stage:
    """The clip that things are placed around, from its first simulated frame on."""

    source: SourceClip
    path: Floats  # (T, 3) of the pelvis [m]
    onward: Floats  # (3,) unit, level: where the clip goes, or faces
    floor_m: float  # that the clip was made for
    first_frame: int  # the first simulated one, as the person counts
    fps: float
    end_s: float

    @property
    def path_turn(self) -> Floats:
        """(4,) that brings X to where the clip goes."""
        return rotations.about_axis(_UP_AXIS, np.arctan2(self.onward[1], self.onward[0]))

    def along_the_path(self) -> "Stage":
        """For objects placed on the path: X is where it goes, Y to the left, Z up, whatever the clip's axes."""
        return replace(self, source=replace(self.source, conversion=None))

    def turn_from_own_axes(self, turns: Floats) -> Floats:
        """Rotations of the file, between vectors in its axes, as rotations between vectors of the world."""
        if self.source.conversion is None:
            return turns
        out = self.source.conversion.world_from_file
        return rotations.multiply(rotations.multiply(out, turns), rotations.inverse(out))


def make_stage(source: SourceClip, motion: Clip, body: Body, floor_m: float, first_frame: int) -> Stage:
    poses = pose(body, body_positions(motion, body))
    onward = travel(body, poses)
    return Stage(
        source=source,
        path=poses.origins[:, 0],
        onward=facing(body, poses) if onward is None else onward,
        floor_m=floor_m,
        first_frame=first_frame,
        fps=motion.fps,
        end_s=(len(motion) - 1) / motion.fps,
    )


def placed(each: SceneObject, stage: Stage) -> Poses:
    """Where an object is, by its position or by the clip's path, on which boxes and balls stand."""
    turn = stage.turn_from_own_axes(np.array(each.rotation))
    turn = rotations.multiply(rotations.about_axis(_UP_AXIS, np.radians(each.heading_deg)), turn)
    if each.on_path is None:
        return Poses(stage.source.from_own_axes(np.array(each.position)), turn)
    start = np.array([*stage.path[0, :2], stage.floor_m])
    away = np.array([each.on_path.ahead, each.on_path.aside, each.on_path.up + _reach_down(each, stage, turn)])
    return Poses(start + rotations.rotate(stage.path_turn, away), rotations.multiply(stage.path_turn, turn))


def _reach_down(each: SceneObject, stage: Stage, turn: Floats) -> float:
    """How far below its origin a box or ball begins; the others begin there [m]."""
    if isinstance(each.shape, BallShape):
        return each.shape.radius
    if isinstance(each.shape, BoxShape):
        half = 0.5 * np.abs(stage.source.from_own_axes(np.array(each.shape.size)))
        return float(np.abs(rotations.to_matrix(turn)[_UP_AXIS]) @ half)
    return 0.0


def direction(each: SceneObject, stage: Stage, vector: Triple) -> Floats:
    """A vector that the file gives beside the object's place: in the clip's axes, or counted from its path."""
    given = stage.source.from_own_axes(np.array(vector))
    return given if each.on_path is None else rotations.rotate(stage.path_turn, given)
