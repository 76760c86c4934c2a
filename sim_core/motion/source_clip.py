"""The clip that a person gives, as a .bvh or .npz file, and the result in the same form."""

from dataclasses import dataclass
from pathlib import Path

from .. import rotations
from ..arrays import Floats
from ..errors import MotionFileError, SettingsError
from ..settings import ClipSettings
from . import motion_guesses
from .bvh import BvhDocument, read_bvh, write_bvh
from .clip import Clip
from .clip_npz import load_npz, save_npz
from .motion_file import UnitsAndAxes, bvh_from_clip, clip_from_bvh
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

    def in_own_axes(self, vector: Floats) -> Floats:
        """A world vector in the axes of the file, still in metres."""
        if self.conversion is None:
            return vector
        return rotations.rotate(rotations.inverse(self.conversion.world_from_file), vector)


def read_source(path: Path, settings: ClipSettings) -> SourceClip:
    if path.suffix.lower() == ".npz":
        clip = load_npz(path)
        t_pose = motion_guesses.count_t_pose_frames(clip)
        guesses = (motion_guesses.guess_t_pose(t_pose),) if t_pose else ()
        return SourceClip(clip=clip, t_pose_frames=t_pose, guesses=guesses, notes=())
    if path.suffix.lower() != ".bvh" and path.exists():
        raise MotionFileError(f"'{path.name}' is not a motion file that Heft reads; give a .bvh or .npz file.")
    document = read_bvh(path)
    loaded = clip_from_bvh(document, metres_per_unit=settings.metres_per_unit, up=settings.up, fps=settings.fps)
    return SourceClip(
        clip=loaded.clip,
        t_pose_frames=loaded.t_pose_frames,
        guesses=loaded.guesses,
        notes=loaded.notes,
        document=document,
        conversion=loaded.conversion,
    )


def write_result(path: Path, clip: Clip, source: SourceClip, first_frame: int) -> None:
    """The clip, whose first row stands for the source's frame `first_frame` (from 0), in the form of the source."""
    if path.suffix.lower() == ".npz":
        save_npz(path, clip)
        return
    assert source.document is not None
    assert source.conversion is not None
    write_bvh(path, bvh_from_clip(clip, source.document, source.conversion, first_frame=first_frame))


def check_output(path: Path, source_path: Path) -> None:
    """Says at once, before a long bake, whether the result could be written."""
    suffix = path.suffix.lower()
    if suffix not in (".bvh", ".npz"):
        raise SettingsError(f"The output '{path.name}' must be a .bvh or .npz file.")
    if suffix == ".bvh" and source_path.suffix.lower() == ".npz":
        raise SettingsError("An .npz clip has no BVH channels to write; give an .npz output.")
    if path.exists() and source_path.exists() and path.samefile(source_path):
        raise SettingsError("The output is the source clip itself; choose another name, the source is never touched.")
