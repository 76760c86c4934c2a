"""The clip that a person gives, as a .bvh or .npz file, and the result in the same form."""

from dataclasses import dataclass, replace
from pathlib import Path

from .. import rotations
from ..arrays import Floats
from ..atomic_write import replace_file
from ..errors import MotionFileError, SettingsError
from ..settings import ClipSettings
from . import motion_guesses
from .bvh import BvhDocument, format_bvh, read_bvh, write_bvh
from .bvh_from_scratch import bvh_from_scratch
from .clip import Clip
from .clip_npz import load_npz, npz_bytes, save_npz
from .motion_file import UnitsAndAxes, bvh_from_clip, clip_from_bvh, frame_rate
from .motion_guesses import Guess


@dataclass(frozen=True, kw_only=True, eq=False)
class SourceClip:
    """Every frame of the file in metres with Z up, and all that is needed to write it back."""

    clip: Clip
    t_pose_frames: int
    guesses: tuple[Guess, ...]
    notes: tuple[str, ...]
    document: BvhDocument | None = None
    conversion: UnitsAndAxes | None = None
    file_fps: float | None = None  # where the person knows better than the file, and the clip's own is another

    def in_own_axes(self, vector: Floats) -> Floats:
        """A world vector in the axes of the file, still in metres."""
        if self.conversion is None:
            return vector
        return rotations.rotate(rotations.inverse(self.conversion.world_from_file), vector)

    def turns_in_own_axes(self, turn: Floats) -> Floats:
        """How something is turned, between vectors of the file, as a scene file says it."""
        if self.conversion is None:
            return turn
        out = self.conversion.world_from_file
        return rotations.multiply(rotations.multiply(rotations.inverse(out), turn), out)

    def from_own_axes(self, vector: Floats) -> Floats:
        """A vector in the axes of the file, in metres, in the world."""
        if self.conversion is None:
            return vector
        return rotations.rotate(self.conversion.world_from_file, vector)


def read_source(path: Path, settings: ClipSettings, *, may_be_a_pose: bool = False) -> SourceClip:
    """One frame is enough for a pose."""
    if path.suffix.lower() == ".npz":
        return _read_npz(path, settings)
    if path.suffix.lower() != ".bvh" and path.is_file():
        raise MotionFileError(f"'{path}' is not a motion file that Heft reads; give a .bvh or .npz file.")
    document = read_bvh(path)
    loaded = clip_from_bvh(
        document,
        metres_per_unit=settings.metres_per_unit,
        up=settings.up,
        fps=settings.fps,
        may_be_a_pose=may_be_a_pose,
    )
    return SourceClip(
        clip=loaded.clip,
        t_pose_frames=loaded.t_pose_frames,
        guesses=loaded.guesses,
        notes=loaded.notes,
        document=document,
        conversion=loaded.conversion,
        file_fps=frame_rate(document.frame_time),
    )


def _read_npz(path: Path, settings: ClipSettings) -> SourceClip:
    if settings.metres_per_unit is not None or settings.up is not None:
        raise SettingsError("An .npz clip is in metres with Z up; leave out the scale and the up axis.")
    clip = load_npz(path)
    t_pose = motion_guesses.count_t_pose_frames(clip)
    return SourceClip(
        clip=clip if settings.fps is None else replace(clip, fps=settings.fps),
        t_pose_frames=t_pose,
        guesses=(motion_guesses.guess_t_pose(t_pose),) if t_pose else (),
        notes=(),
        file_fps=clip.fps,
    )


def result_bytes(path: Path, clip: Clip, source: SourceClip, first_frame: int) -> bytes:
    """What to write at path: the clip, in the form of the source and at the rate that the source's file names.

    The clip's first row stands for the source's frame `first_frame` (from 0).
    """
    clip = clip if source.file_fps is None else replace(clip, fps=source.file_fps)
    if path.suffix.lower() == ".npz":
        return npz_bytes(clip)
    assert source.document is not None
    assert source.conversion is not None
    return format_bvh(bvh_from_clip(clip, source.document, source.conversion, first_frame=first_frame)).encode()


def write_result(path: Path, clip: Clip, source: SourceClip, first_frame: int) -> None:
    replace_file(path, result_bytes(path, clip, source, first_frame))


def write_new(path: Path, clip: Clip) -> None:
    """A clip that came from no file."""
    if _output_form(path) == ".npz":
        save_npz(path, clip)
    else:
        write_bvh(path, bvh_from_scratch(clip))


def check_output(path: Path, source_path: Path) -> None:
    """Says at once, before a long bake, whether the result could be written in this form."""
    if _output_form(path) == ".bvh" and source_path.suffix.lower() == ".npz":
        raise SettingsError("An .npz clip has no BVH channels to write; give an .npz output.")


def _output_form(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in (".bvh", ".npz"):
        raise SettingsError(f"The output '{path.name}' must be a .bvh or .npz file.")
    return suffix
