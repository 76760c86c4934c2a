"""From a BVH document to a clip in metres with Z up, and back to a document that looks like the first."""

from dataclasses import dataclass, replace

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..errors import MotionFileError, RigError, SettingsError
from . import motion_guesses
from .bvh import BvhDocument
from .bvh_channels import position_columns, rotation_groups
from .bvh_numbers import FASTEST_FPS, SLOWEST_FPS
from .clip import Clip
from .euler_channels import nearest_angles
from .motion_guesses import Guess, JointPositions, UpAxis
from .skeleton import Skeleton, make_skeleton

_USUAL_RATES = (
    23.976,
    24,
    25,
    29.97,
    30,
    48,
    50,
    59.94,
    60,
    72,
    75,
    90,
    100,
    119.88,
    120,
    144,
    150,
    180,
    200,
    240,
)
_RATE_TOLERANCE = 1.5e-3  # 0.0333 s means 30 fps
_LARGEST_CLIP = 50_000_000  # frames times joints: some 3 GB, an hour of a whole crowd


@dataclass(frozen=True, kw_only=True)
class UnitsAndAxes:
    """How a file's numbers become metres in a world with Z up."""

    metres_per_unit: float
    up: UpAxis
    joint_positions: JointPositions  # position channels below the root replace the OFFSET, or are added to it

    @property
    def world_from_file(self) -> Floats:
        """The rotation (wxyz) that puts the file's up axis on Z."""
        return rotations.about_axis(0, np.array(0.5 * np.pi)) if self.up == "y" else rotations.IDENTITY


@dataclass(frozen=True, kw_only=True, eq=False)
class LoadedClip:
    clip: Clip  # every frame of the file, the rest pose in front included
    document: BvhDocument
    conversion: UnitsAndAxes
    t_pose_frames: int  # so many first frames are a rest pose, not motion
    guesses: tuple[Guess, ...]  # what was assumed
    notes: tuple[str, ...]  # what was odd, a sentence each


def clip_from_bvh(
    document: BvhDocument,
    *,
    metres_per_unit: float | None = None,
    up: UpAxis | None = None,
    fps: float | None = None,
    joint_positions: JointPositions | None = None,
    may_be_a_pose: bool = False,
) -> LoadedClip:
    """The clip of a document's first figure; what is not given is guessed."""
    _check_settings(metres_per_unit, up, fps)
    figure = _joints_of_first_figure(document)
    if len(document.values) < 2 and not may_be_a_pose:
        raise MotionFileError(
            f"{document.source_name} has only one frame; a motion needs at least two, and a pose is held by "
            "--motion hold."
        )
    if len(document.values) * figure > _LARGEST_CLIP:
        raise MotionFileError(f"{document.source_name} is too long to load at once; cut it into shorter clips.")
    guesses: list[Guess] = []
    if joint_positions is None:
        guess = _guess_joint_positions(document)
        joint_positions = "add" if guess is not None and guess.value == "add" else "replace"
        guesses += [guess] if guess is not None else []
    raw = _clip_in_file_units(document, figure, fps or frame_rate(document.frame_time), joint_positions)
    points = motion_guesses.figure_points(raw)
    size = motion_guesses.figure_size(points, document.source_name)
    if metres_per_unit is None:
        guesses.append(motion_guesses.guess_scale(size))
        metres_per_unit = float(guesses[-1].value)
    if up is None:
        guesses.append(motion_guesses.guess_up(points, size))
        up = "z" if guesses[-1].value == "z" else "y"
    t_pose_frames = motion_guesses.count_t_pose_frames(raw)
    if t_pose_frames:
        guesses.append(motion_guesses.guess_t_pose(t_pose_frames))
    conversion = UnitsAndAxes(metres_per_unit=metres_per_unit, up=up, joint_positions=joint_positions)
    return LoadedClip(
        clip=_in_metres_z_up(raw, conversion),
        document=document,
        conversion=conversion,
        t_pose_frames=t_pose_frames,
        guesses=tuple(guesses),
        notes=(*document.notes, *_notes_on_figures(document, figure)),
    )


def bvh_from_clip(clip: Clip, template: BvhDocument, conversion: UnitsAndAxes, *, first_frame: int = 0) -> BvhDocument:
    """The clip with the template's hierarchy, channels and frame time.

    `first_frame` is the template's frame (from 0) where the clip begins: the first angles are written as near
    to it as they can be, and channels unknown to a clip (scale, other figures) are copied from there on.
    """
    figure = _joints_of_first_figure(template)
    if len(clip.skeleton) != figure:
        counts = f"{len(clip.skeleton)} bones and {template.source_name} has {figure}"
        raise RigError(f"The clip has {counts}; they must be the same.")
    if not (np.all(np.isfinite(clip.positions)) and np.all(np.isfinite(clip.rotations))):
        raise MotionFileError("The clip holds values that are not numbers, so it cannot be written.")
    positions, turns = _to_file_units(clip, conversion, template)
    rows = np.clip(first_frame + np.arange(len(clip)), 0, len(template.values) - 1)
    values = template.values[rows]
    for joint, axis, column in position_columns(template):
        if joint < figure:
            values[:, column] = positions[:, joint, axis]
    for axes, joints, columns in rotation_groups(template):
        mine = joints < figure
        start = np.radians(template.values[rows[0]][columns[mine]])
        angles = nearest_angles(turns[:, joints[mine]], axes, start)
        values[:, columns[mine]] = np.degrees(angles)
    same_rate = abs(clip.fps * template.frame_time - 1.0) < _RATE_TOLERANCE
    return replace(template, values=values, frame_time=template.frame_time if same_rate else 1.0 / clip.fps)


def frame_rate(frame_time: float) -> float:
    """Frames per second; a usual rate where the file's rounded frame time means one."""
    fps = 1.0 / frame_time
    usual = min(_USUAL_RATES, key=lambda rate: abs(rate - fps))
    return float(usual) if abs(usual / fps - 1.0) < _RATE_TOLERANCE else fps


def _check_settings(metres_per_unit: float | None, up: str | None, fps: float | None) -> None:
    if metres_per_unit is not None and not 1e-6 <= metres_per_unit <= 1e6:
        raise SettingsError(f"A scale of {metres_per_unit} m per unit makes no sense; 0.01 means centimetres.")
    if up not in (None, "y", "z"):
        raise SettingsError(f"The up axis is 'y' or 'z', not '{up}'.")
    if fps is not None and not SLOWEST_FPS <= fps <= FASTEST_FPS:
        raise SettingsError(f"A frame rate of {fps} makes no sense; give frames per second, as 24 or 120.")


def _joints_of_first_figure(document: BvhDocument) -> int:
    """Joints under the first ROOT: the file lists a figure's joints before the next figure's."""
    roots = np.flatnonzero(document.parents < 0)
    return int(roots[1]) if len(roots) > 1 else len(document.names)


def _notes_on_figures(document: BvhDocument, figure: int) -> tuple[str, ...]:
    if figure == len(document.names):
        return ()
    count = int(np.count_nonzero(document.parents < 0))
    return (f"The file holds {count} figures; '{document.names[0]}' is used, the others are kept as they are.",)


def _guess_joint_positions(document: BvhDocument) -> Guess | None:
    """None where only roots have positions."""
    columns = [c for c in position_columns(document) if document.parents[c.joint] >= 0]
    if not columns:
        return None
    joints = sorted({column.joint for column in columns})
    place = {joint: row for row, joint in enumerate(joints)}
    medians = np.zeros((len(joints), 3))
    for joint, axis, column in columns:
        medians[place[joint], axis] = np.median(document.values[:, column])
    return motion_guesses.guess_joint_positions(document.offsets[joints], medians)


def _clip_in_file_units(document: BvhDocument, figure: int, fps: float, joint_positions: JointPositions) -> Clip:
    """The first figure's motion as the file has it: degrees are gone, units and axes are not."""
    frames = len(document.values)
    positions = np.tile(document.offsets[:figure], (frames, 1, 1))
    turns = np.tile(rotations.IDENTITY, (frames, figure, 1))
    for joint, axis, column in position_columns(document):
        if joint < figure:
            base = document.offsets[joint, axis] if joint > 0 and joint_positions == "add" else 0.0
            positions[:, joint, axis] = base + document.values[:, column]
    for axes, joints, columns in rotation_groups(document):
        mine = joints < figure
        angles = np.radians(document.values[:, columns[mine]])
        turns[:, joints[mine]] = rotations.from_euler(angles, axes)
    return Clip(skeleton=_skeleton(document, figure), fps=fps, positions=positions, rotations=turns)


def _skeleton(document: BvhDocument, figure: int) -> Skeleton:
    translating = {column.joint for column in position_columns(document)}
    return make_skeleton(
        document.names[:figure],
        document.parents[:figure].tolist(),
        document.offsets[:figure],
        tips=[(site.parent, site.offset) for site in document.end_sites if site.parent < figure],
        translates=[joint in translating for joint in range(figure)],
    )


def _in_metres_z_up(raw: Clip, conversion: UnitsAndAxes) -> Clip:
    """Only the root turns, so that every bone keeps its own frame; all lengths scale."""
    turn, scale = conversion.world_from_file, conversion.metres_per_unit
    skeleton = raw.skeleton
    return replace(
        raw,
        skeleton=replace(
            skeleton,
            offsets=scale * _with_root(skeleton.offsets, rotations.rotate(turn, skeleton.offsets[0])),
            rest_rotations=_with_root(skeleton.rest_rotations, rotations.multiply(turn, skeleton.rest_rotations[0])),
            tip_offsets=scale * skeleton.tip_offsets,
        ),
        positions=scale * _with_root(raw.positions, rotations.rotate(turn, raw.positions[:, 0])),
        rotations=_with_root(raw.rotations, rotations.multiply(turn, raw.rotations[:, 0])),
    )


def _to_file_units(clip: Clip, conversion: UnitsAndAxes, template: BvhDocument) -> tuple[Floats, Floats]:
    """Values of the position channels, and rotations, in the file's units and axes."""
    turn = rotations.inverse(conversion.world_from_file)
    positions = _with_root(clip.positions, rotations.rotate(turn, clip.positions[:, 0]))
    positions = positions / conversion.metres_per_unit
    if conversion.joint_positions == "add":
        positions[:, 1:] -= template.offsets[1 : len(clip.skeleton)]
    return positions, _with_root(clip.rotations, rotations.multiply(turn, clip.rotations[:, 0]))


def _with_root(values: Floats, root: Floats) -> Floats:
    """A copy of (..., J, n) with the root's part exchanged."""
    result = values.copy()
    result[..., 0, :] = root
    return result
